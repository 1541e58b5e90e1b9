"""Reads checkpoints of loops that write `numpy.savez` or `numpy.save` by themselves.

numpy writes the final name in place. An archive ends with its directory, and each member is as
long as its header says; numpy compares a member's checksum whenever it reads one.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.formats.npz_file.trees import read_numpy_tree
from ckpt_tui.formats.shared.array_tree import tree_of_names
from ckpt_tui.formats.shared.one_file import read_one_file
from ckpt_tui.formats.shared.plain_groups import PlainFormat
from ckpt_tui.formats.shared.plain_looks import NOT_READ, Look, looked_at
from ckpt_tui.formats.shared.plain_reader import PlainReader
from ckpt_tui.formats.shared.plain_states import PlainKind
from ckpt_tui.formats.shared.problems import unsafe_pickle

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

ENDINGS = (".npz", ".npy")

_REMEDY = "Load it with `allow_pickle=True` only if you trust its origin."


def _read(files: CheckpointFiles, path: str) -> tuple[object, tuple[Finding, ...]]:
    found, problems = read_one_file(files, path, read_numpy_tree, "it is read as a file of numpy")
    if found is None:
        return None, problems
    unsafe = unsafe_pickle(found.globals, path)
    tree = _under_its_name(found.tree, path)
    return tree, tuple(finding._replace(remedy=_REMEDY) for finding in unsafe)


def _under_its_name(tree: object, path: str) -> object:
    """One array of a tree whose leaves are a file each: `step.npy`, `params.dense.kernel.npy`."""
    if not isinstance(tree, StoredArray):
        return tree
    return tree_of_names({path.rpartition("/")[2].removesuffix(".npy"): tree})


def _flag(path: str) -> str:
    return f"numpy.load({json.dumps(path)})"


_KIND = PlainKind(
    "npz-file",
    ENDINGS,
    "no commit mark: the archive's end and each array's header decide (numpy writes in place)",
    _read,
    _flag,
)


@lru_cache(maxsize=4096)
def _look(path: str, inode: int, size_bytes: int, mtime_ns: int) -> Look:
    """What one file holds; read once for each state of the file."""
    try:
        with FileSource(path) as source:
            return looked_at(read_numpy_tree(source, Limits()).tree)
    except ArtifactError:
        return NOT_READ


class NpzFileReader(PlainReader):
    """`.npz` and `.npy` files with a model, and directories of them."""

    def __init__(self) -> None:
        super().__init__(PlainFormat(ENDINGS, _look), _KIND)
