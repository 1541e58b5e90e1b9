"""SQLite files of the program's own in the user's cache: safe to delete, of use to nobody else."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_WAIT_SECONDS = 1.0
FAILURES = (OSError, sqlite3.Error, TypeError, ValueError)
"""What opening or using one may raise: another program may have put anything into it."""


class OwnDatabase(NamedTuple):
    """One file. It is opened anew each time: any thread and any process may use it.

    Attributes:
        path: Absolute path; file and directory are made on the first write.
        form: Version of tables and values; a file of another one is emptied by the next write.
        tables: Name → the statement that makes it.
        most_bytes: A file of more than twice that is not opened.
    """

    path: str
    form: int
    tables: Mapping[str, str]
    most_bytes: int

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The file with its tables, made where it is not there.

        Raises:
            OSError: It is no regular file of this user alone, or too large.
            sqlite3.Error: It is damaged, of another program, or being written for long.
        """
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        os.close(os.open(self.path, flags, 0o600))
        with self._opened() as connection:
            self._prepare(connection)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection | None]:
        """The file as it is, which is not changed; None where it is of another form.

        Raises:
            OSError: As above, or it is not there.
            sqlite3.Error: As above.
        """
        with self._opened() as connection:
            connection.execute("PRAGMA query_only = 1")
            yield connection if self._form_of(connection) == self.form else None

    def size_bytes(self) -> int:
        """Size of the file; 0 where there is none."""
        try:
            return os.lstat(self.path).st_size
        except OSError:
            return 0

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        self._check_owner()
        quoted = self.path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        place = f"file:{quoted}?mode=rw"  # what is gone by now is not made anew
        with closing(sqlite3.connect(place, timeout=_WAIT_SECONDS, uri=True)) as connection:
            yield connection

    def _check_owner(self) -> None:
        info = os.lstat(self.path)
        if not stat.S_ISREG(info.st_mode):
            raise OSError("it is no regular file")
        if info.st_uid != os.geteuid() or info.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise OSError("another user may write it")
        if info.st_size > 2 * self.most_bytes:
            raise OSError(f"it has {info.st_size} bytes, more than twice what is kept")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Makes the tables where there are none, and empties a database of another form."""
        if self._form_of(connection) == self.form:
            return
        connection.execute("BEGIN IMMEDIATE")
        if self._form_of(connection) == self.form:  # another process was quicker
            connection.rollback()
            return
        listed = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in listed.fetchall()]
        if not set(names) <= self.tables.keys():
            raise sqlite3.DatabaseError("it holds tables of another program")
        for name in names:
            connection.execute(f"DROP TABLE {name}")
        for statement in self.tables.values():
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {self.form}")
        connection.commit()

    @staticmethod
    def _form_of(connection: sqlite3.Connection) -> object:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def why_unusable(error: Exception, remedy: str) -> tuple[str, str]:
    """(reason, remedy) of a file that cannot be used; `remedy` where waiting is none."""
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
        remedy = "another process is writing it"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return reason, remedy


def rows_below(root: str) -> dict[str, bytes]:
    """Values for `path = :root OR path >= :first AND path < :end`: a path and all below it.

    Paths are bytes of the file system; `/` is followed by `0`.
    """
    path = os.fsencode(root)
    bare = path.rstrip(b"/")
    return {"root": path, "first": bare + b"/", "end": bare + b"0"}
