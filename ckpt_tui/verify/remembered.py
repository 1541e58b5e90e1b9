"""Results of `verify` that are remembered in the user's cache, file by file.

A result counts for a file of the same path, size, time of writing and number, and for no other:
whoever asks compares them with what the system says now. The database can be deleted at any time.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.fs.own_database import FAILURES, OwnDatabase, rows_below, why_unusable
from ckpt_tui.verify.place import SWITCH, results_path
from ckpt_tui.verify.rows import rows_of

if TYPE_CHECKING:
    from ckpt_tui.verify.results import Verified
    from ckpt_tui.verify.rows import Row

FORM = 1
MOST_FILES = 500_000
MOST_BYTES = 256 * 1024 * 1024
_TABLE = """
CREATE TABLE result (
    path BLOB PRIMARY KEY,
    size_bytes INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    at REAL NOT NULL,
    checked_bytes INTEGER NOT NULL,
    method TEXT NOT NULL,
    ok INTEGER,
    message TEXT NOT NULL,
    faults TEXT NOT NULL,
    fault_count INTEGER NOT NULL,
    scanned_bytes INTEGER,
    non_finite TEXT NOT NULL
) WITHOUT ROWID
"""
# A look at the checksums alone says nothing about NaN: the scan of the same bytes still holds.
_INSERT = """
INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (path) DO UPDATE SET
    non_finite = CASE
        WHEN excluded.scanned_bytes IS NULL AND size_bytes = excluded.size_bytes
            AND mtime_ns = excluded.mtime_ns AND inode = excluded.inode
        THEN non_finite ELSE excluded.non_finite END,
    scanned_bytes = CASE
        WHEN excluded.scanned_bytes IS NULL AND size_bytes = excluded.size_bytes
            AND mtime_ns = excluded.mtime_ns AND inode = excluded.inode
        THEN scanned_bytes ELSE excluded.scanned_bytes END,
    size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
    at = excluded.at, checked_bytes = excluded.checked_bytes, method = excluded.method,
    ok = excluded.ok, message = excluded.message, faults = excluded.faults,
    fault_count = excluded.fault_count
"""
_SELECT = "SELECT * FROM result WHERE path = :root OR path >= :first AND path < :end"
_OLDEST = """
DELETE FROM result WHERE path IN (
    SELECT path FROM result ORDER BY at LIMIT max(0, (SELECT count(*) FROM result) - ?)
)
"""
_OLDER_HALF = """
DELETE FROM result WHERE path IN (
    SELECT path FROM result ORDER BY at LIMIT (SELECT (count(*) + 1) / 2 FROM result)
)
"""


class ResultsError(Exception):
    """The database cannot be used; the message names it, the reason and the remedy."""


class Results:
    """The database of results. Any thread and any process may use it.

    Args:
        path: Absolute path; the file and its directory are made on the first write.
        most_files: Results of so many files are kept, those that were found last.
        most_bytes: Of a larger database the older half goes.
    """

    def __init__(
        self, path: str, most_files: int = MOST_FILES, most_bytes: int = MOST_BYTES
    ) -> None:
        self.path = path
        self._most_files = most_files
        self._most_bytes = most_bytes
        self._file = OwnDatabase(path, FORM, {"result": _TABLE}, most_bytes)

    def below(self, root: str) -> list[Row]:
        """What is remembered of a file, or of all files below a directory; nothing is checked.

        Args:
            root: Absolute path without links.

        Raises:
            ResultsError: The database cannot be read; one of another version holds nothing.
        """
        try:
            with self._file.reading() as connection:
                if connection is None:
                    return []
                return connection.execute(_SELECT, rows_below(root)).fetchall()
        except FAILURES as error:
            raise self._unusable(error) from error

    def keep(self, verified: Verified, at: float) -> None:
        """Adds what was found, in place of earlier results of the same files.

        What nobody could read says nothing, and leaves what was found before.

        Args:
            verified: What was found.
            at: When, in seconds since the epoch.

        Raises:
            ResultsError: The database cannot be written.
        """
        try:
            with self._file.writing() as connection, connection:
                connection.executemany(_INSERT, rows_of(verified, at))
                connection.execute(_OLDEST, (self._most_files,))
            if self._file.size_bytes() > self._most_bytes:
                self._shrink()
        except FAILURES as error:
            raise self._unusable(error) from error

    def _shrink(self) -> None:
        with self._file.writing() as connection:
            with connection:
                connection.execute(_OLDER_HALF)
            connection.execute("VACUUM")

    def _unusable(self, error: Exception) -> ResultsError:
        reason, remedy = why_unusable(error, f"delete it, or switch it off with {SWITCH}=0")
        return ResultsError(
            f"{self.path}: remembered results of verify cannot be used: {reason}; {remedy}"
        )


def remember(verified: Verified, path: str | None = None) -> str:
    """Keeps results for `check`, `latest`, `show` and the dashboard.

    Args:
        verified: What was found just now.
        path: The database; None for the user's own, "" for none.

    Returns:
        Why they could not be kept; "" where they are, or where that is switched off.
    """
    place = results_path() if path is None else path
    try:
        if place and verified.files:
            Results(place).keep(verified, time.time())
    except ResultsError as error:
        return str(error)
    return ""
