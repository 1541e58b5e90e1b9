"""The table `alarms` of a configuration file: its keys, and what each may hold."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.alarms.values import AlarmLevel

if TYPE_CHECKING:
    from ckpt_tui.config.settings import AlarmValue

MOST_ARGUMENTS = 100
LONGEST_TEXT = 4000
LONGEST_SECONDS = 600.0


class Kind(StrEnum):
    """What a key holds."""

    SWITCH = "switch"
    LEVEL = "level"
    COMMAND = "command"
    ADDRESS = "address"
    NUMBER = "number"
    COUNT = "count"


class Rule(NamedTuple):
    """What one key may hold.

    Attributes:
        text: What it sets.
        least: The least number that it may be.
        most: The largest.
    """

    kind: Kind
    text: str
    least: float = 0.0
    most: float = math.inf

    @property
    def wanted(self) -> str:
        """The same in words."""
        return {
            Kind.SWITCH: "true or false",
            Kind.LEVEL: f"one of {', '.join(AlarmLevel)}",
            Kind.COMMAND: f"a list of 1 to {MOST_ARGUMENTS} strings, the first"
            " a program by its name alone or its absolute path",
            Kind.ADDRESS: "an address that begins with https:// or http://, without a user name",
            Kind.NUMBER: f"a number from {self.least:g}"
            + (f" to {self.most:g}" if math.isfinite(self.most) else " on"),
            Kind.COUNT: f"a whole number from {self.least:g} to {self.most:g}",
        }[self.kind]

    def allows(self, value: object) -> bool:
        """Whether a parsed value is right."""
        if self.kind is Kind.SWITCH:
            return isinstance(value, bool)
        if self.kind is Kind.LEVEL:
            return isinstance(value, str) and value in tuple(AlarmLevel)
        if self.kind is Kind.COMMAND:
            return _is_command(value)
        if self.kind is Kind.ADDRESS:
            return isinstance(value, str) and _is_address(value)
        whole = (int,) if self.kind is Kind.COUNT else (int, float)
        if isinstance(value, bool) or not isinstance(value, whole):
            return False
        return self.least <= value <= self.most and math.isfinite(value)

    def taken(self, value: object) -> AlarmValue:
        """A right value as the settings hold it.

        Raises:
            TypeError: It is of no kind that a key may hold.
        """
        if isinstance(value, list):
            return tuple(str(part) for part in value)
        if isinstance(value, bool | int | float | str):
            return value
        raise TypeError(f"{value!r:.80} is {type(value).__name__}")

    def json_schema(self) -> dict[str, object]:
        """The same as a JSON Schema."""
        numbers = {"minimum": self.least}
        if math.isfinite(self.most):
            numbers["maximum"] = self.most
        text = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
        shapes: dict[Kind, dict[str, object]] = {
            Kind.SWITCH: {"type": "boolean"},
            Kind.LEVEL: {"enum": list(AlarmLevel)},
            Kind.COMMAND: {
                "type": "array", "items": text, "minItems": 1, "maxItems": MOST_ARGUMENTS
            },
            Kind.ADDRESS: {"type": "string", "pattern": "^https?://[^/@]+(/|$)"},
            Kind.NUMBER: {"type": "number", **numbers},
            Kind.COUNT: {"type": "integer", **numbers},
        }  # fmt: skip
        return {**shapes[self.kind], "description": self.text}


def _is_command(value: object) -> bool:
    if not isinstance(value, list) or not 0 < len(value) <= MOST_ARGUMENTS:
        return False
    if not all(isinstance(part, str) and len(part) <= LONGEST_TEXT for part in value):
        return False
    # A path that is relative could mean a file of whoever writes where the dashboard was started.
    named = "/" not in value[0] or value[0].startswith("/")
    return bool(value[0]) and named and not any("\0" in part for part in value)


def _is_address(value: str) -> bool:
    from urllib.parse import urlsplit  # only where there is such a key

    if len(value) > LONGEST_TEXT or not value.isascii() or not value.isprintable() or " " in value:
        return False
    try:
        parts = urlsplit(value)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
        return known and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False


ALARM_KEYS = {
    "bell": Rule(Kind.SWITCH, "ring the terminal's bell when an alarm is raised"),
    "notify": Rule(Kind.SWITCH, "ask the terminal for a notification of the desktop"),
    "command": Rule(Kind.COMMAND, "program to run, without a shell; gets the event on stdin"),
    "webhook": Rule(Kind.ADDRESS, "where to post the event as JSON"),
    "level": Rule(Kind.LEVEL, "the least level that is told outside the screen"),
    "timeout_seconds": Rule(
        Kind.NUMBER, "time that the program and the post have", 0.1, LONGEST_SECONDS
    ),
    "min_good": Rule(Kind.COUNT, "good checkpoints that a run should have", 0, 1_000_000),
    "stalled_seconds": Rule(
        Kind.NUMBER, "a save in which nothing grew for so long is stalled", 1.0, 1e6
    ),
    "slow_factor": Rule(Kind.NUMBER, "a save that takes so many times the usual is slow", 1.1, 1e6),
    "late_intervals": Rule(
        Kind.NUMBER, "no save for so many usual intervals is too long", 1.1, 1e6
    ),
    "disk_saves": Rule(Kind.NUMBER, "room for fewer saves than this is too little", 1.0, 1e6),
}

OWN_FILE_ONLY = frozenset({"bell", "notify", "command", "webhook", "level", "timeout_seconds"})
"""Keys by which a program would run or something be sent: never from a file beside checkpoints."""


def alarms_json_schema() -> dict[str, object]:
    """The table as a JSON Schema."""
    return {
        "type": "object",
        "properties": {key: rule.json_schema() for key, rule in ALARM_KEYS.items()},
        "additionalProperties": False,
    }
