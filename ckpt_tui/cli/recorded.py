"""A live feed whose pictures are recorded while it is watched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.printable import printable
from ckpt_tui.recording.output import check_place
from ckpt_tui.recording.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.status import Status
    from ckpt_tui.tui.ports import Feed

_LAST_WRITE_SECONDS = 5.0


class RecordedFeed:
    """Hands on what a feed shows, and offers it to a recorder.

    Args:
        feed: What is watched.
        path: The recording.
        directory: The watched directory, into which nothing is written.

    Raises:
        RecordingError: The file lies there, or cannot be written.
    """

    def __init__(self, feed: Feed, path: str, directory: str) -> None:
        check_place(path, directory)
        self._feed = feed
        self._on_change: Callable[[object], None] | None = None
        self._recorder = Recorder(os.path.abspath(path), feed.status, self._failed)

    @property
    def problem(self) -> str:
        """Why recording ended; "" while it goes on."""
        return "; ".join(f"{printable(path)}: {why}" for path, why in self._recorder.remarks)

    def snapshot(self) -> Snapshot:
        """The newest picture; where recording ended, it says so."""
        picture = self._feed.snapshot()
        remarks = self._recorder.remarks
        return picture._replace(remarks=picture.remarks + remarks) if remarks else picture

    def status(self) -> Status:
        """How the watching goes."""
        return self._feed.status()

    def refresh(self) -> None:
        """Asks for a full look soon."""
        self._feed.refresh()

    def ask_world_size(self, world_size: int | None) -> None:
        """Asks for verdicts for a job of that size, soon."""
        self._feed.ask_world_size(world_size)

    def start(self, on_change: Callable[[object], None]) -> None:
        """Begins to watch and to record."""
        self._on_change = on_change
        self._recorder.start()
        self._feed.start(self._changed)

    def _changed(self, picture: object) -> None:
        self._recorder.offer(self._feed.snapshot())
        if self._on_change is not None:
            self._on_change(picture)

    def _failed(self) -> None:
        """The remark is seen with the next picture: there is one now."""
        if self._on_change is not None:
            self._on_change(self.snapshot())

    def stop(self) -> None:
        """Ends the watching, and the recording after what waits is written."""
        self._feed.stop()
        self._recorder.stop(_LAST_WRITE_SECONDS)
