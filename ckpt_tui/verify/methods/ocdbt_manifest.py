"""`manifest.ocdbt`: its last bytes are the CRC-32C of all the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.ocdbt_manifest import read_manifest
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.methods.ocdbt_files import METHOD
from ckpt_tui.verify.methods.zarr_values import inline_floats

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.verify.examined import Examined, FileJob
    from ckpt_tui.verify.finite.scan import FloatPart


def check(job: FileJob, found: Examined) -> None:
    """Checks a manifest.

    Raises:
        ArtifactError: It is cut or damaged, or cannot be read.
    """
    found.method = METHOD
    found.cover(0, job.stream.size)
    read_manifest(job.stream, LISTING_LIMITS)


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The elements of chunks that are so small that they lie in the tree which begins here.

    Raises:
        ArtifactError: One cannot be read.
    """
    for tensor, array, data in job.context.indexes.ocdbt_inline(job.path):
        yield from inline_floats(array, tensor, data, job.stream.name)
