"""What keys may hold that are lists: words, and the keys of an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.config.mistakes import nearest
from ckpt_tui.config.rules import LONGEST_NAME, PartError, Schema
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.config.settings import Value

MOST_NAMES = 1000
MOST_KEYS = 10


class Words(NamedTuple):
    """A list of words, each once.

    Attributes:
        known: What a word may be; empty for any.
        signed: Whether a `-` may stand before a word.
        least: The fewest words.
        needed: Words of which none may be missing.
    """

    known: tuple[str, ...] = ()
    signed: bool = False
    least: int = 0
    needed: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """In words."""
        if not self.known:
            return say("a list of strings of 1 to {most} characters", most=LONGEST_NAME)
        what = say("a list of {words}", words=", ".join(self.known))
        what += say(", each with - before it or not") if self.signed else ""
        needed = ", ".join(self.needed)
        return what + (say(", {words} among them", words=needed) if needed else "")

    def take(self, value: object) -> Value:
        """See `Rule`."""
        if not isinstance(value, list) or not self.least <= len(value) <= MOST_NAMES:
            raise ValueError
        words = [self._word(word) for word in value]
        if not set(self.needed) <= set(words):
            raise ValueError
        bare = [word.removeprefix("-") if self.signed else word for word in words]
        if self.known and len(set(bare)) < len(bare):
            raise PartError(say("it names one of them twice"))
        return tuple(dict.fromkeys(words))

    def _word(self, value: object) -> str:
        word = value.strip() if isinstance(value, str) else ""
        if not 0 < len(word) <= LONGEST_NAME:
            raise ValueError
        bare = word.removeprefix("-") if self.signed else word
        if self.known and bare not in self.known:
            hint = nearest(bare, self.known)
            raise PartError(say("{word} is none: {hint}", word=f"{word!r:.80}", hint=hint))
        return word

    def read(self, text: str) -> Value:
        """See `Rule`."""
        return self.take([word for word in text.split(",") if word.strip()])

    def json_schema(self) -> Schema:
        """See `Rule`."""
        item: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
        if self.known:
            signs = ("", "-") if self.signed else ("",)
            item = {"enum": [f"{sign}{word}" for word in self.known for sign in signs]}
        least = {"minItems": self.least} if self.least else {}
        return {"type": "array", "items": item, **least, "maxItems": MOST_NAMES}


class KeyNames(NamedTuple):
    """Keys of an action; which names there are only the dashboard knows."""

    @property
    def wanted(self) -> str:
        """In words."""
        return say('a key such as "x", "ctrl+x" or "f2", or a list of up to 10')

    def take(self, value: object) -> Value:
        """See `Rule`."""
        keys = value if isinstance(value, list) else [value]
        if not 0 < len(keys) <= MOST_KEYS:
            raise ValueError
        if not all(isinstance(key, str) and 0 < len(key) <= LONGEST_NAME for key in keys):
            raise ValueError
        return tuple(dict.fromkeys(keys))

    def read(self, text: str) -> Value:
        """See `Rule`."""
        return self.take([text])

    def json_schema(self) -> Schema:
        """See `Rule`."""
        one: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
        many: Schema = {"type": "array", "items": one, "minItems": 1, "maxItems": MOST_KEYS}
        return {"anyOf": [one, many]}
