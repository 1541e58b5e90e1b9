"""A player in the place of the watching, and of the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.recording.player import Player
    from ckpt_tui.recording.told import RecordedStatus

REPLAY_MODE = "replay"


class ReplayClock:
    """The time of the moment that is shown: ages count from there."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def wall(self) -> float:
        """Seconds since the epoch."""
        return self._player.wall

    def monotonic(self) -> float:
        """Seconds of the recorder's clock."""
        return self._player.monotonic


class ReplayFeed:
    """Hands out what the player shows; nothing is watched."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def snapshot(self) -> Snapshot:
        """The picture of the frame that is shown."""
        return self._player.shown.snapshot

    def status(self) -> RecordedStatus:
        """How the watching went then; between two frames there was nothing new to see."""
        shown = self._player.shown
        status = shown.status._replace(mode=REPLAY_MODE)
        last = status.last_look_monotonic
        if last is None:
            return status
        return status._replace(last_look_monotonic=last + self._player.monotonic - shown.monotonic)

    def refresh(self) -> None:
        """Does nothing: what is recorded does not change."""

    def ask_world_size(self, world_size: int | None) -> None:
        """Does nothing: verdicts are as they were recorded."""

    def start(self, on_change: Callable[[object], None]) -> None:
        """Does nothing: who moves the player knows when another frame is shown."""

    def stop(self) -> None:
        """Closes the recording."""
        self._player.tape.close()
