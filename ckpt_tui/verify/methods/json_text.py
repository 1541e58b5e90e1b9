"""JSON: whether it parses; a changed digit is still JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import parse_json, read_json
from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.examined import NOTHING, STRUCTURE

if TYPE_CHECKING:
    from ckpt_tui.verify.examined import Examined, FileJob

_MOST_LINES_BYTES = 64 * MIB


def check(job: FileJob, found: Examined) -> None:
    """Parses the document; one that is too large to parse stays unchecked.

    So does a file of several documents, a line each: a log often has this ending, too.

    Raises:
        ArtifactError: It does not parse, or cannot be read.
    """
    found.method = STRUCTURE
    try:
        read_json(job.stream, LISTING_LIMITS)
    except ArtifactError as error:
        if error.code != "limit-exceeded" and not _has_a_document_a_line(job):
            raise
        found.method = NOTHING


def _has_a_document_a_line(job: FileJob) -> bool:
    data = read_exactly(job.stream, 0, min(job.stream.size, _MOST_LINES_BYTES), "the lines")
    lines = [line for line in data.splitlines() if line.strip()]
    try:
        return len(lines) > 1 and all(
            isinstance(parse_json(line, LISTING_LIMITS, job.stream.name), dict) for line in lines
        )
    except ArtifactError:
        return False
