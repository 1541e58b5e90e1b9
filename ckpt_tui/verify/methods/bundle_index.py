"""The index of a TensorFlow bundle: a sorted table with a CRC-32C of each of its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.sstable import read_table
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.methods.bundle_data import METHOD

if TYPE_CHECKING:
    from ckpt_tui.verify.examined import Examined, FileJob


def check(job: FileJob, found: Examined) -> None:
    """Checks every block.

    Raises:
        ArtifactError: A block has another checksum, or the table cannot be right.
    """
    found.method = METHOD
    for block in read_table(job.stream, LISTING_LIMITS).blocks:
        found.cover(block.offset, block.offset + block.protected_bytes)
