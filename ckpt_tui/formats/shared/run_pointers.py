"""Pointers that training loops keep beside their checkpoints: links, names and step numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.pointers import link_pointers, text_pointer

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.fs.listing import Directory

POINTER_FILES = (
    "latest",
    "latest.txt",
    "LATEST",
    "last_checkpoint",
    "last_checkpoint.txt",
    "latest_checkpoint",
    "latest_checkpoint.txt",
    "latest_checkpointed_iteration.txt",
)

_ALIAS = re.compile(
    r"(?:^|[_-])(?:last|latest|best|newest)(?:[_-]v?\d+)?(?:[_.-]|$)", re.IGNORECASE
)
_COPY = re.compile(
    r"(?:^|[\W_])(?:copy|backup|bak|old|corrupt(?:ed)?|broken|delet(?:ed|ing)|trash)"
    r"(?:[\W_]|\d|$)",
    re.IGNORECASE,
)


def run_pointers(directory: Directory) -> tuple[RawPointer, ...]:
    """All pointers that lie in a run's directory."""

    def names_of(text: str) -> tuple[str, ...]:
        return _names_of(directory, text)

    found = [*link_pointers(directory)]
    for name in POINTER_FILES:
        entry = directory.get(name)
        if entry is not None and entry.link_target is None:
            found.extend(text_pointer(directory, name, names_of))
    return tuple(found)


def is_alias_name(name: str) -> bool:
    """Whether a checkpoint's name says that it stands beside the series it belongs to.

    Either it follows the series (`last.ckpt`, `best.pt`), or someone put it aside
    (`step-30-copy`, `ckpt_000300_corrupt.pt`).
    """
    return follows_series(name) or bool(_COPY.search(name))


def follows_series(name: str) -> bool:
    """Whether a name is that of the last or best checkpoint, whatever its step is."""
    return bool(_ALIAS.search(name))


def _names_of(directory: Directory, text: str) -> tuple[str, ...]:
    """A pointer holds a name, a path that ends in one, or only the number of a step."""
    name = text.replace("\\", "/").rstrip("/").rpartition("/")[2]
    if not name.isdigit():
        return (name,) if name else ()
    step = int(name)
    named = [entry.path for entry in directory.entries if step_of_name(entry.path) == step]
    return (*named, name)
