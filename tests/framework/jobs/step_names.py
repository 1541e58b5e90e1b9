"""Directories and files that are named by their step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_NUMBER = re.compile(r"\d+")


def step_of(path: Path) -> int:
    """The first number in a name; -1 where there is none."""
    found = _NUMBER.search(path.name)
    return int(found[0]) if found else -1


def by_step(directory: Path, pattern: str = "*") -> list[Path]:
    """What a directory holds under names with a number in them, in the order of these."""
    return sorted(
        (path for path in directory.glob(pattern) if step_of(path) >= 0),
        key=lambda path: (step_of(path), path.name),
    )
