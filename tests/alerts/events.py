"""Events to carry."""

from __future__ import annotations

from ckpt_tui.core.alarms.values import AlarmLevel, Event, EventKind, RunName

RUN = RunName("/mnt/x/llama", "torch-dcp", "llama")
EVENT = Event(
    1_767_265_200.0,
    EventKind.RAISED,
    "nothing-to-resume",
    AlarmLevel.CRITICAL,
    "nothing to resume from",
    RUN,
    "/mnt/x/llama/step-10",
)
HOSTILE = EVENT._replace(
    message="a\x1b]0;pwned\x07\nb;c\udcff\x9c" + "x" * 9000,
    run=RunName("/mnt/\n\udcff", "torch-dcp", "\x1b[2J;name"),
    checkpoint="/mnt/\n\udcff/step-10",
)
