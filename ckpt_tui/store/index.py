"""The live index of runs and checkpoints that every front end asks.

Events are hints: they name paths that may have changed. The truth is the next look: list, compare,
read what differs, judge, and hand out an immutable picture.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.discovery import MAX_DEPTH, claim_directory, discover
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.registry import CATCH_ALL, reader_names
from ckpt_tui.fs.listing import Directory, list_directory, list_tree
from ckpt_tui.store.assemble import Member, Options, assemble_run, read_pointers
from ckpt_tui.store.growth import Growth, Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.core.runs import Run
    from ckpt_tui.formats.base import Claim

# Two writes within one tick of a file server's clock can leave the same time and size, so facts
# read that soon after a write are read once more.
RACY_SECONDS = 2.0
HOT_CHECKPOINTS_PER_RUN = 2

DEFAULT_OPTIONS = Options()
DEFAULT_LIMITS = Limits()


class _Record:
    """A checkpoint as the store remembers it."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.tree: Tree | None = None
        self.facts: CheckpointFacts | None = None
        self.growth = Growth()
        self.racy = False

    def member(self) -> Member:
        if self.facts is None:
            raise RuntimeError(f"{self.claim.path} was never read")
        return Member(self.facts, self.growth)


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
        self.root = os.path.abspath(root)
        self.options = options
        self._limits = limits
        self._wall = wall
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._records: dict[str, _Record] = {}
        self._directories: dict[str, Directory] = {}
        self._runs: dict[tuple[str, str], Run] = {}
        self._problems: tuple[tuple[str, str], ...] = ()
        self._snapshot = Snapshot(root=self.root, tried=reader_names())

    # -- what the watcher asks ------------------------------------------------------------------

    def roots(self) -> tuple[str, ...]:
        """The directories that the snapshot is about."""
        return (self.root,)

    def saving(self) -> bool:
        """True while any checkpoint is in flight."""
        return any(run.in_flight for run in self._snapshot.runs)

    def hot_paths(self) -> tuple[str, ...]:
        """Run directories, saves in flight and the newest few checkpoints."""
        hot: list[str] = []
        for run in self._snapshot.runs:
            hot.append(run.path)
            hot.extend(c.path for c in run.checkpoints[:HOT_CHECKPOINTS_PER_RUN])
            hot.extend(c.path for c in run.checkpoints if c.progress is not None)
        return tuple(dict.fromkeys(hot))

    def snapshot(self) -> Snapshot:
        """The picture of the last look."""
        return self._snapshot

    def unsettled(self) -> bool:
        """Whether a second look could change a verdict: something unfinished was written lately."""
        now = self._now()
        return any(
            self._open(record)
            and record.growth.silent_seconds(now) < self.options.stall_after_seconds
            for record in self._records.values()
        )

    # -- looking --------------------------------------------------------------------------------

    def look(self, dirty: frozenset[str] | None = None) -> Snapshot:
        """Looks again and returns the new picture.

        Args:
            dirty: Absolute paths that may have changed; None for everything.
        """
        with self._lock:
            now = self._now()
            touched = self._look_everywhere(now) if dirty is None else self._look_at(dirty, now)
            self._snapshot = self._picture(touched, now)
            return self._snapshot

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
        touched: set[str] = set()
        for place in _topmost(places):
            touched |= self._search_again(place, owned, now)
        for path in owned & self._records.keys():
            touched |= self._refresh(self._records[path], now)
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

    def _search_again(self, place: str, owned: set[str], now: Moment) -> set[str]:
        def known(path: str) -> Claim | None:
            record = self._records.get(path)
            return record.claim if record is not None else None

        levels = MAX_DEPTH - os.path.relpath(place, self.root).count(os.sep) - (place != self.root)
        found = discover(place, known, levels)

        def within(paths: Iterable[str]) -> list[str]:
            return [path for path in paths if path == place or path.startswith(place + os.sep)]

        touched = self._replace_directories(within(self._directories), found.directories)
        gone = set(within(self._records)) - {claim.path for claim in found.claims}
        fresh = [
            claim for claim in found.claims
            if claim.members or claim.export or self._new_or_young(claim, now)
            or claim.path in owned
        ]  # fmt: skip
        return touched | self._accept(fresh, gone, now)

    def _new_or_young(self, claim: Claim, now: Moment) -> bool:
        record = self._records.get(claim.path)
        return record is None or record.racy or self._open(record)

    def _accept(self, claims: Iterable[Claim], gone: Iterable[str], now: Moment) -> set[str]:
        """Takes claims in and forgets what is gone; returns the directories of what changed."""
        touched: set[str] = set()
        for path in tuple(gone):
            del self._records[path]
            touched |= {os.path.dirname(path), path}
        for claim in claims:
            record = self._records.get(claim.path)
            if record is None or record.claim != claim:
                record = self._records[claim.path] = _Record(claim)
            touched |= self._refresh(record, now)
        return touched

    def _refresh(self, record: _Record, now: Moment) -> set[str]:
        """Lists a checkpoint and reads it where it differs; returns what changed."""
        claim = record.claim
        tree = list_tree(claim.path, claim.members, deep=not self._holds_run(claim))
        changed = record.tree is None or tree != record.tree
        if changed and record.tree is not None and not claim.members:
            claim = record.claim = self._claim_again(claim)
        record.growth.observe(tree, changed, now)
        if changed or record.racy or record.facts is None:
            facts = read_checkpoint(claim, tree, self._limits)
            if record.facts == facts:
                facts = record.facts
            else:
                changed = True
            record.facts, record.tree = facts, tree
            record.racy = now.wall - tree.newest_mtime_ns() / 1e9 < RACY_SECONDS
        if changed or self._open(record):
            return {os.path.dirname(claim.path), claim.path}
        return set()

    def _claim_again(self, claim: Claim) -> Claim:
        """A save in flight may show only now what it is: its manifest comes last."""
        fresh = claim_directory(claim.path)
        if fresh is None or fresh.reader == CATCH_ALL:
            return claim
        return fresh

    def _holds_run(self, claim: Claim) -> bool:
        """Whether an export lies in a run's own directory, of which it owns the files only."""
        below = claim.path + os.sep
        return claim.export and any(path.startswith(below) for path in self._records)

    def _open(self, record: _Record) -> bool:
        facts = record.facts
        if facts is None or facts.commit.met is False:
            return True
        return any(f.effect in (Effect.CORRUPT, Effect.INCOMPLETE) for f in facts.findings)

    # -- the picture ----------------------------------------------------------------------------

    def _picture(self, touched: set[str], now: Moment) -> Snapshot:
        error = self._root_error()
        groups: dict[tuple[str, str], list[_Record]] = {}
        for record in self._records.values():
            groups.setdefault((self._run_path(record), record.claim.reader), []).append(record)
        runs: dict[tuple[str, str], Run] = {}
        for key in sorted(groups):
            old = self._runs.get(key)
            if old is not None and key[0] not in touched and old.in_flight is None:
                runs[key] = old
                continue
            new = self._assemble(key, groups[key], now)
            runs[key] = old if old == new else new
        pictured = tuple(runs.values())
        self._runs = runs
        last = self._snapshot
        if (pictured, error, self._problems) == (last.runs, last.error, last.problems) and (
            last.version
        ):
            return last
        return Snapshot(
            root=self.root,
            runs=pictured,
            looked_at=now.wall,
            version=last.version + 1,
            error=error,
            free_bytes=_free_bytes(self.root),
            tried=last.tried,
            problems=self._problems,
            single=self.root in self._records and len(self._records) == 1,
        )

    def _assemble(self, key: tuple[str, str], records: list[_Record], now: Moment) -> Run:
        path, format_name = key
        single = path in self._records and len(records) == 1
        directory = None if single else self._directories.get(path)
        relative = os.path.relpath(path, self.root)
        return assemble_run(
            path,
            os.path.basename(path) if relative == "." else relative,
            format_name,
            [record.member() for record in records],
            read_pointers(format_name, directory),
            self.options,
            now,
        )

    def _run_path(self, record: _Record) -> str:
        """The directory of a checkpoint's run: its own where it is the root or holds the run."""
        path = record.claim.path
        if path == self.root or self._holds_run(record.claim):
            return path
        return os.path.dirname(path)

    def _root_error(self) -> str:
        try:
            os.stat(self.root)
        except OSError as error:
            return error.strerror or str(error)
        if self._records or not os.path.isdir(self.root):
            return ""
        return list_directory(self.root).problem


def _topmost(places: Iterable[str]) -> list[str]:
    """Without the directories that lie below another one of them."""
    kept: list[str] = []
    for place in sorted(places):
        if not any(place == top or place.startswith(top + os.sep) for top in kept):
            kept.append(place)
    return kept


def _free_bytes(path: str) -> int | None:
    try:
        info = os.statvfs(path)
    except OSError:
        return None
    return info.f_bavail * info.f_frsize
