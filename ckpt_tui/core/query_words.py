"""The words that all filters share: quotes, `!`, and fields with a sign and a value."""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_WORD = re.compile(r'(?:[^\s"]|"[^"]*"?)+')
_FIELD = re.compile(r"([a-z]{2,})(>=|<=|[<>=:])(.*)", re.DOTALL)
EQUAL = ("=", ":")
SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    ":": operator.eq,
}
"""Sign → whether a value stands in that relation to a limit."""


class BadQueryError(ValueError):
    """A filter that cannot be understood; the message says which part and what it needs."""


class Word(NamedTuple):
    """One word of a filter, in lower case.

    Attributes:
        text: Without the `!` before it; quotes are still there.
        inverted: Whether an odd number of `!` turns it round.
    """

    text: str
    inverted: bool

    @property
    def sought(self) -> str:
        """The text without quotes."""
        return self.text.replace('"', "")

    @property
    def field(self) -> tuple[str, str, str] | None:
        """Name, sign and value without quotes; None for text, such as all that begins with one."""
        match = None if self.text.startswith('"') else _FIELD.fullmatch(self.text)
        return None if match is None else (match[1], match[2], match[3].replace('"', ""))


def words_in(text: str) -> Iterator[Word]:
    """The words between spaces, or in quotes; the last quote may still be open."""
    for word in _WORD.findall(text.lower()):
        bare = word.lstrip("!")
        yield Word(bare, (len(word) - len(bare)) % 2 == 1)


def unknown_field(name: str, sign: str) -> BadQueryError:
    """What to raise for a field that there is not."""
    text = say('there is no field {field}{sign} (in quotes it is text: "{field}{sign}")',
               field=name, sign=sign)  # fmt: skip
    return BadQueryError(text)


def needs_text(name: str, example: str) -> str:
    """What to say of a field whose value is missing, or of no use."""
    return say("{field} needs a value, such as {example}", field=name, example=example)
