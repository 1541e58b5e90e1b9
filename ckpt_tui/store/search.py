"""Which checkpoints there are now: at first everywhere, later where something may have changed."""

from __future__ import annotations

import os
from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING

from ckpt_tui.core.snapshot import Reading
from ckpt_tui.formats.discovery import MAX_DEPTH, discover
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import grown_entries, list_again, list_directory
from ckpt_tui.fs.pace import Pace
from ckpt_tui.fs.paths import directories_above, topmost, within
from ckpt_tui.store.known import Known
from ckpt_tui.store.links import LinkedFiles
from ckpt_tui.store.told import Told
from ckpt_tui.store.unanswered import missing_of
from ckpt_tui.store.unfinished import newest_first

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping, Sequence

    from ckpt_tui.formats.base import Claim
    from ckpt_tui.formats.discovery import Found
    from ckpt_tui.fs.listing import Directory
    from ckpt_tui.store.moment import Moment
    from ckpt_tui.store.record import Record, Records
    from ckpt_tui.store.refresh import Refresher
    from ckpt_tui.store.unanswered import Missing
    from ckpt_tui.store.unfinished import Unfinished

READ_WHILE_SEARCHING = 3
"""So many of each directory are read before the search goes on: a restart needs the newest."""
MOVES_PER_LOOK = 3
"""How often one look follows checkpoints that are renamed or removed while it lasts."""
_path_of = attrgetter("path")


