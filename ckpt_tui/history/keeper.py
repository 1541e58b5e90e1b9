"""Keeps the history of what the dashboard watches, on a thread of its own.

A state directory can hang or be full: neither the screen nor the watching waits for it, and a
failure is one remark.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ckpt_tui.history.database import HistoryError
from ckpt_tui.history.saves import history_key, saves_of
from ckpt_tui.newest import Newest

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.history.database import History
    from ckpt_tui.history.saves import ObservedSave


class HistoryKeeper:
    """Writes down the saves of runs that changed; only the newest snapshot waits.

    Args:
        history: Where to.
        on_failure: Called on the keeper's thread when the first of several failures came.
    """

    def __init__(self, history: History, on_failure: Callable[[], None]) -> None:
        self._history = history
        self._on_failure = on_failure
        self._kept: dict[str, tuple[ObservedSave, ...]] = {}
        self._newest: Newest[Snapshot] = Newest()
        self._problem = ""
        self._thread = threading.Thread(target=self._work, name="history", daemon=True)

    @property
    def remarks(self) -> tuple[tuple[str, str], ...]:
        """(path, reason) where the history cannot be written."""
        return ((self._history.path, self._problem),) if self._problem else ()

    def start(self) -> None:
        """Begins to write what is offered."""
        self._thread.start()

    def offer(self, snapshot: Snapshot) -> None:
        """Takes a new snapshot; never blocks."""
        self._newest.offer(snapshot)

    def stop(self, seconds: float) -> None:
        """Ends after what was offered last is written, or after so many seconds."""
        self._newest.close()
        self._thread.join(seconds)

    def _work(self) -> None:
        while (snapshot := self._newest.take()) is not None:
            self.keep(snapshot)

    def keep(self, snapshot: Snapshot) -> None:
        """Writes the runs whose saves differ from what was written last."""
        for run in snapshot.runs:
            key, saves = history_key(run), saves_of(run.checkpoints)
            if self._kept.get(key) == saves:
                continue
            try:
                self._history.keep(key, saves)
            except HistoryError as error:
                self._fail(str(error))
                return
            self._kept[key] = saves
        self._problem = ""

    def _fail(self, problem: str) -> None:
        first, self._problem = not self._problem, problem
        if first:
            self._on_failure()
