"""The table `alarms`: thresholds, and whom alarms reach, which only the user's own may set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.alerts.settings import QUIET
from ckpt_tui.config.alarm_rules import Address, Command
from ckpt_tui.config.key import Key
from ckpt_tui.config.rules import Choice, Number, Switch
from ckpt_tui.config.settings import ALARMS, VARIABLE_PREFIX
from ckpt_tui.core.alarms.sight import DEFAULT_LIMITS
from ckpt_tui.core.alarms.values import AlarmLevel

if TYPE_CHECKING:
    from ckpt_tui.config.rules import Rule
    from ckpt_tui.config.settings import Value

LONGEST_SECONDS = 600.0


def _reach(name: str, rule: Rule, text: str, default: Value | None) -> Key:
    """By it a program would run or something be sent: never from a file beside checkpoints."""
    return Key(ALARMS, name, rule, text, default, variable=_variable(name))


def _limit(name: str, rule: Rule, text: str, laxer: int) -> Key:
    default = DEFAULT_LIMITS._asdict()[name]
    return Key(
        ALARMS, name, rule, text, default, beside=True, laxer=laxer, variable=_variable(name)
    )


def _variable(name: str) -> str:
    return f"{VARIABLE_PREFIX}ALARMS_{name.upper()}"


_KEYS = (
    _reach("bell", Switch(), "ring the terminal's bell when an alarm is raised", QUIET.bell),
    _reach("notify", Switch(), "ask the terminal for a notification of the desktop", QUIET.notify),
    _reach(
        "command", Command(), "program to run, without a shell; gets the event on stdin", None
    )._replace(variable=""),
    _reach("webhook", Address(), "where to post the event as JSON", None),
    _reach(
        "level",
        Choice(tuple(AlarmLevel)),
        "the least level that is told outside the screen",
        QUIET.level.value,
    ),
    _reach(
        "timeout_seconds",
        Number(0.1, LONGEST_SECONDS),
        "time that the program and the post have",
        QUIET.timeout_seconds,
    ),
    _limit(
        "min_good",
        Number(0, 1_000_000, whole=True),
        "resumable checkpoints that a run should have",
        -1,
    ),
    _limit(
        "stalled_seconds",
        Number(1.0, 1e6),
        "a save in which nothing grew for so long is stalled",
        1,
    ),
    _limit("slow_factor", Number(1.1, 1e6), "a save that takes so many times the usual is slow", 1),
    _limit(
        "late_intervals", Number(1.1, 1e6), "no save for so many usual intervals is too long", 1
    ),
    _limit("disk_saves", Number(1.0, 1e6), "room for fewer saves than this is too little", -1),
)

ALARM_KEYS = {key.key: key for key in _KEYS}

OWN_FILE_ONLY = frozenset(key.key for key in _KEYS if not key.beside)
"""Keys that a file beside checkpoints may not set."""
