"""What a key may hold: each rule takes a parsed value or a text, and says what it wants."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.config.settings import Value

LONGEST_NAME = 100
LONGEST_TEXT = 4000
LONGEST_SECONDS = 3.2e8  # ten years

Schema = dict[str, object]

_ON = frozenset({"1", "on", "true", "yes"})
_OFF = frozenset({"0", "off", "false", "no"})


class PartError(ValueError):
    """A value is not right, and its text says which part of it."""


class Rule(Protocol):
    """What one key may hold."""

    @property
    def wanted(self) -> str:
        """The same in words; completes "has to be …"."""

    def take(self, value: object) -> Value:
        """A value of a parsed file as the settings hold it.

        Raises:
            ValueError: It is not right; a `PartError` says which part of it.
        """

    def read(self, text: str) -> Value:
        """The same from the text of an environment variable.

        Raises:
            ValueError: It is not right.
        """

    def json_schema(self) -> Schema:
        """The same as a JSON Schema."""


class Switch(NamedTuple):
    """True or false."""

    @property
    def wanted(self) -> str:
        """In words."""
        return say("true or false")

    def take(self, value: object) -> Value:
        """See `Rule`."""
        if not isinstance(value, bool):
            raise ValueError
        return value

    def read(self, text: str) -> Value:
        """See `Rule`."""
        word = text.strip().lower()
        if word not in _ON | _OFF:
            raise ValueError
        return word in _ON

    def json_schema(self) -> Schema:
        """See `Rule`."""
        return {"type": "boolean"}


class Choice(NamedTuple):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def wanted(self) -> str:
        """In words."""
        return say("one of {words}", words=", ".join(self.words))

    def take(self, value: object) -> Value:
        """See `Rule`."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError
        return value

    def read(self, text: str) -> Value:
        """See `Rule`."""
        return self.take(text.strip())

    def json_schema(self) -> Schema:
        """See `Rule`."""
        return {"enum": list(self.words)}


class Number(NamedTuple):
    """A number in a range; `whole` where it counts something."""

    least: float = 0.0
    most: float = math.inf
    whole: bool = False

    @property
    def wanted(self) -> str:
        """In words."""
        least, most = f"{self.least:,.10g}", f"{self.most:,.10g}"
        if not math.isfinite(self.most):
            return say(
                "a whole number from {least} on" if self.whole else "a number from {least} on",
                least=least,
            )
        return say(
            "a whole number from {least} to {most}"
            if self.whole
            else "a number from {least} to {most}",
            least=least,
            most=most,
        )

    def take(self, value: object) -> Value:
        """See `Rule`."""
        kinds = (int,) if self.whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            raise ValueError
        if not (self.least <= value <= self.most and value < math.inf):
            raise ValueError
        return value

    def read(self, text: str) -> Value:
        """See `Rule`."""
        return self.take(int(text) if self.whole else float(text))

    def json_schema(self) -> Schema:
        """See `Rule`."""
        upper = {"maximum": self.most} if math.isfinite(self.most) else {}
        return {"type": "integer" if self.whole else "number", "minimum": self.least, **upper}


class Seconds(NamedTuple):
    """A time: a number of seconds, or a text such as "90s" or "2h" as the options take it."""

    @property
    def wanted(self) -> str:
        """In words."""
        return say('a time such as "90s" or "2h", or a number of seconds')

    def take(self, value: object) -> Value:
        """See `Rule`."""
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        return self.read(value) if isinstance(value, str) else self._bounded(value)

    def read(self, text: str) -> Value:
        """See `Rule`."""
        from ckpt_tui.planner.units import parse_seconds

        return self._bounded(parse_seconds(text))

    def _bounded(self, seconds: float) -> float:
        if not 0 <= seconds <= LONGEST_SECONDS:
            raise ValueError
        return float(seconds)

    def json_schema(self) -> Schema:
        """See `Rule`."""
        return {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": LONGEST_SECONDS},
                {"type": "string", "maxLength": LONGEST_TEXT},
            ]
        }


class Text(NamedTuple):
    """A short text, such as a name that only the dashboard knows.

    Attributes:
        what: What it is, marked to be said later.
    """

    what: str

    @property
    def wanted(self) -> str:
        """In words."""
        return say(
            "{what}, a string of 1 to {most} characters", what=say(self.what), most=LONGEST_NAME
        )

    def take(self, value: object) -> Value:
        """See `Rule`."""
        if not isinstance(value, str) or not 0 < len(value.strip()) <= LONGEST_NAME:
            raise ValueError
        return value.strip()

    def read(self, text: str) -> Value:
        """See `Rule`."""
        return self.take(text)

    def json_schema(self) -> Schema:
        """See `Rule`."""
        return {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
