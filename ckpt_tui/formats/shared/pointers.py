"""Pointers to the latest checkpoint: links, names and step numbers, read within bounds."""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_text
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.ray_state import ray_pointers
from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.fs.listing import Directory

MAX_POINTER_BYTES = 4096
_SHOWN_CHARACTERS = 80

POINTER_FILES = (
    "latest",
    "latest.txt",
    "LATEST",
    "last_checkpoint",
    "last_checkpoint.txt",
    "latest_checkpoint",
    "latest_checkpoint.txt",
    "latest_checkpointed_iteration.txt",
    "LATEST.txt",
)

BEST_FILES = ("LOWEST_VAL", "LOWEST_VAL.txt")
"""Pointers to the best one by its score, as NeMo Automodel names them beside `LATEST`."""

SYMLINK_ENDING = ".symlink"
"""Where a store has no links, Composer keeps the name in a file: `latest-rank0.pt.symlink`."""

_ALIAS = re.compile(
    r"(?:^|[_-])(?:last|latest|best|newest)(?:[_-]v?\d+)?(?:[_.-]|$)", re.IGNORECASE
)
_COPY = re.compile(
    r"(?:^|[\W_])(?:copy|backup|bak|old|corrupt(?:ed)?|broken|delet(?:ed|ing)|trash)"
    r"(?:[\W_]|\d|$)",
    re.IGNORECASE,
)


def text_pointer(
    directory: Directory,
    name: str,
    names_of: Callable[[str], tuple[str, ...]],
    default: bool = True,
) -> tuple[RawPointer, ...]:
    """Reads a text pointer, where there is one.

    Args:
        directory: The run's directory.
        name: Name of the pointer file.
        names_of: From its stripped content to the names of checkpoints that it may mean.
        default: Whether the framework follows it when it is told nothing else.
    """
    entry = directory.get(name)
    if entry is None or entry.kind is not Kind.FILE:
        return ()
    path = os.path.join(directory.path, name)
    try:
        with FileSource(path) as source:
            text = read_text(source, Limits(), max_bytes=MAX_POINTER_BYTES).strip()
    except ArtifactError:
        return (RawPointer(path, "text", "", (), "unreadable", default),)
    targets = tuple(
        os.path.join(directory.path, target)
        for target in names_of(text)
        if target and "/" not in target and target not in (".", "..")
    )
    if not targets:
        return (RawPointer(path, "text", text[:_SHOWN_CHARACTERS], (), "unreadable", default),)
    return (RawPointer(path, "text", text[:_SHOWN_CHARACTERS], targets, "", default),)


def link_pointers(directory: Directory) -> tuple[RawPointer, ...]:
    """Every link in a run's directory points at something; a loop is told, not followed."""
    found = []
    for entry in directory.entries:
        if entry.link_target is None:
            continue
        path = os.path.join(directory.path, entry.path)
        target = os.path.normpath(os.path.join(directory.path, entry.link_target))
        problem = ""
        try:
            calls.stat(path)
        except OSError as error:
            if error.errno == errno.ELOOP:
                problem = "loop"
        raw = entry.link_target[:_SHOWN_CHARACTERS]
        found.append(RawPointer(path, "link", raw, () if problem else (target,), problem))
    return tuple(found)


def run_pointers(directory: Directory) -> tuple[RawPointer, ...]:
    """All pointers that lie in a run's directory."""

    def names_of(text: str) -> tuple[str, ...]:
        return _names_of(directory, text)

    found = [*link_pointers(directory), *ray_pointers(directory)]
    texts = [name for name in directory.file_names() if name.endswith(SYMLINK_ENDING)]
    for name in (*POINTER_FILES, *BEST_FILES, *texts):
        entry = directory.get(name)
        if entry is not None and entry.link_target is None:
            found.extend(text_pointer(directory, name, names_of, name not in BEST_FILES))
    if any(pointer.default and pointer.kind == "text" for pointer in found):
        # What a framework's own tracker says counts; a link beside it was made by somebody.
        found = [p._replace(default=p.default and p.kind != "link") for p in found]
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
    """A pointer holds a name, a path that ends in one or leads into it, or only a step's number."""
    parts = text.replace("\\", "/").rstrip("/").split("/")
    name = parts[-1]
    if not name.isdigit():
        here = [part for part in reversed(parts[:-1]) if part and directory.get(part) is not None]
        return (name, *here[:1]) if name else ()
    step = int(name)
    named = [entry.path for entry in directory.entries if step_of_name(entry.path) == step]
    return (*named, name)
