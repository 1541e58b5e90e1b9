"""Lists the arrays of trees of states: where each lies in its file, and of which state it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.core.tensors import Chunk
from ckpt_tui.formats.shared.array_states import listed_arrays, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.formats.shared.array_tree import StatesByRole
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_msgpack_files(gathering: Gathering) -> None:
    """Gathers the arrays of every msgpack file of a checkpoint."""
    add_trees(gathering, read_msgpack, (".json", ".txt"))


def add_trees(
    gathering: Gathering,
    read: Callable[[Source, Limits], object],
    without: tuple[str, ...],
    role: str = "",
) -> None:
    """Gathers the arrays of every file of a checkpoint, file by file.

    Args:
        gathering: Where they go.
        read: Turns a file into a tree, within the limits.
        without: Endings of files that hold none.
        role: Of all arrays, where their keys are names and no roles.
    """
    entries = [e for e in gathering.files.tree.files() if not e.path.endswith(without)]
    for entry in gathering.file_by_file(entries):
        try:
            with gathering.files.open(entry.path) as source:
                _add(gathering, entry.path, read(source, gathering.files.limits), role)
        except ArtifactError as error:
            gathering.note_unreadable(entry, error)


def _add(gathering: Gathering, path: str, tree: object, role_of_all: str) -> None:
    marked = gathering.marked(path)
    parts: StatesByRole = {role_of_all: [((), tree)]} if role_of_all else parts_of(tree)
    for name, array, role in listed_arrays(tree, parts):
        if array.record:
            places = [Chunk(path, marked.rank, (), (), array.size_bytes, None, array.record)]
        else:
            places = [Chunk(path, marked.rank, (), (), size, at) for at, size in array.pieces]
        gathering.add(
            name, array.dtype, array.shape, array.size_bytes, role or marked.role, tuple(places)
        )
