"""The cache's SQLite database: safe to delete, and of no use to anyone but its user."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cache.listing import FORM
from ckpt_tui.fs.own_database import FAILURES, OwnDatabase, rows_below, why_unusable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

MOST_BYTES = 256 * 1024 * 1024
"""Of the file; half of the rows go when it is larger, those that were used longest ago."""
KEPT_DAYS = 90
MOST_ROW_BYTES = 8 * 1024 * 1024

_TABLES = {
    "checkpoint": """
CREATE TABLE checkpoint (
    path BLOB PRIMARY KEY,
    terms BLOB NOT NULL,
    listing BLOB NOT NULL,
    facts BLOB NOT NULL,
    tensors BLOB NOT NULL,
    used_day INTEGER NOT NULL
)
""",
    "tensors": (
        "CREATE TABLE tensors (digest BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
    ),
}
_SELECT = """
SELECT path, listing, facts, tensors, used_day FROM checkpoint
WHERE (path = :root OR path >= :first AND path < :end)
    AND terms = :terms AND length(facts) <= :most
"""
_SELECT_TENSORS = """
SELECT digest, value FROM tensors WHERE length(value) <= :most AND digest IN (
    SELECT DISTINCT tensors FROM checkpoint
    WHERE (path = :root OR path >= :first AND path < :end) AND terms = :terms
)
"""
_ORPHANS = "DELETE FROM tensors WHERE digest NOT IN (SELECT tensors FROM checkpoint)"
_HALF = """
DELETE FROM checkpoint WHERE rowid IN (
    SELECT rowid FROM checkpoint ORDER BY used_day, rowid
    LIMIT (SELECT (count(*) + 1) / 2 FROM checkpoint)
)
"""


class CacheError(Exception):
    """The database cannot be used; the message names it, the reason and the remedy."""


class Row(NamedTuple):
    """One checkpoint as it is kept.

    Attributes:
        path: Absolute path, as bytes of the file system.
        listing: Digest of the claim and listing that the facts were read under.
        facts: Compressed, without their tensors.
        tensors: Key of the table of tensors; b"" where there is none.
        used_day: When it was of use last, in days since the epoch.
    """

    path: bytes
    listing: bytes
    facts: bytes
    tensors: bytes
    used_day: int


class Kept(NamedTuple):
    """What is kept below one directory: rows, and the tables of tensors that they share."""

    rows: tuple[Row, ...] = ()
    tensors: tuple[tuple[bytes, bytes], ...] = ()


class CacheDatabase:
    """Rows by path. Each call opens the database anew: any thread and process may use it.

    Args:
        path: Absolute path; the file and its directory are made on the first write.
        most_bytes: Size above which rows are thrown away.
    """

    def __init__(self, path: str, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self._most_bytes = most_bytes
        self._file = OwnDatabase(path, FORM, _TABLES, most_bytes)

    def below(self, root: str, terms: bytes) -> Kept:
        """All rows at a path or below it that were read by these terms.

        Raises:
            CacheError: The database cannot be read.
        """
        if not os.path.lexists(self.path):
            return Kept()
        values = rows_below(root) | {"terms": terms, "most": MOST_ROW_BYTES}
        with self._open() as connection:
            rows = tuple(map(Row._make, connection.execute(_SELECT, values)))
            tensors = tuple(connection.execute(_SELECT_TENSORS, values))
        return Kept(rows, tensors)

    def keep(self, kept: Kept, terms: bytes) -> None:
        """Adds rows, in place of older ones of the same paths.

        Args:
            kept: New rows, and the tables of tensors that they name.
            terms: What they were read by.

        Raises:
            CacheError: The database cannot be written.
        """
        rows = ((row.path, terms, *row[1:]) for row in kept.rows)
        self._change(
            ("INSERT OR IGNORE INTO tensors VALUES (?, ?)", kept.tensors),
            ("INSERT OR REPLACE INTO checkpoint VALUES (?, ?, ?, ?, ?, ?)", rows),
        )

    def used(self, paths: Iterable[bytes], day: int) -> None:
        """Says that rows are still of use.

        Raises:
            CacheError: The database cannot be written.
        """
        values = ((day, path) for path in paths)
        self._change(("UPDATE checkpoint SET used_day = ? WHERE path = ?", values))

    def trim(self, day: int) -> None:
        """Throws away what nobody used for long, and half of the rest where it is too large.

        Raises:
            CacheError: The database cannot be written.
        """
        self._change(
            ("DELETE FROM checkpoint WHERE used_day < ?", [(day - KEPT_DAYS,)]), (_ORPHANS, [()])
        )
        if self.size_bytes() > self._most_bytes:
            self._change((_HALF, [()]), (_ORPHANS, [()]))
            with self._open() as connection:
                connection.execute("VACUUM")

    def counts(self) -> tuple[tuple[bytes, int], ...]:
        """(directory, number of checkpoints kept in it), in the order of the directories.

        Raises:
            CacheError: The database cannot be read.
        """
        if not os.path.lexists(self.path):
            return ()
        counted: dict[bytes, int] = {}
        with self._open() as connection:
            for (path,) in connection.execute("SELECT path FROM checkpoint ORDER BY path"):
                place = os.path.dirname(bytes(path))
                counted[place] = counted.get(place, 0) + 1
        return tuple(sorted(counted.items()))

    def size_bytes(self) -> int:
        """Size of the file; 0 where there is none."""
        return self._file.size_bytes()

    def clear(self) -> None:
        """Deletes the file, whatever is in it; what a process has open it may still use.

        Raises:
            CacheError: It cannot be deleted.
        """
        for path in (self.path, f"{self.path}-journal"):
            try:
                os.unlink(path)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise self._unusable(error) from error

    def _change(self, *changes: tuple[str, Iterable[Sequence[object]]]) -> None:
        with self._open() as connection, connection:
            for statement, values in changes:
                connection.executemany(statement, values)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._file.writing() as connection:
                yield connection
        except FAILURES as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> CacheError:
        remedy = "delete it with `ckpt-tui cache clear`, or switch it off with CKPT_TUI_CACHE=0"
        reason, remedy = why_unusable(error, remedy)
        return CacheError(f"{self.path}: the cache cannot be used: {reason}; {remedy}")
