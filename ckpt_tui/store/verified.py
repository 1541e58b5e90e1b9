"""Puts what `verify` found, in whatever process, beside the facts of checkpoints.

Results are remembered file by file, and anybody may add some at any time. Each look asks for what
is new below the root. A result counts only where the listing shows the file as it was verified.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.verified import VerifiedFacts
from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.store.ports import ResultsSource
    from ckpt_tui.store.record import Record, Records
    from ckpt_tui.verify.rows import Row


class Verifications:
    """What is remembered of the files below one root.

    Args:
        root: Absolute path that is searched; a file stands for those beside it, too.
        records: All records.
        source: Where results are remembered.
    """

    def __init__(self, root: str, records: Records, source: ResultsSource) -> None:
        self._root = os.path.dirname(root) if calls.is_file(root) else root
        self._records = records
        self._source = source
        self._rows: dict[str, Row] = {}
        self._holders: set[str] = set()

    def look(self) -> set[str]:
        """Asks whether anything was verified since; returns the directories of what differs."""
        if not self._source.changed():
            return set()
        real = calls.realpath(self._root)
        self._take(real, self._source.below(real))
        touched: set[str] = set()
        for path, record in self._records.items():
            if self.apply(record):
                touched |= {os.path.dirname(path), path}
        return touched

    def apply(self, record: Record) -> bool:
        """Gives a checkpoint, as it is listed now, what counts for it; says if that differs."""
        now = self._verified(record) if self._holders else None
        differs = now != record.verified
        if differs:
            record.verified = now
        return differs

    def _take(self, real: str, rows: Iterable[Row]) -> None:
        """Takes results in, by paths that begin as the root is spelled."""
        top, beyond = os.fsencode(self._root.rstrip(os.sep)), len(os.fsencode(real.rstrip(os.sep)))
        self._rows = {os.fsdecode(top + row[0][beyond:]): row for row in rows if _has_path(row)}
        self._holders = set()
        for path in self._rows:
            place = os.path.dirname(path)
            while place not in self._holders and place != os.path.dirname(place):
                self._holders.add(place)
                place = os.path.dirname(place)

    def _verified(self, record: Record) -> VerifiedFacts | None:
        claim, tree = record.claim, record.tree
        base = record.directory if claim.members else (record.target or claim.path)
        if tree is None or base not in self._holders:
            return None
        from ckpt_tui.verify.rows import file_of  # only where something was verified

        entries = tree.files()
        known = [(row, entry.path) for entry in entries if (row := self._row(base, entry))]
        files = tuple([file for row, path in known if (file := file_of(row, path)) is not None])
        return VerifiedFacts(files, len(entries), tree.total_bytes()) if files else None

    def _row(self, base: str, entry: FileEntry) -> Row | None:
        """What is remembered of a file, where it is still the one that was verified."""
        row = self._rows.get(f"{base}/{entry.path}")
        same = row is not None and row[1:4] == (entry.size_bytes, entry.mtime_ns, entry.inode)
        return row if same else None


def _has_path(row: Row) -> bool:
    """Whether it is about a file: another program may have put anything there."""
    return isinstance(row[0], bytes)
