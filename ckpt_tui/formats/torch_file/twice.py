"""One state in two files of one checkpoint: two tries of a save whose names carry a score.

A retried save overwrites files of the same name. With a score in the name (`loss=0.123.pt`) both
stay, and a loop that takes the first file it finds takes either.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import duration_text
from ckpt_tui.core.vocabulary import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.files import FileEntry

_FRACTION = re.compile(r"\d+\.\d+")


def without_scores(name: str) -> str:
    """A name with its fractions blotted out; whole numbers (steps, ranks) stay."""
    return _FRACTION.sub("#", name)


def saved_twice(entries: Sequence[FileEntry]) -> list[Finding]:
    """A remark for files that differ in the score in their names only."""
    families: dict[str, list[FileEntry]] = {}
    for entry in entries:
        if _FRACTION.search(entry.path):
            families.setdefault(without_scores(entry.path), []).append(entry)
    return [_remark(family) for family in families.values() if len(family) > 1]


def _remark(family: Sequence[FileEntry]) -> Finding:
    older, *_, younger = sorted(family, key=lambda entry: entry.mtime_ns)
    apart = duration_text((younger.mtime_ns - older.mtime_ns) / 1e9)
    return Finding(
        "mixed-saves",
        Severity.WARNING,
        younger.path,
        f"{older.path} and {younger.path} hold the same state, written {apart} apart: two tries of"
        " this save",
        f"Make sure which one the job loads: {younger.path} is the younger.",
    )
