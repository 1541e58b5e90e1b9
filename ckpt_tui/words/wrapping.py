"""Text broken to a terminal's width, where a Chinese character takes two columns."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PIECE = re.compile(r"\s+|[^\s\u2e80-\u9fff\uff00-\uffef]+|.", re.DOTALL)
"""Spaces, a word without Chinese characters, or one of these, behind which a line may end."""
_NEVER_FIRST = frozenset("，。；：？！、）」』》…")


def columns_of(text: str) -> int:
    """How many columns a text takes."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def padded(text: str, columns: int) -> str:
    """A text with spaces behind it up to a width."""
    return text + " " * (columns - columns_of(text))


def at_right(text: str, columns: int) -> str:
    """A text with spaces before it up to a width."""
    return " " * (columns - columns_of(text)) + text


def paragraph(text: str, columns: int, *, first: str = "", rest: str = "") -> list[str]:
    """The lines of a text: as `textwrap` breaks it, by columns where characters take two.

    Args:
        text: One paragraph.
        columns: The width of a line.
        first: What stands before the first line.
        rest: What stands before each further line.
    """
    if columns_of(text) == len(text):
        return textwrap.wrap(text, columns, initial_indent=first, subsequent_indent=rest)
    first += text[: len(text) - len(text.lstrip())]
    # A full stop may stand behind a line's last column.
    lines = wrapped(text, columns - max(len(first), len(rest)) - 2)
    return [f"{rest if place else first}{line}" for place, line in enumerate(lines)]


def wrapped(text: str, columns: int) -> Iterator[str]:
    """The lines of a text; a word that is longer than a line stays whole.

    Args:
        text: One paragraph.
        columns: The width of a line.
    """
    line, taken = "", 0
    for piece in _PIECE.findall(text):
        width = columns_of(piece)
        ends = taken + width > columns and piece not in _NEVER_FIRST
        if ends and line.strip():
            yield line.rstrip()
            line, taken = "", 0
        if line or not piece.isspace():
            line, taken = line + piece, taken + width
    if line.strip():
        yield line.rstrip()


def cut(text: str, columns: int) -> str:
    """A text of at most so many columns, with an ellipsis where something is cut off."""
    if columns_of(text) <= columns:
        return text
    while text and columns_of(text) > columns - 1:
        text = text[:-1]
    return f"{text}…"
