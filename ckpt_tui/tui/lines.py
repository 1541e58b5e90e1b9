"""Text for the screen as plain values: pieces with a tone, cut and padded by terminal cells.

Everything that is drawn goes through `piece`, which makes hostile names harmless. No text ever
reaches a markup parser.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ELLIPSIS = "…"
MOST_MARKS = 2
"""Marks over one letter; more of them would be drawn over the lines above."""
_WIDE = r"\u2e80-\u9fff\uff00-\uffef"
_PARTS = re.compile(rf"\s|[（「『《“]*(?:[^\s{_WIDE}]+|\S)[，。：；？！、）」』》”…]*")
"""A space, a word or a Chinese character, with the signs that no line should end or begin with."""


class Tone(StrEnum):
    """What a piece of text means; the style sheet gives each tone its colour."""

    PLAIN = "plain"
    DIM = "dim"
    BOLD = "bold"
    OK = "ok"
    FAIR = "fair"
    WARN = "warn"
    BAD = "bad"
    BUSY = "busy"
    DONE = "done"
    ACCENT = "accent"
    OK_BLOCK = "ok-block"
    WARN_BLOCK = "warn-block"
    BAD_BLOCK = "bad-block"
    BUSY_BLOCK = "busy-block"
    PICKED = "picked"


class Piece(NamedTuple):
    """A text of one tone. Make it with `piece`, so that it holds printable characters only."""

    text: str
    tone: Tone = Tone.PLAIN


Line = tuple[Piece, ...]
BLANK: Line = ()


def clean(text: str) -> str:
    r"""Shows as `\xNN` what a terminal must not get, or would draw at another width than ours.

    That is control, format and surrogate characters, what turns several characters into one
    (terminals do not agree on the width of joined emoji), and marks that combine with nothing.
    """
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        marks = marks + 1 if _is_mark(char) else 0
        safe = _combines(shown, marks) if marks else _is_safe(char)
        shown.append(char if safe else _escaped(char))
    return "".join(shown)


def _is_safe(char: str) -> bool:
    return char.isprintable() and cell_len(char) > 0


def _combines(before: list[str], marks: int) -> bool:
    """Whether there is a letter for that mark: no escaped character, and not full of marks."""
    last = before[-1] if before else ""
    return len(last) == 1 and (last.isalpha() or 1 < marks <= MOST_MARKS)


def _is_mark(char: str) -> bool:
    """Whether it is drawn over the letter before it, in no cell of its own."""
    selector = 0xFE00 <= ord(char) <= 0xFE0F or ord(char) >= 0xE0100
    return unicodedata.category(char) == "Mn" and not selector


def _escaped(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # an undecodable byte, as Python's file names carry it
        return f"\\x{code - 0xDC00:02x}"
    if code < 0x100:
        return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def piece(text: str, tone: Tone = Tone.PLAIN) -> Piece:
    """A piece that is safe to draw."""
    return Piece(clean(text), tone)


def line(*parts: Piece | str) -> Line:
    """A line of pieces; strings become plain pieces, empty parts are left out."""
    made = (part if isinstance(part, Piece) else piece(part) for part in parts)
    return tuple(part for part in made if part.text)


def joined(parts: Iterable[Line], joint: str = " · ") -> Line:
    """Lines one after the other with a dim joint between them; empty ones are left out."""
    whole: list[Piece] = []
    for part in parts:
        if part and whole:
            whole.append(Piece(joint, Tone.DIM))
        whole.extend(part)
    return tuple(whole)


def text_of(text: Line) -> str:
    """The characters alone."""
    return "".join(part.text for part in text)


def width_of(text: Line) -> int:
    """Width in terminal cells."""
    return sum(cell_len(part.text) for part in text)


def cut(text: Line, width: int) -> Line:
    """The beginning of a line that fits, with an ellipsis where something was cut off."""
    if width_of(text) <= width:
        return text
    if width <= 0:
        return BLANK
    kept: list[Piece] = []
    room = width - 1
    for part in text:
        size = cell_len(part.text)
        if size > room:
            kept.append(Piece(set_cell_size(part.text, room) + ELLIPSIS, part.tone))
            break
        kept.append(part)
        room -= size
    return tuple(kept)


def tail(text: str, width: int) -> str:
    """The end of a text that fits, with an ellipsis in front where something was cut off."""
    text = clean(text)
    if cell_len(text) <= width:
        return text
    if width <= 1:
        return ELLIPSIS[:width]
    while text and cell_len(text) > width - 1:
        text = text[1:]
    return ELLIPSIS + text


def short_path(path: str, width: int) -> str:
    """A path that fits: whole, or its last directories, or the end of its name."""
    path = clean(path)
    if cell_len(path) <= width:
        return path
    parts = path.split("/")
    for start in range(1, len(parts)):
        shorter = f"{ELLIPSIS}/{'/'.join(parts[start:])}"
        if cell_len(shorter) <= width:
            return shorter
    return tail(path, width)


def pad(text: Line, width: int, right: bool = False) -> Line:
    """A line of exactly `width` cells; `right` puts the text at the right end."""
    text = cut(text, width)
    room = width - width_of(text)
    if not room:
        return text
    space = Piece(" " * room)
    return (space, *text) if right else (*text, space)


def spread(left: Line, right: Line, width: int) -> Line:
    """One text at each end; where they do not fit, the left one is cut."""
    left = cut(left, max(0, width - width_of(right) - (1 if right else 0)))
    gap = width - width_of(left) - width_of(right)
    return cut((*left, Piece(" " * max(0, gap)), *right), width)


def first_fit(levels: Sequence[tuple[Line, Line]], width: int) -> Line:
    """The first pair of left and right text that fits with two cells between; else the last, cut.

    Args:
        levels: Pairs from the longest to the shortest.
        width: Cells there are.
    """
    for left, right in levels:
        between = 2 if left and right else 0
        if width_of(left) + width_of(right) + between <= width:
            return spread(left, right, width)
    return spread(*levels[-1], width)


def wrapped(text: str, width: int) -> list[str]:
    """A sentence broken into lines of at most `width` cells, and of 8 where there are fewer."""
    text, width = clean(text), max(8, width)
    if cell_len(text) > len(text):
        return _broken(text, width)
    return textwrap.wrap(text, width, break_on_hyphens=False) or [""]


def _broken(text: str, width: int) -> list[str]:
    """A text with letters of two cells: broken around words and such letters, else in a word."""
    lines = [""]
    for part in _PARTS.findall(text):
        if cell_len(lines[-1] + part) <= width:
            lines[-1] += part
        elif part.isspace():
            lines.append("")
        elif cell_len(part) <= width:
            lines.append(part)
        else:
            for char in part:
                if cell_len(lines[-1] + char) > width:
                    lines.append("")
                lines[-1] += char
    return [row.strip() for row in lines]


def flowed(parts: Iterable[Line], width: int, joint: str = "   ") -> list[Line]:
    """Parts side by side as long as they fit, then on the next line; no part is broken."""
    lines: list[list[Line]] = []
    used = 0
    for part in parts:
        if not part:
            continue
        size = width_of(part)
        if lines and used + len(joint) + size <= width:
            lines[-1].append(part)
            used += len(joint) + size
        else:
            lines.append([part])
            used = size
    return [cut(joined(row, joint), width) for row in lines]
