"""Pointers to the latest checkpoint: text files and links, read within bounds."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_text
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.files import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.fs.listing import Directory

MAX_POINTER_BYTES = 4096
_SHOWN_CHARACTERS = 80


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
            os.stat(path)
        except OSError as error:
            if error.errno == errno.ELOOP:
                problem = "loop"
        raw = entry.link_target[:_SHOWN_CHARACTERS]
        found.append(RawPointer(path, "link", raw, () if problem else (target,), problem))
    return tuple(found)
