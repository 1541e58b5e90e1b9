"""What a message says of a mistake: the line that it stands on, and the nearest right name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_MISTAKES = 20
_DEEPEST = 4
_BARE = r"[A-Za-z0-9_-]+"
_PART = rf"""(?:{_BARE}|"[^"]*"|'[^']*')"""
_PATH = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*\[\s*({_PATH})\s*\]")
_SETTING = re.compile(rf"\s*({_PATH})\s*=")
_SEPARATOR = re.compile(rf"({_PART})\s*(?:\.|$)")


def nearest(name: str, known: Iterable[str]) -> str:
    """What to say to somebody who wrote a name that there is not."""
    from difflib import get_close_matches  # only where a mistake was made

    names = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), names, 1, 0.5)
    if near:
        return say("did you mean {name}?", name=names[near[0]])
    return say("there are {names}", names=", ".join(names.values()))


def lines_of(text: str) -> dict[str, int]:
    """Dotted key → the line on which it is set, as far as it stands at the start of a line.

    A table that is written in one line (`check = {min_good = 2}`) has one line for all its keys.

    Args:
        text: A whole file in TOML.
    """
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = path = _dotted(header[1])
        elif setting := _SETTING.match(line):
            key = _dotted(setting[1])
            path = f"{table}.{key}" if table else key
        else:
            continue
        parts = path.split(".", _DEEPEST)[:_DEEPEST]
        for count in range(1, len(parts) + 1):
            found.setdefault(".".join(parts[:count]), number)
    return found


def line_of(lines: dict[str, int], table: str, key: str) -> int:
    """The line of a key, else that of its table; 0 where neither is seen."""
    return lines.get(f"{table}.{key}" if table else key) or lines.get(table, 0)


def _dotted(path: str) -> str:
    return ".".join(part.strip("\"'") for part in _SEPARATOR.findall(path.strip()))
