"""Where one stored chunk of a zarr array lies: a file, or a value in an OCDBT database."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.artifacts.zarr_metadata import ZarrArray


class Chunk(NamedTuple):
    """Where a stored chunk lies.

    Attributes:
        array: What it belongs to.
        tensor: Name of the array.
        begin: Its first byte in the file.
        length: Its bytes.
    """

    array: ZarrArray
    tensor: str
    begin: int
    length: int
