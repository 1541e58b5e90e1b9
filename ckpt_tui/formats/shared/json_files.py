"""JSON files of a checkpoint whose top level has to be an object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles


def read_json_object(files: CheckpointFiles, path: str) -> dict[str, object]:
    """Reads one JSON file of a checkpoint.

    Raises:
        ArtifactError: It cannot be opened or read; ``invalid-json`` where it holds anything but
            an object.
    """
    with files.open(path) as source:
        document = read_json(source, files.limits)
    if not isinstance(document, dict):
        raise ArtifactError("invalid-json", "it is no JSON object")
    return document
