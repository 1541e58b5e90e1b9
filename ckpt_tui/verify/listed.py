"""Checksums of whole files, as our own manifest and a seal list them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.formats.manifest.document import parse_document
from ckpt_tui.formats.manifest.file import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.formats.base import CheckpointFiles


class ListedFile(NamedTuple):
    """What a file should be: its size, and the CRC-32 of all its bytes."""

    size_bytes: int
    crc32: int


class Listed(NamedTuple):
    """A list of checksums.

    Attributes:
        by: Who says so, for messages ("manifest.json", "the seal of 2026-01-01").
        files: By path relative to the checkpoint.
        written_at: When the list was made, seconds since the epoch: a file that was written later
            may differ by right; None where none may.
    """

    by: str
    files: Mapping[str, ListedFile]
    written_at: float | None = None

    def is_older_than(self, mtime_ns: int) -> bool:
        """Whether a file was written after the list was."""
        return self.written_at is not None and mtime_ns > self.written_at * 1e9


def no_checksums() -> Listed:
    """Nobody lists any."""
    return Listed("", {})


def listed_by_manifest(files: CheckpointFiles) -> Listed:
    """What our own `manifest.json` lists; nothing where there is none, or none of ours."""
    if files.tree.get(MANIFEST) is None:
        return no_checksums()
    try:
        with files.open(MANIFEST) as source:
            document = parse_document(read_json(source, files.limits))
    except ArtifactError:  # another tool's, or the look says what is wrong with it
        return no_checksums()
    return Listed(
        MANIFEST,
        {
            entry.path: ListedFile(entry.size_bytes, int(entry.crc32, 16))
            for entry in document.entries
            if entry.crc32 is not None
        },
    )
