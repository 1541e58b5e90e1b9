"""Which directories are Orbax steps, by the names in them and, where these are few, just below."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.ocdbt_manifest import MANIFEST
from ckpt_tui.formats.orbax.names import (
    AGGREGATE,
    ARRAY_METADATAS,
    FREE_MARK,
    MARKER,
    ROOT_METADATA,
    SHARDING,
    STEP_METADATA,
    TREE_METADATA,
    is_step_name,
    is_temporary,
    is_trash,
)
from ckpt_tui.formats.shared.names import has_number
from ckpt_tui.fs.listing import list_names

if TYPE_CHECKING:
    from collections.abc import Set

    from ckpt_tui.fs.listing import Directory

_MOST_ITEMS = 16
_DEEPEST_PART = 3
"""Directories from a part of an item up to the one that holds the step."""
_OF_ITEM = frozenset({TREE_METADATA, MANIFEST})


def is_step(directory: Directory) -> bool:
    """Whether a directory is one step, finished or not.

    The run's own `metadata` directory looks like a step and is none; what a manager has moved
    aside to be deleted is no step of any run.
    """
    if directory.name in ROOT_METADATA or _is_moved_away(directory):
        return False
    if is_temporary(directory.name):
        return True
    names = frozenset(directory.file_names())
    if STEP_METADATA in names or FREE_MARK in names:
        return True
    folders = frozenset(directory.directory_names())
    if TREE_METADATA in names and _looks_like_tree(names, folders):
        return True
    return _holds_items(directory, names)


def _looks_like_tree(names: Set[str], folders: Set[str]) -> bool:
    """Other formats have a file of that name, too, but nothing of this beside it."""
    beside = {MANIFEST, SHARDING, ARRAY_METADATAS, AGGREGATE, MARKER}
    return bool((names | folders) & beside) or any("." in folder for folder in folders)


def _holds_items(directory: Directory, names: Set[str]) -> bool:
    """Whether items lie in it: all there is to see before 0.5, and after a removal that was cut."""
    if not is_step_name(directory.name) or names - {MARKER}:
        return False
    folders = directory.directory_names()
    if len(folders) > _MOST_ITEMS:
        return False
    for folder in folders:
        if is_step_name(folder) and has_number(folder):
            continue  # a step of its own
        inside = frozenset(directory.sub(folder).all_names()[1:])
        if STEP_METADATA in inside:
            return False
        if inside & _OF_ITEM or (AGGREGATE in inside and "d" in inside):
            return True
    return False


def _is_moved_away(directory: Directory) -> bool:
    """Whether it lies where a run's removed steps wait to be deleted: beside those that stay."""
    place = directory.path
    for _ in range(_DEEPEST_PART):
        place = os.path.dirname(place)
        if is_trash(os.path.basename(place)):
            beside = list_names(os.path.dirname(place)).directory_names()
            return any(is_step_name(name) for name in beside)
    return False
