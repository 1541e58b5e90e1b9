"""A save that goes on while somebody looks: its ranks' files grow, and some may stand still."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.demo.scenarios.saves import Save, length, put, write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_TICK_SECONDS = 0.5
_AWAY = 0.08
"""Ranks differ in speed by up to this share."""


class LiveSave(NamedTuple):
    """One save in flight. Times are seconds since the epoch.

    Attributes:
        run: The run's directory.
        save: What it will hold.
        began: When it began.
        seconds: How long an undisturbed rank writes.
        stalled: Rank → (the share that it wrote, when it wrote last).
        committed: Called with the time of the commit, which comes when all ranks are done.
    """

    run: Path
    save: Save
    began: float
    seconds: float
    stalled: Mapping[int, tuple[float, float]]
    committed: Callable[[float], None] | None = None

    def write_until(self, at: float) -> bool:
        """Brings all files to where they are at a moment; says whether the save is committed."""
        directory = self.run / self.save.name
        for path, content in self.save.first.items():
            if not (directory / path).exists():
                write_file(directory / path, content, self.began)
        whole = [self._grow(directory / path, rank, at) for rank, path in enumerate(self.save.data)]
        if not all(whole):
            return False
        for path, content in self.save.last.items():
            partial = directory / f"{path}.tmp"
            write_file(partial, content, at)
            partial.replace(directory / path)
        if self.committed is not None:
            self.committed(at)
        return True

    def _grow(self, path: Path, rank: int, at: float) -> bool:
        """Writes on in one rank's file; says whether it is whole."""
        content = self.save.data[path.name]
        size_bytes = length(content)
        share, moved = self._share(rank, at)
        wanted = int(size_bytes * share)
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            written = os.fstat(descriptor).st_size
            if written < wanted:
                put(descriptor, content, written, wanted)
                os.utime(descriptor, (moved, moved))
        finally:
            os.close(descriptor)
        return wanted >= size_bytes

    def _share(self, rank: int, at: float) -> tuple[float, float]:
        """How much of its file a rank has written, and when it wrote last."""
        if rank in self.stalled:
            return self.stalled[rank]
        slower = 1.0 + _AWAY * ((rank * 13) % 17) / 17
        ends = self.began + self.seconds * slower
        return (1.0, ends) if at >= ends else ((at - self.began) / (ends - self.began), at)


class LiveWriter:
    """Lets a save grow by the clock on the wall, on a thread of its own, until it is stopped.

    Args:
        live: The save in flight.
        following: Gives the save that comes after a committed one, which may begin in the future.
    """

    def __init__(self, live: LiveSave, following: Callable[[LiveSave], LiveSave]) -> None:
        self._live = live
        self._following = following
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> LiveWriter:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(_TICK_SECONDS):
            now = time.time()
            if now >= self._live.began and self._live.write_until(now):
                self._live = self._following(self._live)
