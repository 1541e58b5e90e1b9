"""Rows of a comparison as text, and how values are written in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ckpt_tui.core.document import utc_text
from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.comparing.checkpoints import FactChange

NONE = "–"
_Item = TypeVar("_Item")


class Row(NamedTuple):
    """Something that differs.

    Attributes:
        sign: `-` only in the first, `+` only in the second, `~` in both, and not alike.
        label: What it is.
        first: What the first has.
        second: What the second has.
        note: A sentence that belongs to it.
    """

    sign: str
    label: str
    first: str
    second: str
    note: str = ""


class Section(NamedTuple):
    """What differs in one respect.

    Attributes:
        rows: The first of them.
        total: How many there are; 0 where nobody counts them.
        more: Sentences that stand below the rows.
    """

    title: str
    rows: tuple[Row, ...] = ()
    total: int = 0
    more: tuple[str, ...] = ()


def section(
    title: str,
    items: Sequence[_Item],
    make: Callable[[_Item], Row],
    most: int,
    more: tuple[str, ...] = (),
) -> Section:
    """A section with at most so many rows."""
    return Section(title, tuple(make(item) for item in items[:most]), len(items), more)


def sign_of(first: object, second: object) -> str:
    """The sign of a row; None stands for what is not there."""
    if first is None:
        return "+"
    return "-" if second is None else "~"


_LABELS = {
    "state": later("state"),
    "commit": later("commit"),
    "resumable": later("resumable"),
    "step": later("step"),
    "written": later("written"),
    "size": later("size"),
    "files": later("files"),
    "took": later("save took"),
    "ranks": later("world size"),
    "shards": later("whole shards"),
    "format": later("format"),
}


_WORDS = ("state", "commit")
"""Facts whose values are words of the vocabulary."""


def fact_label(name: str) -> str:
    """What a fact is called."""
    return say(_LABELS[name])


def fact_row(fact: FactChange) -> Row:
    """A fact with its values in both."""
    first, second = fact_text(fact.name, fact.first), fact_text(fact.name, fact.second)
    return Row("~", fact_label(fact.name), first, second)


def reads_differently(fact: FactChange) -> bool:
    """Whether a person sees the difference: times of a save differ by milliseconds, too."""
    return fact_text(fact.name, fact.first) != fact_text(fact.name, fact.second)


def fact_text(name: str, value: str | float | None) -> str:
    """A value as people read it."""
    if value is None:
        return NONE
    if name == "resumable":
        return say("yes") if value == "yes" else say("no")
    if isinstance(value, str):
        return say(value) if name in _WORDS else value
    if name == "size":
        return bytes_text(value)
    if name == "took":
        return duration_text(value)
    if name == "written":
        return utc_text(value) or NONE
    return str(value)
