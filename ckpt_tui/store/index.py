"""The live index of runs and checkpoints that every front end asks.

Events are hints: they name paths that may have changed. The truth is the next look: list, compare,
read what differs, judge, and hand out an immutable picture.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.collector import collector_rare
from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.findings import has_effect
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.discovery import MAX_DEPTH, claim_directory, discover
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.shared.roles import synonyms_in_use
from ckpt_tui.fs.listing import list_tree
from ckpt_tui.fs.paths import link_target, topmost
from ckpt_tui.store.assemble import Options
from ckpt_tui.store.growth import Moment
from ckpt_tui.store.picture import Picture
from ckpt_tui.store.record import Record, Records, is_cut

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from ckpt_tui.core.files import Tree
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.fs.listing import Directory

# Two writes within one tick of a file server's clock can leave the same time and size, so facts
# read that soon after a write are read once more.
RACY_SECONDS = 2.0
HOT_CHECKPOINTS_PER_RUN = 2
MOVES_PER_LOOK = 3
"""How often one look follows checkpoints that are renamed or removed while it lasts."""

DEFAULT_OPTIONS = Options()
DEFAULT_LIMITS = Limits()


class Store:
    """Runs and checkpoints below one root.

    Args:
        root: A directory, or one checkpoint (a directory or a file).
        options: Required roles, world size, stall limits.
        limits: Bounds of every read.
        wall: Clock in seconds since the epoch.
        monotonic: Clock that never steps, seconds.
    """

    def __init__(
        self,
        root: str,
        options: Options = DEFAULT_OPTIONS,
        *,
        limits: Limits = DEFAULT_LIMITS,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        path = os.path.abspath(root)
        # A link to a file is judged as the file, which may lie in another directory.
        self.root = os.path.realpath(path) if os.path.isfile(path) else path
        self.options = options
        self._limits = limits
        self._wall = wall
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._records = Records()
        self._doubtful: set[str] = set()
        self._directories: dict[str, Directory] = {}
        self._problems: tuple[tuple[str, str], ...] = ()
        self._picture = Picture(self.root, self._records)

    def roots(self) -> tuple[str, ...]:
        """The directories that the snapshot is about."""
        return (self.root,)

    def saving(self) -> bool:
        """True while any checkpoint is in flight."""
        return any(run.in_flight for run in self._picture.snapshot.runs)

    def hot_paths(self) -> tuple[str, ...]:
        """Run directories, saves in flight and the newest few checkpoints."""
        hot: list[str] = []
        for run in self._picture.snapshot.runs:
            hot.append(run.path)
            hot.extend(c.path for c in run.checkpoints[:HOT_CHECKPOINTS_PER_RUN])
            hot.extend(c.path for c in run.checkpoints if c.progress is not None)
        return tuple(dict.fromkeys(hot))

    def ask_world_size(self, world_size: int | None) -> None:
        """Judges for a job of that size from the next look on; never blocks."""
        asked = self.options.requirements._replace(world_size=world_size)
        self.options = self.options._replace(requirements=asked)

    def snapshot(self) -> Snapshot:
        """The picture of the last look."""
        return self._picture.snapshot

    def unsettled(self) -> bool:
        """Whether a second look could change a verdict: something unfinished was written lately."""
        now = self._now()
        return self.saving() or any(
            record.open and record.growth.silent_seconds(now) < self.options.stall_after_seconds
            for record in self._records.values()
        )

    def look(self, dirty: frozenset[str] | None = None) -> Snapshot:
        """Looks again and returns the new picture.

        Args:
            dirty: Absolute paths that may have changed; None for everything.
        """
        with self._lock, collector_rare():
            now = self._now()
            if self._records.forget_facts_unless(synonyms_in_use()):
                dirty = None
            touched = self._look_everywhere(now) if dirty is None else self._look_at(dirty, now)
            touched |= self._look_at_doubtful(now)
            self._records.looked |= dirty is None
            return self._picture.draw(self._directories, self._problems, touched, now, self.options)

    def _now(self) -> Moment:
        return Moment(self._wall(), self._monotonic())

    def _look_everywhere(self, now: Moment) -> set[str]:
        found = discover(self.root)
        touched = self._replace_directories(self._directories.keys(), found.directories)
        self._problems = found.problems
        gone = self._records.keys() - {claim.path for claim in found.claims}
        return touched | self._accept(found.claims, gone, now)

    def _replace_directories(
        self, old_paths: Iterable[str], new: Mapping[str, Directory]
    ) -> set[str]:
        """Takes new listings for old ones; returns the directories whose entries differ."""
        old = {path: self._directories.pop(path) for path in tuple(old_paths)}
        self._directories.update(new)
        return {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}

    def _look_at(self, dirty: Iterable[str], now: Moment) -> set[str]:
        owned: set[str] = set()
        places: set[str] = set()
        for path in dirty:
            owner = self._owner(path)
            if owner is not None and os.path.lexists(owner):
                owned.add(owner)
            else:
                places.add(self._nearest_directory(owner or path))
        if owned & self._picture.linked:
            owned |= {path for path, record in self._records.items() if record.target in owned}
        touched: set[str] = set()
        for place in topmost(places):
            touched |= self._search_again(place, owned, now)
        for path in owned & self._records.keys():
            touched |= self._refresh(self._records[path], now)
        return touched

    def _look_at_doubtful(self, now: Moment) -> set[str]:
        """Searches around what is no longer what it was taken for, until that settles."""
        touched: set[str] = set()
        for _ in range(MOVES_PER_LOOK):
            if not self._doubtful:
                break
            above = {self._nearest_directory(os.path.dirname(path)) for path in self._doubtful}
            doubtful, self._doubtful = self._doubtful, set()
            for place in topmost(above):
                touched |= self._search_again(place, doubtful, now, doubtful)
        for path in self._doubtful & self._records.keys():
            if self._records[path].facts is None or not os.path.lexists(path):
                touched |= self._forget(path)
        self._doubtful.clear()
        return touched

    def _owner(self, path: str) -> str | None:
        """The checkpoint that a path lies in."""
        while len(path) >= len(self.root):
            record = self._records.get(path)
            if record is not None and not record.claim.export:
                return path
            parent = os.path.dirname(path)
            if parent == path:
                return None
            path = parent
        return None

    def _nearest_directory(self, path: str) -> str:
        """The closest known directory above a path, where the search has to begin anew."""
        while len(path) > len(self.root) and path not in self._directories:
            path = os.path.dirname(path)
        return path if path in self._directories else self.root

    def _search_again(
        self,
        place: str,
        owned: set[str],
        now: Moment,
        doubtful: Container[str] = (),
    ) -> set[str]:
        def known(path: str) -> Claim | None:
            record = self._records.get(path)
            return None if record is None or record.open or path in doubtful else record.claim

        def within(paths: Iterable[str]) -> list[str]:
            below = place.rstrip(os.sep) + os.sep
            return [path for path in paths if path == place or path.startswith(below)]

        levels = MAX_DEPTH - os.path.relpath(place, self.root).count(os.sep) - (place != self.root)
        found = discover(place, known, levels, self.root)
        touched = self._replace_directories(within(self._directories), found.directories)
        stale = set(within(path for path, _ in self._problems))
        kept = (problem for problem in self._problems if problem[0] not in stale)
        self._problems = tuple(dict.fromkeys((*kept, *found.problems)))
        gone = set(within(self._records)) - {claim.path for claim in found.claims}
        if place != self.root and place not in self._records:
            # A place that became a checkpoint says what its siblings are, too.
            self._doubtful |= {claim.path for claim in found.claims if claim.path == place}
        fresh = [
            claim for claim in found.claims
            if claim.members or claim.export or self._may_differ(claim) or claim.path in owned
        ]  # fmt: skip
        return touched | self._accept(fresh, gone, now)

    def _may_differ(self, claim: Claim) -> bool:
        record = self._records.get(claim.path)
        return (
            record is None
            or record.racy
            or record.open
            or record.claim != claim
            or bool(record.target)
        )

    def _accept(self, claims: Sequence[Claim], gone: Iterable[str], now: Moment) -> set[str]:
        """Takes claims in and forgets what is gone; returns the directories of what changed."""
        touched: set[str] = set()
        for path in tuple(gone):
            touched |= self._forget(path)
        # All are there before any is read: an export is read by what lies below it.
        for record in [self._records.admit(claim) for claim in claims]:
            touched |= self._refresh(record, now, claimed=True)
        return touched

    def _forget(self, path: str) -> set[str]:
        self._records.forget(path)
        return {os.path.dirname(path), path}

    def _refresh(self, record: Record, now: Moment, claimed: bool = False) -> set[str]:
        """Lists a checkpoint and reads it where it differs; returns what changed.

        Args:
            record: The checkpoint.
            now: When.
            claimed: Whether its claim was made in this look.
        """
        claim = record.claim
        tree = self._list(claim)
        if is_cut(tree, claim):
            self._doubtful.add(claim.path)
            return set()
        changed = tree != record.tree
        if changed and not claimed and not self._is_same_kind(record, tree):
            self._doubtful.add(claim.path)
            return set()
        record.growth.observe(tree, changed, now)
        if changed or record.racy or record.facts is None:
            changed |= self._read(record, tree)
            record.racy = now.wall - tree.newest_mtime_ns() / 1e9 < RACY_SECONDS
        if changed or record.open:
            return {os.path.dirname(claim.path), claim.path}
        return set()

    def _is_same_kind(self, record: Record, tree: Tree) -> bool:
        """False where the search has to say what the directory is now."""
        claim = record.claim
        if claim.members or tree.link_target:
            return True
        return claim_directory(claim.path, claim) == claim

    def _list(self, claim: Claim) -> Tree:
        """An export in a run's own directory has only those entries that are no checkpoints."""
        deep = not self._records.holds_run(claim)
        tree = list_tree(claim.path, claim.members, deep=deep, boundary=self.root)
        if deep:
            return tree
        own = (e for e in tree.entries if os.path.join(claim.path, e.path) not in self._records)
        return tree._replace(entries=tuple(own))

    def _read(self, record: Record, tree: Tree) -> bool:
        """Reads a checkpoint; says whether its facts differ."""
        claim = record.claim
        facts = self._records.shared(read_checkpoint(claim, tree, self._limits))
        if not os.path.lexists(claim.path) or (
            has_effect(facts.findings, Effect.UNKNOWN) and tree != self._list(claim)
        ):  # what was read was no longer what had been listed
            self._doubtful.add(claim.path)
        changed = record.facts != facts
        if changed:
            record.facts = facts
        record.tree = tree
        record.target = "" if tree.link_target else link_target(claim.path, self.root)
        return changed
