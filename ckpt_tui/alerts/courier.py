"""Carries events to the program and the web address, one after the other, on its own thread."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.alerts.command import LOOK_SECONDS, run_command
from ckpt_tui.alerts.message import environment, json_body
from ckpt_tui.alerts.webhook import Webhook
from ckpt_tui.core.alarms.values import AlarmLevel
from ckpt_tui.core.text import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.alerts.settings import AlertSettings
    from ckpt_tui.core.alarms.values import Event

MOST_WAITING = 20
MOST_A_MINUTE = 10
"""Of critical ones there may be as many more."""
_MINUTE = 60.0


class Report(NamedTuple):
    """What could not be delivered.

    Attributes:
        way: "command" or "webhook".
        reason: Why, in one line.
    """

    way: str
    reason: str


class Courier:
    """A bounded queue and a daemon thread that empties it.

    Args:
        settings: Whom to tell.
        root: Absolute path that is watched.
        clock: Monotonic seconds.
    """

    def __init__(
        self, settings: AlertSettings, root: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._root = root
        self._clock = clock
        self._waiting: deque[Event] = deque()
        self._begun: deque[float] = deque(maxlen=2 * MOST_A_MINUTE)
        self._left_out = 0
        self._failing: dict[str, str] = {}
        self._reports: deque[Report] = deque(maxlen=MOST_WAITING)
        self._stopping = False
        self._given_up = threading.Event()
        self._wake = threading.Condition()
        timeout = settings.timeout_seconds
        self._webhook = Webhook(settings.webhook, timeout) if settings.webhook else None
        self._thread = threading.Thread(target=self._work, name="alarms", daemon=True)

    def start(self) -> None:
        """Begins to deliver what is offered."""
        self._thread.start()

    def offer(self, event: Event) -> None:
        """Takes an event; never blocks. What is too much at once or in a minute is left out."""
        with self._wake:
            now = self._clock()
            lately = sum(now - began < _MINUTE for began in self._begun)
            most = MOST_A_MINUTE * (2 if event.level is AlarmLevel.CRITICAL else 1)
            if lately >= most or len(self._waiting) >= MOST_WAITING:
                self._left_out += 1
                return
            self._begun.append(now)
            self._waiting.append(event)
            self._wake.notify()

    def reports(self) -> tuple[Report, ...]:
        """What failed since the last call; never blocks."""
        with self._wake:
            told = list(self._reports)
            self._reports.clear()
            if self._left_out:
                count = plural(self._left_out, "alarm")
                told.append(Report("rate limit", f"{count} left out: too many in a minute"))
                self._left_out = 0
        return tuple(told)

    @property
    def failing(self) -> str:
        """Why the last delivery failed; "" where none was tried, or it reached whom it should."""
        return "; ".join(f"{way}: {why}" for way, why in tuple(self._failing.items()))

    def stop(self, seconds: float) -> None:
        """Ends after what waits is delivered; after so many seconds what still runs is killed."""
        with self._wake:
            self._stopping = True
            self._wake.notify()
        if self._thread.is_alive():
            self._thread.join(seconds)
            self._given_up.set()
            self._thread.join(4 * LOOK_SECONDS)

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._stopping or bool(self._waiting))
                if not self._waiting or self._given_up.is_set():
                    return
                event = self._waiting.popleft()
            failed = self._deliver(event)
            with self._wake:
                self._failing = {report.way: report.reason for report in failed}
                self._reports.extend(failed)

    def _deliver(self, event: Event) -> list[Report]:
        body = json_body(event, self._root)
        tried = []
        if self._settings.command:
            variables = environment(event, self._root)
            reason = run_command(
                self._settings.command,
                body,
                variables,
                self._settings.timeout_seconds,
                self._given_up,
            )
            tried.append(Report("command", reason))
        if self._webhook is not None:
            tried.append(Report("webhook", self._webhook.post(body)))
        return [report for report in tried if report.reason]
