"""Write torch DCP directories without torch: `.metadata`, and the ranks' `__R_0.distcp`.

The classes and their fields are those of torch 2.6 and newer, as its `FileSystemWriter` leaves
them (`torch/distributed/checkpoint/metadata.py`, `filesystem.py`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.demo.scenarios.saves import length
from ckpt_tui.demo.torch_like import sparse_torch_file
from ckpt_tui.demo.torch_pickle import TorchPickler
from ckpt_tui.demo.torch_values import Call, Instance, Name, Pairs, Zeros

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.demo.torch_values import Piece, Tree

METADATA = ".metadata"
_MODULE = "torch.distributed.checkpoint.metadata"
_STORAGE_INFO = Name("torch.distributed.checkpoint.filesystem", "_StorageInfo")


class Chunk(NamedTuple):
    """One piece of a tensor: the rank that writes it, where it begins, its shape."""

    rank: int
    offsets: tuple[int, ...]
    sizes: tuple[int, ...]


class Sharded(NamedTuple):
    """One tensor of zeros over all ranks."""

    key: str
    dtype: str
    shape: tuple[int, ...]
    chunks: tuple[Chunk, ...]


class Stored(NamedTuple):
    """One pickled object, and the rank that writes it."""

    key: str
    rank: int
    value: Tree


class Written(NamedTuple):
    """What a DCP save leaves.

    Attributes:
        data: File name → content, in order of rank.
        metadata: Content of `.metadata`.
    """

    data: dict[str, list[Piece]]
    metadata: bytes


def data_name(rank: int) -> str:
    """The name of a rank's data file."""
    return f"__{rank}_0.distcp"


def dcp_files(tensors: Sequence[Sharded], objects: Sequence[Stored]) -> Written:
    """The files of one save; the same content gives the same bytes."""
    data: dict[int, list[Piece]] = {}
    ends: dict[int, int] = {}
    places: list[tuple[Tree, Tree]] = []

    def place(rank: int, index: Tree, content: Sequence[Piece]) -> None:
        offset, size_bytes = ends.get(rank, 0), length(content)
        info: Tree = {
            "relative_path": data_name(rank),
            "offset": offset,
            "length": size_bytes,
            "transform_descriptors": None,
        }
        places.append((index, Instance(_STORAGE_INFO, info)))
        data.setdefault(rank, []).extend(content)
        ends[rank] = offset + size_bytes

    for tensor in tensors:
        for number, chunk in enumerate(tensor.chunks):
            index = _index(tensor.key, _size(chunk.offsets), number)
            place(chunk.rank, index, _zeros_file(tensor.dtype, chunk.sizes))
    for stored in objects:
        place(
            stored.rank, _index(stored.key, None, None), sparse_torch_file(stored.value, "archive")
        )
    state: dict[str | int, Tree] = {tensor.key: _tensor_entry(tensor) for tensor in tensors}
    state |= {stored.key: _instance("BytesStorageMetadata", {}) for stored in objects}
    metadata = _instance(
        "Metadata",
        {
            "state_dict_metadata": state,
            "planner_data": None,
            "storage_data": Pairs(tuple(places)),
            "storage_meta": None,
            "version": "1.0.0",
        },
    )
    return Written(
        {data_name(rank): data[rank] for rank in sorted(data)}, TorchPickler().pickle(metadata)
    )


@lru_cache(maxsize=256)
def _zeros_file(dtype: str, shape: tuple[int, ...]) -> tuple[Piece, ...]:
    return tuple(sparse_torch_file(Zeros(dtype, shape), "archive"))


def _tensor_entry(tensor: Sharded) -> Tree:
    properties = Instance(
        Name(_MODULE, "TensorProperties"),
        (
            Name("torch", tensor.dtype),
            Call(Name("torch.serialization", "_get_layout"), ("torch.strided",)),
            False,
            Call(Name(_MODULE, "_MEM_FORMAT_ENCODING"), (0,)),
            False,
        ),
    )
    chunks: list[Tree] = [
        _instance(
            "ChunkStorageMetadata", {"offsets": _size(chunk.offsets), "sizes": _size(chunk.sizes)}
        )
        for chunk in tensor.chunks
    ]
    return _instance(
        "TensorStorageMetadata",
        {"properties": properties, "size": _size(tensor.shape), "chunks": chunks},
    )


def _index(key: str, offset: Tree, number: int | None) -> Tree:
    return _instance("MetadataIndex", {"fqn": key, "offset": offset, "index": number})


def _instance(name: str, state: dict[str | int, Tree]) -> Instance:
    return Instance(Name(_MODULE, name), state)


def _size(lengths: tuple[int, ...]) -> Call:
    return Call(Name("torch", "Size"), (lengths,))
