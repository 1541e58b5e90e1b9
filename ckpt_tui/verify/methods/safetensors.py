"""safetensors: the header against the file's size and the tensors against each other.

The format has no checksum: the bytes of the tensors are protected by nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.safetensors_header import read_safetensors_header
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.examined import STRUCTURE
from ckpt_tui.verify.finite.scan import FloatPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.verify.examined import Examined, FileJob


def check(job: FileJob, found: Examined) -> None:
    """Checks a file of safetensors.

    Raises:
        ArtifactError: Its structure cannot be right, or it cannot be read.
    """
    found.method = STRUCTURE
    read_safetensors_header(job.stream, LISTING_LIMITS)


def floats(job: FileJob) -> Iterator[FloatPart]:
    """Its floating tensors.

    Raises:
        ArtifactError: As `check`.
    """
    header = read_safetensors_header(job.stream, LISTING_LIMITS)
    data = job.stream.size - header.data_bytes_expected
    for name, (dtype, _, begin, end) in header.tensors.items():
        yield FloatPart(name, dtype, job.stream.pieces(data + begin, end - begin))
