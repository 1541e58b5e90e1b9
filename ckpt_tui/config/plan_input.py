"""One input of a plan, as options, files and variables give it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.config.rules import LONGEST_TEXT, Schema
from ckpt_tui.planner.fields import FIELDS
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.config.settings import Value

INTERVALS, MODE = "intervals", "mode"


class PlanInput(NamedTuple):
    """One input.

    Attributes:
        key: Its name in a file; the option's is the same with `-` for `_`.
        field: The field of `PlanInputs` that it sets; of the failure rate's names each is its own.
        text: What help says; said where it is shown, and so are `need` and `example`.
        need: What it must be; completes "need …".
        reader: Reads its text; raises `ValueError`.
        default: What holds without it, in the unit of its name; None where there is then nothing.
        example: What stands for `{example}` in `need`.
    """

    key: str
    field: str
    text: str
    need: str
    reader: Callable[[str], object]
    default: Value | None = None
    example: str = ""

    @property
    def flag(self) -> str:
        """The option of the command line."""
        return f"--{self.key.replace('_', '-')}"

    @property
    def wanted(self) -> str:
        """See `Rule`."""
        if self.example:
            return say(self.need, example=say(self.example))
        return say_sentence(say(self.need))

    @property
    def dest(self) -> str:
        """Where an option's value is put: the field, or the key where its text is read later."""
        return self.key if self.key == INTERVALS else self.field

    def take(self, value: object) -> Value:
        """See `Rule`: a number, a text as the option takes it, or for intervals a list of these."""
        parts = value if isinstance(value, list) and self.key == INTERVALS else [value]
        if any(isinstance(part, bool) or not isinstance(part, int | float | str) for part in parts):
            raise ValueError
        self.read(",".join(map(str, parts)))
        if isinstance(value, list):
            return tuple(map(str, parts))
        return value if isinstance(value, int | float) else str(value).strip()

    def read(self, text: str) -> Value:
        """See `Rule`; the text itself is kept, as if it stood behind the option."""
        if len(text) > LONGEST_TEXT:
            raise ValueError
        value = self.reader(text)
        spec = FIELDS.get(self.field)
        if spec is not None and self.key != INTERVALS and not spec.allows(value):
            raise ValueError
        return text.strip()

    def given(self, value: Value) -> object:
        """What the option would have put there, of a value that was taken or read."""
        return self.reader(",".join(value) if isinstance(value, tuple) else str(value))

    def json_schema(self) -> Schema:
        """See `Rule`."""
        one: list[Schema] = [
            {"type": "number", "minimum": 0},
            {"type": "string", "maxLength": LONGEST_TEXT},
        ]
        if self.key == INTERVALS:
            one.append({"type": "array", "items": {"anyOf": list(one)}, "minItems": 1})
        return {"anyOf": one}
