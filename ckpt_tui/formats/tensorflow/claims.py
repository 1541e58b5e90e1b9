"""Which files of a directory are one checkpoint, and which directories are leftovers or exports."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.sstable import is_table
from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.tensorflow.names import (
    META_ENDING,
    SAVED_MODEL_FILES,
    STATE_FILE,
    VARIABLES,
    data_name,
    index_prefix,
    number_of,
    part_name,
    temporary_prefix,
)
from ckpt_tui.formats.unread import is_t5x
from ckpt_tui.fs.listing import list_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.fs.listing import Directory


def claim_of_directory(directory: Directory) -> ClaimKind:
    """A SavedModel is an export; the parts of a save that never ended are a checkpoint's."""
    files, below = directory.file_names(), directory.directory_names()
    if any(name in SAVED_MODEL_FILES for name in files):
        return ClaimKind.EXPORT
    if VARIABLES in below and not _has_bundle(files) and _is_cut_export(directory):
        return ClaimKind.EXPORT
    prefix = temporary_prefix(directory.name)
    if prefix is None or below or not all(part_name(name) for name in files):
        return ClaimKind.NO
    above = list_names(os.path.dirname(directory.path))
    names = above.file_names()
    if prefix + INDEX_ENDING in names or is_inside_export(above):
        return ClaimKind.NO
    known = STATE_FILE in names or _has_bundle(names) or number_of(prefix) is not None
    return ClaimKind.CHECKPOINT if files or known else ClaimKind.NO


def is_inside_export(directory: Directory) -> bool:
    """Whether a directory holds the variables of a SavedModel, which is one whole."""
    if directory.name != VARIABLES:
        return False
    above = list_names(os.path.dirname(directory.path))
    return claim_of_directory(above) is ClaimKind.EXPORT


def groups_of_files(directory: Directory) -> tuple[tuple[str, ...], ...]:
    """Files that are one checkpoint each: the index first, then the data, then TF1's graph.

    Data without an index whose temporary directory is there belong to the claim of that one.
    """
    names = directory.file_names()
    if temporary_prefix(directory.name) is not None or is_inside_export(directory):
        return ()
    if is_t5x(directory.all_names()):  # its data iterator is a bundle, the rest is not
        return ()
    found = _by_prefix(names)
    shapes = {plain_name(prefix) for prefix in found}
    below = frozenset(filter(None, map(temporary_prefix, directory.directory_names())))
    there = frozenset(names)
    groups = []
    for prefix in dict.fromkeys((*found, *filter(None, map(index_prefix, names)))):
        data = found.get(prefix, [])
        index = prefix + INDEX_ENDING
        if index in there:
            data = data or _data_beside(directory, prefix)
            if data or plain_name(prefix) in shapes or _is_index(directory, index):
                meta = [name for name in (prefix + META_ENDING,) if name in there]
                groups.append((index, *data, *meta))
        elif data and prefix not in below:
            groups.append(tuple(data))
    return tuple(groups)


def _by_prefix(names: Iterable[str]) -> dict[str, list[str]]:
    """Prefix → its data files, in name order."""
    found: dict[str, list[str]] = {}
    for name in names:
        told = data_name(name)
        if told is not None:
            found.setdefault(told.prefix, []).append(name)
    return found


def _has_bundle(names: Iterable[str]) -> bool:
    return any(data_name(name) is not None for name in names)


def _is_cut_export(directory: Directory) -> bool:
    """Whether variables were written, and the model that is written after them was not."""
    names = directory.sub(VARIABLES).all_names()[1:]
    prefixes = (data_name(name) for name in names)
    return any(told is not None and told.prefix == VARIABLES for told in prefixes) or any(
        temporary_prefix(name) == VARIABLES for name in names
    )


def _data_beside(directory: Directory, prefix: str) -> list[str]:
    """Data files that the listing does not show, as where one file was named by itself."""
    return _by_prefix(list_names(directory.path).file_names()).get(prefix, [])


def _is_index(directory: Directory, name: str) -> bool:
    """Whether a lonely `.index` file is a bundle's: others use that ending, too."""
    try:
        with FileSource(os.path.join(directory.path, name)) as source:
            return is_table(source)
    except ArtifactError:
        return False
