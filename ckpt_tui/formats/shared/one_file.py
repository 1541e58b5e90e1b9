"""Reads one file of a checkpoint: what it holds, or the finding that says why it was not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.shared.problems import finding_of_error, unopened

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_Content = TypeVar("_Content")


def read_one_file(
    files: CheckpointFiles, path: str, read: Callable[[Source, Limits], _Content], wanted_by: str
) -> tuple[_Content | None, tuple[Finding, ...]]:
    """What a file holds and no finding, or None with what is wrong.

    Args:
        files: The checkpoint.
        path: Relative path of the file, as its tree names it.
        read: Reads it within the limits; raises ArtifactError.
        wanted_by: What it is opened for, where it is no regular file.
    """
    entry = files.tree.get(path)
    if entry is not None and entry.kind is not Kind.FILE:
        return None, (unopened(entry, wanted_by),)
    try:
        with files.open(path) as source:
            return read(source, files.limits), ()
    except ArtifactError as error:
        return None, (finding_of_error(error, path),)
