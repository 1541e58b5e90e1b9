"""Reads one msgpack file of a checkpoint: its tree, what states it holds, what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.formats.shared.one_file import read_one_file
from ckpt_tui.formats.shared.tuple_gaps import gaps_in_tuples

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles


def read_msgpack_tree(files: CheckpointFiles, path: str) -> tuple[object, tuple[Finding, ...]]:
    """The tree of one file, or None with what is wrong.

    Args:
        files: The checkpoint.
        path: Relative path of the file.
    """
    tree, problems = read_one_file(files, path, read_msgpack, "it is read as msgpack")
    return tree, problems or gaps_in_tuples(tree, path)
