"""Where the dashboard's alarms come together: judged, written into the log, carried outside."""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING

from ckpt_tui.alerts.courier import Courier
from ckpt_tui.alerts.message import said_title_and_text
from ckpt_tui.alerts.terminal import BELL, notification
from ckpt_tui.core.alarms.look_out import NOTHING_REMEMBERED, look_out
from ckpt_tui.core.alarms.sight import Sight
from ckpt_tui.core.alarms.values import (
    NO_RUN,
    Alarm,
    AlarmCode,
    AlarmLevel,
    Event,
    EventCode,
    EventKind,
    loudest_first,
)
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ckpt_tui.alerts.settings import AlertSettings
    from ckpt_tui.core.clock import Clock
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.status import Status

MOST_EVENTS = 2000
LAST_DELIVERY_SECONDS = 1.0
MOST_NOTIFICATIONS = 3
"""Of what comes in one moment the terminal is asked to show no more."""


class AlarmDesk:
    """Takes each picture in, and keeps the newest events in memory.

    Args:
        settings: Limits, and whom to tell.
        root: Absolute path that is watched.
        clock: The time.
        to_terminal: Sends a bell or an escape sequence.
    """

    def __init__(
        self,
        settings: AlertSettings,
        root: str,
        clock: Clock,
        to_terminal: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._to_terminal = to_terminal
        self._memory = NOTHING_REMEMBERED
        self._events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self._courier = Courier(settings, root) if settings.carries else None
        self.alarms: tuple[Alarm, ...] = ()

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, the newest first."""
        return tuple(reversed(self._events))

    def start(self) -> None:
        """Begins to carry alarms outside."""
        if self._courier is not None:
            self._courier.start()

    def stop(self) -> None:
        """Ends, with a moment for what waits to be carried."""
        if self._courier is not None:
            self._courier.stop(LAST_DELIVERY_SECONDS)

    def take(self, snapshot: Snapshot, status: Status) -> None:
        """Takes the picture of this moment in; never blocks."""
        sight = Sight.of(snapshot, status, self._clock.wall(), self._clock.monotonic())
        outlook = look_out(self._memory, sight, self._settings.limits)
        self._memory, self.alarms = outlook.memory, outlook.alarms
        self._events.extend(outlook.events)
        self._carry([event for event in outlook.events if self._is_news(event)])
        self._tell_failures(sight.wall)

    def _is_news(self, event: Event) -> bool:
        """Whether it leaves the screen: alarms only, and not what stood there before."""
        loud = event.level.loudness >= self._settings.level.loudness
        return loud and not event.first and event.kind is not EventKind.HAPPENED

    def _carry(self, news: Iterable[Event]) -> None:
        raised = []
        for event in news:
            if self._courier is not None:
                self._courier.offer(event)
            if event.kind is not EventKind.CLEARED:
                raised.append(event)
        if self._settings.bell and raised:
            self._to_terminal(BELL)
        if self._settings.notify:
            for event in raised[:MOST_NOTIFICATIONS]:
                self._to_terminal(notification(*said_title_and_text(event), os.environ))

    def _tell_failures(self, wall: float) -> None:
        """What could not be carried is an alarm that stays on the screen."""
        if self._courier is None:
            return
        for report in self._courier.reports():
            message = f"{report.way}: {report.reason}"
            kind, level = EventKind.HAPPENED, AlarmLevel.WARNING
            self._events.append(Event(wall, kind, EventCode.DELIVERY_FAILED, level, message))
        if self._courier.failing:
            code = AlarmCode.DELIVERY_FAILING
            reasons = say_sentence(self._courier.failing)
            message = say("alarms do not get through: {reasons}", reasons=reasons)
            failing = Alarm(code, AlarmLevel.WARNING, message, NO_RUN, "", wall)
            self.alarms = loudest_first([*self.alarms, failing])
