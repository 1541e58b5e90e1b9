"""Pickles, torch's form before the zip archive among them: whether they can be read to their end.

Nothing protects their bytes. What this program does not know of pickles is no damage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.dcp_metadata import read_dcp_metadata
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.pickle_arrays import read_array_pickle
from ckpt_tui.artifacts.torch_archive import read_torch_archive, sniff_torch
from ckpt_tui.formats.pickle_file.floats import floating_arrays
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.examined import NOTHING, STRUCTURE
from ckpt_tui.verify.finite.scan import FloatPart
from ckpt_tui.verify.finite.torch_storages import torch_floats
from ckpt_tui.verify.indexes import DCP_INDEX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.verify.examined import Examined, FileJob

_CUT = frozenset(("truncated-file", "empty-file", "permission-denied", "io-error"))


def check(job: FileJob, found: Examined) -> None:
    """Reads the pickles without executing anything.

    Raises:
        ArtifactError: It is cut, or contradicts itself where its form is known.
    """
    found.method = STRUCTURE
    if job.name == DCP_INDEX:
        read_dcp_metadata(job.stream, LISTING_LIMITS)
    elif sniff_torch(job.stream) == "legacy":
        read_torch_archive(job.stream, LISTING_LIMITS)
    else:
        try:
            read_array_pickle(job.stream, LISTING_LIMITS)
        except ArtifactError as error:
            if error.code in _CUT:
                raise
            found.method = NOTHING


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The floating arrays.

    Raises:
        ArtifactError: It cannot be read.
    """
    if job.name == DCP_INDEX:
        return
    if sniff_torch(job.stream) == "legacy":
        yield from torch_floats(job.stream, job.stream, 0)
        return
    for array in floating_arrays(job.stream, LISTING_LIMITS):
        pieces: Iterator[bytes | memoryview] = iter((array.inline or b"",))
        if array.offset is not None:
            pieces = job.stream.pieces(array.offset, array.size_bytes)
        yield FloatPart(array.name, array.dtype, pieces, array.big_endian)
