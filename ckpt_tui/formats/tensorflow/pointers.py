"""The pointer that `tf.train.latest_checkpoint` and the managers follow."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING
from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.shared.pointers import run_pointers
from ckpt_tui.formats.tensorflow.names import STATE_FILE, data_name, temporary_prefix
from ckpt_tui.formats.tensorflow.state_file import read_state_file

if TYPE_CHECKING:
    from ckpt_tui.fs.listing import Directory

_SHOWN_CHARACTERS = 80


def pointers_of(directory: Directory) -> tuple[RawPointer, ...]:
    """`checkpoint`, and whatever a loop keeps beside it."""
    return (*_of_state_file(directory), *run_pointers(directory))


def _of_state_file(directory: Directory) -> tuple[RawPointer, ...]:
    entry = directory.get(STATE_FILE)
    if entry is None or entry.kind is not Kind.FILE:
        return ()
    path = os.path.join(directory.path, STATE_FILE)
    try:
        latest = read_state_file(directory.path).latest
    except ArtifactError:
        return (RawPointer(path, "text", "", (), "unreadable"),)
    return (RawPointer(path, "text", latest[:_SHOWN_CHARACTERS], _targets(directory, latest)),)


def _targets(directory: Directory, latest: str) -> tuple[str, ...]:
    """What the text may mean: a prefix is no file, its index is.

    An absolute path may be that of another machine, or of a container, with the same directory.
    """
    place, prefix = os.path.split(os.path.normpath(os.path.join(directory.path, latest)))
    found = [os.path.join(place, prefix + INDEX_ENDING)]
    own = os.path.join(directory.path, prefix + INDEX_ENDING)
    names = [prefix + INDEX_ENDING] if own not in found else []
    names += [n for n in directory.file_names() if (d := data_name(n)) and d.prefix == prefix]
    names += [n for n in directory.directory_names() if temporary_prefix(n) == prefix]
    return (*found, *(os.path.join(directory.path, name) for name in names))