class Search:
    """Keeps the records in step with the directories.

    Args:
        root: Absolute path that is searched.
        records: All records; they are admitted and forgotten here.
        refresher: Brings one record up to date.
        clock: The present moment.

    Attributes:
        directories: Path → listing of every directory that is not inside a checkpoint.
        asks_little: Whether the checkpoints in a directory that was named are left to the next look
            at themselves where only their own times could say more: on a file server.
    """

    def __init__(
        self,
        root: str,
        records: Records,
        refresher: Refresher,
        clock: Callable[[], Moment],
    ) -> None:
        self.directories: dict[str, Directory] = {}
        self.asks_little = False
        self._told = Told()
        self._links = LinkedFiles(root)
        self._root = root
        self._records = records
        self._refresher = refresher
        self._clock = clock
        self._unfinished: Unfinished | None = None

    @property
    def problems(self) -> tuple[tuple[str, str], ...]:
        """(absolute path, reason) of what could not be listed, or is not read."""
        return self._told.problems

    def look(self, dirty: frozenset[str] | None, unfinished: Unfinished | None) -> set[str]:
        """Looks again; returns the directories in which something differs.

        Args:
            dirty: Absolute paths that may have changed; None for everything.
            unfinished: Where to show what is read while the look goes on.
        """
        self._unfinished = unfinished
        touched = self._look_everywhere() if dirty is None else self._look_at(dirty)
        for path in self._records.neighbours.outdated(dirty, self.directories):
            self._records[path].facts = None
            touched |= self._refresh(self._records[path])
        return touched | self._look_at_doubtful()

    def _look_everywhere(self) -> set[str]:
        touched: set[str] = set()
        counts: Counter[str] = Counter()

        def read_newest(claim: Claim) -> None:
            place = os.path.dirname(claim.path)
            counts[place] += 1
            if counts[place] <= READ_WHILE_SEARCHING and not claim.export:
                touched.update(self._refresh(self._records.admit(claim), claimed=True))
            self._show(touched, counts.total(), searching=True)

        first = not self._records.looked and self._unfinished is not None
        known = Known(self._records)
        found = discover(self._root, known, told=read_newest if first else None)
        touched |= self._replace_directories(self.directories.keys(), found.directories)
        self._told.renew(self._root, found)
        missing = self._missing(self._records, found)
        return touched | self._accept(found.claims, missing, known.remembered)

    def _replace_directories(
        self, old_paths: Iterable[str], new: Mapping[str, Directory]
    ) -> set[str]:
        """Takes new listings for old ones; returns the directories whose entries differ."""
        old = {path: self.directories.pop(path) for path in tuple(old_paths)}
        for path in old:
            self._links.forget(path)
        self._take_listings(new)
        return {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}

    def _take_listings(self, listed: Mapping[str, Directory]) -> None:
        self.directories.update(listed)
        for directory in listed.values():
            self._links.listed(directory)

    def _look_at(self, dirty: Iterable[str]) -> set[str]:
        owned: set[str] = set()
        places: set[str] = set()
        for path in dirty:
            owner = self._owner(path)
            if owner is not None and calls.lexists(owner):
                owned.add(owner)
            else:
                places.add(self._nearest_directory(owner or path))
        owned |= self._linked_to(dirty)
        places |= self._links.seen_from(frozenset(dirty))
        touched: set[str] = set()
        for place in topmost(places):
            doubted = self._doubted_in(place)
            if doubted is None:
                touched |= self._search_again(place, owned)
            else:
                owned |= doubted
        for path in owned & self._records.keys():
            touched |= self._refresh(self._records[path])
        return touched

    def _linked_to(self, dirty: Iterable[str]) -> set[str]:
        """The checkpoints that are links to, or into, what may have changed."""
        linked = self._records.linked
        if not linked:
            return set()
        changed = frozenset(dirty)
        around = changed.union(*map(directories_above, changed))
        targets = {
            target
            for target in linked
            if target in around or not changed.isdisjoint(directories_above(target))
        }
        return {path for path, record in self._records.items() if record.target in targets}

    def _look_at_doubtful(self) -> set[str]:
        """Searches around what is no longer what it was taken for, until that settles."""
        touched: set[str] = set()
        for _ in range(MOVES_PER_LOOK):
            if not self._refresher.doubtful:
                break
            doubtful, self._refresher.doubtful = self._refresher.doubtful, set()
            above = {self._nearest_directory(os.path.dirname(path)) for path in doubtful}
            for place in topmost(above):
                touched |= self._search_again(place, doubtful, doubtful)
        for path in self._refresher.doubtful & self._records.keys():
            if self._records[path].facts is None or not calls.lexists(path):
                touched |= self._forget(path)
        self._refresher.doubtful.clear()
        return touched

    def _owner(self, path: str) -> str | None:
        """The checkpoint that a path lies in."""
        while len(path) >= len(self._root):
            record = self._records.get(path)
            if record is not None and not record.claim.export:
                return path
            parent = os.path.dirname(path)
            if parent == path:
                return None
            path = parent
        return None

    def _nearest_directory(self, path: str) -> str:
        """The closest known directory at or above a path, where the search has to begin anew.

        One that went away, or that a link or a file took the place of, differs in its parent.
        """
        while len(path) > len(self._root) and not (
            path in self.directories and calls.is_directory(path) and not calls.is_link(path)
        ):
            path = os.path.dirname(path)
        return path if path in self.directories else self._root

    def _doubted_in(self, place: str) -> set[str] | None:
        """The checkpoints to look at where nothing came, went or was replaced below a directory.

        None where something did, or may have: then the search has to say what there is.
        """
        listed: dict[str, Directory] = {}
        doubted: set[str] = set()
        known = [self.directories[path] for path in within(place, self.directories)]
        anew = Pace().in_turn(known, self._list_anew, _path_of)
        for before, now in zip(known, anew, strict=True):
            path = before.path
            listed[path] = now
            names = grown_entries(before, now)
            paths = {os.path.join(path, name) for name in names or ()}
            if names is None or not all(self._is_directory_of_its_own(p) for p in paths):
                return None
            doubted |= paths
        if not listed:
            return None
        self._take_listings(listed)
        for path in within(place, self._records):
            if self._may_differ(self._records[path].claim):
                doubted.add(path)
        return doubted

    def _list_anew(self, before: Directory) -> Directory:
        return list_again(before) if self.asks_little else list_directory(before.path)

    def _is_directory_of_its_own(self, path: str) -> bool:
        record = self._records.get(path)
        return record is not None and not record.claim.export and not record.claim.members

    def _search_again(self, place: str, owned: set[str], doubtful: Container[str] = ()) -> set[str]:
        known = Known(self._records, doubtful)
        levels = MAX_DEPTH - os.path.relpath(place, self._root).count(os.sep)
        found = discover(place, known, levels - (place != self._root), self._root)
        replaced = _differing(self.directories, found.directories)
        touched = self._replace_directories(within(place, self.directories), found.directories)
        self._told.renew(place, found)
        missing = self._missing(within(place, self._records), found)
        if place != self._root and place not in self._records:
            # A place that became a checkpoint says what its siblings are, too.
            self._refresher.doubtful |= {c.path for c in found.claims if c.path == place}
        fresh = [
            claim for claim in found.claims
            if claim.members or claim.export or self._may_differ(claim)
            or claim.path in owned or claim.path in replaced
        ]  # fmt: skip
        return touched | self._accept(fresh, missing, known.remembered)

    @staticmethod
    def _missing(paths: Iterable[str], found: Found) -> Missing:
        met = {claim.path for claim in found.claims}
        return missing_of((path for path in paths if path not in met), found.unlisted)

    def _may_differ(self, claim: Claim) -> bool:
        record = self._records.get(claim.path)
        return (
            record is None
            or record.racy
            or record.open
            or record.claim != claim
            or bool(record.target)
        )

    def _accept(
        self, claims: Sequence[Claim], missing: Missing, remembered: Container[str]
    ) -> set[str]:
        """Takes claims in and forgets what is gone; returns the directories of what changed.

        Args:
            claims: What is there.
            missing: What was not met again.
            remembered: Paths whose claim was made in an earlier look.
        """
        touched: set[str] = set()
        for path in missing.gone:
            touched |= self._forget(path)
        claims = [*claims, *(self._records[path].claim for path in missing.failing)]
        # All are there before any is read: an export is read by what lies below it.
        for claim in claims:
            self._records.admit(claim)
        order = newest_first(claims)
        for claim, moment, examined in self._refresher.in_turn(order, self._clock):
            record = self._records[claim.path]
            claimed = claim.path not in remembered
            touched |= self._refresher.refresh(record, moment, claimed, examined)
            self._show(touched, len(self._records), searching=False)
        return touched

    def _forget(self, path: str) -> set[str]:
        self._records.forget(path)
        return {os.path.dirname(path), path}

    def _refresh(self, record: Record, claimed: bool = False) -> set[str]:
        return self._refresher.refresh(record, self._clock(), claimed)

    def _show(self, touched: set[str], recognised: int, *, searching: bool) -> None:
        if self._unfinished is None or not self._unfinished.due():
            return
        read = sum(record.facts is not None for record in self._records.values())
        if read < recognised:
            self._unfinished.show(touched, Reading(read, recognised, searching))


def _differing(before: Mapping[str, Directory], now: Mapping[str, Directory]) -> set[str]:
    """Paths of entries that are not as they were, such as a directory in the place of another."""
    return {
        os.path.join(path, entry.path)
        for path, directory in now.items()
        if path in before and before[path] != directory
        for entry in set(directory.entries).difference(before[path].entries)
    }
