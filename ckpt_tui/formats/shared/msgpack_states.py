"""Reads one msgpack file of a checkpoint: its tree, what states it holds, what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.shared.problems import finding_of_error, unopened
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
    entry = files.tree.get(path)
    if entry is not None and entry.kind is not Kind.FILE:
        return None, (unopened(entry, "it is read as msgpack"),)
    try:
        with files.open(path) as source:
            tree = read_msgpack(source, files.limits)
    except ArtifactError as error:
        return None, (finding_of_error(error, path),)
    return tree, gaps_in_tuples(tree, path)
