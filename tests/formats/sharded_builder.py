"""Writes a DCP `.metadata` whose tensors lie in pieces in the files of several ranks."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tests.artifacts.builders import Global
from tests.formats.dcp_builder import Built, _Pickler

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_MODULE = "torch.distributed.checkpoint.metadata"
ARCHIVE_BYTES = 1200
"""What torch.save puts around a tensor, about."""


class Sharded(NamedTuple):
    """A float32 matrix whose rows are split evenly over the ranks.

    Attributes:
        rows: All of them.
        columns: Of each.
        ranks: Who wrote them, a piece each.
    """

    rows: int
    columns: int
    ranks: tuple[int, ...]


def write_sharded(directory: Path, tensors: Mapping[str, Sharded]) -> Path:
    """Writes the index, and data files of the right size that hold nothing."""
    directory.mkdir(parents=True, exist_ok=True)
    ends: dict[int, int] = {}
    entries: dict[str, Built] = {}
    places: dict[Built, Built] = {}
    for key, (rows, columns, ranks) in tensors.items():
        bounds = [rows * place // len(ranks) for place in range(len(ranks) + 1)]
        pieces: list[Built] = []
        for rank, (first, end) in zip(ranks, pairwise(bounds), strict=True):
            begin = ends.get(rank, 0)
            length = ARCHIVE_BYTES + (end - first) * columns * 4
            ends[rank] = begin + length
            at = _size(first, 0)
            index = {"fqn": key, "offset": at, "index": len(pieces)}
            stored = {"relative_path": _file(rank), "offset": begin, "length": length}
            where = Built("torch.distributed.checkpoint.filesystem._StorageInfo", stored)
            places[Built(f"{_MODULE}.MetadataIndex", index)] = where
            piece = {"offsets": at, "sizes": _size(end - first, columns)}
            pieces.append(Built(f"{_MODULE}.ChunkStorageMetadata", piece))
        whole = {"properties": _PROPERTIES, "size": _size(rows, columns), "chunks": pieces}
        entries[key] = Built(f"{_MODULE}.TensorStorageMetadata", whole)
    fields = {"state_dict_metadata": entries, "planner_data": None, "storage_data": places}
    out = io.BytesIO()
    _Pickler(out, 2).dump(Built(f"{_MODULE}.Metadata", fields))
    (directory / ".metadata").write_bytes(out.getvalue())
    for rank, size_bytes in ends.items():
        with (directory / _file(rank)).open("wb") as file:
            file.truncate(size_bytes)
    return directory


def _file(rank: int) -> str:
    return f"__{rank}_0.distcp"


def _size(*lengths: int) -> Global:
    return Global("torch.Size", (lengths,))


_PROPERTIES = Built(
    f"{_MODULE}.TensorProperties",
    (
        Global("torch.float32"),
        Global("torch.strided"),
        False,
        Global(f"{_MODULE}._MEM_FORMAT_ENCODING", (0,)),
        False,
    ),
)
