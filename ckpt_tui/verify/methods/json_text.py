"""JSON: whether it parses; a changed digit is still JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.examined import NOTHING, STRUCTURE

if TYPE_CHECKING:
    from ckpt_tui.verify.examined import Examined, FileJob


def check(job: FileJob, found: Examined) -> None:
    """Parses the document; one that is too large to parse stays unchecked.

    Raises:
        ArtifactError: It does not parse, or cannot be read.
    """
    found.method = STRUCTURE
    try:
        read_json(job.stream, LISTING_LIMITS)
    except ArtifactError as error:
        if error.code != "limit-exceeded":
            raise
        found.method = NOTHING
