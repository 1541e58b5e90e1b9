"""The history's SQLite database: small, and of no use to anyone but its user."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.history.saves import ObservedSave, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_VERSION = 1
_WAIT_SECONDS = 2.0
_MOST_SAVES_PER_RUN = 10_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS save (
    run TEXT NOT NULL,
    name TEXT NOT NULL,
    step INTEGER NOT NULL,
    committed_at REAL NOT NULL,
    save_seconds REAL,
    size_bytes INTEGER NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (run, name, committed_at)
) WITHOUT ROWID;
"""
# What was watched is worth more than what file times say later.
_INSERT = """
INSERT INTO save VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET
    save_seconds = excluded.save_seconds, size_bytes = excluded.size_bytes, source = excluded.source
WHERE source != 'watched'
"""
_TRIM = """
DELETE FROM save WHERE run = ?1 AND committed_at < (
    SELECT min(committed_at) FROM (
        SELECT committed_at FROM save WHERE run = ?1 ORDER BY committed_at DESC LIMIT ?2
    )
)
"""


class HistoryError(Exception):
    """The database cannot be used; the message names it, the reason and the remedy."""


class RunSummary(NamedTuple):
    """What is kept of one run: how many saves, and the times of the first and the last."""

    run: str
    saves: int
    first_at: float
    last_at: float


class History:
    """Saves by run, kept between sessions.

    Each call opens the database anew, so that any thread, and any number of processes, may use it.

    Args:
        path: Absolute path of the database; it and its directory are made on the first write.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def keep(self, run: str, saves: Sequence[ObservedSave]) -> None:
        """Adds saves of a run; a save that is known keeps its better source.

        Raises:
            HistoryError: The database cannot be written.
        """
        if not saves:
            return
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            with closing(self._connect()) as connection, connection:
                rows = [_row(run, save) for save in saves]
                connection.executemany(_INSERT, rows)
                connection.execute(_TRIM, (_text(run), _MOST_SAVES_PER_RUN))
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error

    def saves(self, run: str) -> tuple[ObservedSave, ...]:
        """All saves of a run, oldest first; none where nothing was kept.

        Raises:
            HistoryError: The database cannot be read.
        """
        query = (
            "SELECT name, step, committed_at, save_seconds, size_bytes, source FROM save"
            " WHERE run = ? ORDER BY committed_at"
        )
        rows = self._read(query, (_text(run),))
        try:
            return tuple(_save(row) for row in rows)
        except (TypeError, ValueError) as error:
            raise self._unusable(error) from error

    def runs(self) -> tuple[RunSummary, ...]:
        """What is kept, by run.

        Raises:
            HistoryError: The database cannot be read.
        """
        query = (
            "SELECT run, count(*), min(committed_at), max(committed_at) FROM save"
            " GROUP BY run ORDER BY run"
        )
        return tuple(RunSummary(*row) for row in self._read(query, ()))

    def clear(self, run: str | None = None) -> int:
        """Forgets one run, or all; returns how many saves were forgotten.

        Raises:
            HistoryError: The database cannot be written.
        """
        if not os.path.exists(self.path):
            return 0
        try:
            with closing(self._connect()) as connection, connection:
                if run is None:
                    return connection.execute("DELETE FROM save").rowcount
                return connection.execute("DELETE FROM save WHERE run = ?", (_text(run),)).rowcount
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error

    def _read(self, query: str, values: Iterable[object]) -> list[Any]:
        if not os.path.exists(self.path):
            return []
        try:
            with closing(self._connect()) as connection:
                return connection.execute(query, tuple(values)).fetchall()
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_WAIT_SECONDS)
        try:
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                connection.executescript(
                    f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;"
                )
            elif version != _VERSION:
                raise sqlite3.DatabaseError(f"it is of version {version}, not {_VERSION}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _unusable(self, error: Exception) -> HistoryError:
        remedy = (
            "move the file away to begin anew, or switch the history off with CKPT_TUI_HISTORY=0"
        )
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
            remedy = "another process is writing it; try again"
        return HistoryError(f"{self.path}: the history cannot be used: {error}; {remedy}")


def _row(run: str, save: ObservedSave) -> tuple[object, ...]:
    return (_text(run), _text(save.name), *save[1:5], save.source.value)


def _save(row: tuple[Any, ...]) -> ObservedSave:
    """A row as a save; another program may have put anything into it."""
    name, step, committed_at, save_seconds, size_bytes, source = row
    seconds = None if save_seconds is None else float(save_seconds)
    return ObservedSave(
        str(name), int(step), float(committed_at), seconds, int(size_bytes), Source(source)
    )


def _text(path: str) -> str:
    """A path as SQLite can store it: bytes that are no UTF-8 are escaped."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
