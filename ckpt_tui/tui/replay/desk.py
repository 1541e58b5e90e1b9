"""The event log of a replay: what the recorder saw happen, with the times of then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.values import Event, EventKind, RunName
from ckpt_tui.tui.alarm_desk import MOST_EVENTS, AlarmDesk

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.alerts.settings import AlertSettings
    from ckpt_tui.core.alarms.values import Alarm
    from ckpt_tui.core.clock import Clock
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.status import Status
    from ckpt_tui.recording.index import Index, TapeEvent
    from ckpt_tui.recording.player import Player

_Key = tuple[str, str, str]


class ReplayDesk(AlarmDesk):
    """Judges which alarms hold at the moment that is shown; the recording says since when.

    Whoever jumps has not seen what happened between: the log is read from the recording. A desk
    goes forward only.

    Args:
        player: Where in the recording one is.
        settings: Limits, and whom to tell.
        root: Absolute path that was watched.
        clock: The time of the moment that is shown.
        to_terminal: Sends a bell or an escape sequence.
    """

    def __init__(
        self,
        player: Player,
        settings: AlertSettings,
        root: str,
        clock: Clock,
        to_terminal: Callable[[str], None],
    ) -> None:
        super().__init__(settings, root, clock, to_terminal)
        self._player = player
        self._raised_at: dict[_Key, float] = {}
        self._taken = 0

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened up to the frame that is shown, the newest first."""
        index = self._player.tape.index
        until = index.events_until(self._player.frame)
        newest = index.events[max(0, until - MOST_EVENTS) : until]
        return tuple(_event(index, told) for told in reversed(newest))

    def take(self, snapshot: Snapshot, status: Status) -> None:
        """Takes the picture of the moment that is shown in."""
        super().take(snapshot, status)
        self._follow()
        self.alarms = tuple(map(self._dated, self.alarms))

    def _follow(self) -> None:
        """Notes when the alarms were raised that came since the last moment."""
        index = self._player.tape.index
        until = index.events_until(self._player.frame)
        for told in index.events[self._taken : until]:
            event = told.event
            key = (event.code, event.run, event.checkpoint)
            if event.kind is EventKind.RAISED:
                self._raised_at[key] = index.wall_of(told.frame)
            elif event.kind is EventKind.CLEARED:
                self._raised_at.pop(key, None)
        self._taken = max(self._taken, until)

    def _dated(self, alarm: Alarm) -> Alarm:
        """The run is recorded only where there were several."""
        for run in (alarm.run.name, ""):
            since = self._raised_at.get((alarm.code.value, run, alarm.checkpoint))
            if since is not None:
                return alarm._replace(since=since)
        return alarm


def _event(index: Index, told: TapeEvent) -> Event:
    event = told.event
    return Event(
        index.wall_of(told.frame),
        event.kind,
        event.code,
        event.level,
        event.message,
        RunName(name=event.run),
        event.checkpoint,
        event.first,
        event.lasted_seconds,
    )
