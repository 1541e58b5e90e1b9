"""Reads small items out of the `.distcp` files of torch.distributed.checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import WindowSource
from ckpt_tui.artifacts.torch_archive import TensorInfo, read_torch_archive, tensor_scalar

if TYPE_CHECKING:
    from ckpt_tui.artifacts.dcp_metadata import DcpItem
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.artifacts.torch_archive import TorchArchive

_SCALAR_BYTES: Final = 64 * 1024


def read_dcp_item(source: Source, item: DcpItem, limits: Limits) -> object:
    """Returns the value of one item: the pickled object, or the `TensorInfo` of a tensor.

    Args:
        source: The file that the item's relative path names.
        item: Where it lies in the file.
        limits: Bounds of reading.

    Raises:
        ArtifactError: `truncated-file`: the file ends before the item does; the rest as in
            `read_torch_archive`; `unreadable-archive` for an item that was transformed.
    """
    return _read(source, item, limits)[0].value


def read_dcp_scalar(
    source: Source, item: DcpItem, dtype: str | None, limits: Limits
) -> int | float | None:
    """Returns the number that an item holds, or None if it holds something else.

    Args:
        source: The file that the item's relative path names.
        item: Where it lies in the file.
        dtype: The data type by the metadata, for a tensor; another one in the item is an error.
        limits: Bounds of reading.

    Raises:
        ArtifactError: As in `read_dcp_item`.
    """
    if item.length > _SCALAR_BYTES:
        return None
    archive, window = _read(source, item, limits)
    value = archive.value
    if isinstance(value, TensorInfo):
        if dtype is not None and value.dtype != dtype:
            raise ArtifactError(
                "unreadable-archive",
                f"the item {item.key!r} is of type {value.dtype}, its metadata says {dtype}",
                source.name,
            )
        return tensor_scalar(archive, window, value)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _read(source: Source, item: DcpItem, limits: Limits) -> tuple[TorchArchive, WindowSource]:
    if item.transformed:
        raise ArtifactError(
            "unreadable-archive",
            f"the item {item.key!r} is stored transformed (compressed), which is not supported",
            source.name,
        )
    window = WindowSource(source, item.offset, item.length)
    return read_torch_archive(window, limits), window
