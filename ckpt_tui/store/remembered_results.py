"""The user's remembered results of `verify`, as the store asks for them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.verify.place import results_path, stamp_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.verify.place import ResultsStamp
    from ckpt_tui.verify.results import Verified
    from ckpt_tui.verify.rows import Row

_TICK_SECONDS = 1.0
"""Two writes so close to each other may leave the same time and size."""


class RememberedResults:
    """A `ckpt_tui.store.ports.ResultsSource`: one stat where nothing was written, else one query.

    What cannot be kept in the database counts as long as this process runs.

    Args:
        path: The database; "" for none.

    Attributes:
        problem: Why results cannot be used, or "". Those that were read before still count.
    """

    def __init__(self, path: str) -> None:
        self.problem = ""
        self._path = path
        self._read: ResultsStamp | None = None
        self._settled = True
        self._known: Sequence[Row] = ()
        self._own: dict[bytes, Row] = {}

    @property
    def remarks(self) -> tuple[tuple[str, str], ...]:
        """(path, reason) where the database cannot be used."""
        return ((self._path, self.problem),) if self.problem else ()

    def changed(self) -> bool:
        """Whether there may be others than `below` gave last."""
        return not self._settled or self._stamp() != self._read

    def below(self, root: str) -> Sequence[Row]:
        """All results at a path without links, and below it."""
        stamp = self._stamp()
        self._settled = stamp is None or time.time() - stamp.mtime_ns / 1e9 > _TICK_SECONDS
        own = tuple(self._own.values())
        found = _read(self._path, root) if stamp is not None else ()
        if isinstance(found, str):  # what was read before still counts
            self.problem, self._settled = found, False
        else:
            self.problem, self._read, self._known = "", stamp, found
        return (*self._known, *own)

    def _stamp(self) -> ResultsStamp | None:
        return stamp_of(self._path) if self._path else None

    def keep(self, verified: Verified) -> str:
        """Takes in what was found; any thread may call it.

        Returns:
            Why it will be forgotten with this process, or ""; "" also where that was asked for.
        """
        from ckpt_tui.verify.remembered import remember  # as late as what reads it

        problem = remember(verified, self._path)
        if problem or not self._path:
            from ckpt_tui.verify.rows import rows_of

            self._own = self._own | {row[0]: row for row in rows_of(verified, time.time())}
            self._settled = False
        return problem


def users_remembered() -> RememberedResults:
    """Those of this user; none where they are switched off."""
    return RememberedResults(results_path())


def _read(path: str, root: str) -> Sequence[Row] | str:
    """What is remembered, or why that cannot be told."""
    from ckpt_tui.verify.remembered import Results, ResultsError  # only where there is a database

    try:
        return Results(path).below(root)
    except ResultsError as error:
        return str(error)
