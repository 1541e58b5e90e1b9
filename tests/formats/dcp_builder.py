"""Writes small torch DCP directories by hand, so that every key and place can be chosen."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from tests.artifacts.builders import Global, TorchPickler
from tests.formats.torch_builder import Shape, torch_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_MODULE = "torch.distributed.checkpoint.metadata"


class Built:
    """Pickles as an instance of a class by name, with that state; hashed by identity."""

    def __init__(self, name: str, state: object) -> None:
        self.name = name
        self.state = state


class _Pickler(TorchPickler):
    def save(self, obj: object, save_persistent_id: bool = True) -> None:
        if type(obj) is not Built:
            super().save(obj, save_persistent_id)
            return
        self.write_name(obj.name, "latin-1")
        self.write(b")\x81")
        self.save(obj.state)
        self.write(b"b")


def write_dcp(
    directory: Path,
    state: Mapping[str, object],
    rank_of: Callable[[str], int] = lambda key: 0,
    index: str = ".metadata",
) -> Path:
    """Writes one checkpoint.

    Args:
        directory: Made if it is not there.
        state: By flat key, a `Shape` for a tensor, or any plain object.
        rank_of: The rank whose file gets the key.
        index: Name of the metadata file.
    """
    directory.mkdir(parents=True, exist_ok=True)
    data: dict[str, bytes] = {}
    places: dict[object, object] = {}
    for key, value in state.items():
        name = f"__{rank_of(key)}_0.distcp"
        item = torch_bytes(value)
        before = data.get(name, b"")
        places[_index(key, value)] = _place(name, len(before), len(item))
        data[name] = before + item
    for name, content in data.items():
        (directory / name).write_bytes(content)
    out = io.BytesIO()
    _Pickler(out, 2).dump(_metadata(state, places))
    (directory / index).write_bytes(out.getvalue())
    return directory


def _index(key: str, value: object) -> Built:
    offset = _size((0,) * len(value.lengths)) if isinstance(value, Shape) else None
    return Built(f"{_MODULE}.MetadataIndex", {"fqn": key, "offset": offset, "index": None})


def _place(name: str, offset: int, length: int) -> Built:
    return Built(
        "torch.distributed.checkpoint.filesystem._StorageInfo",
        {"relative_path": name, "offset": offset, "length": length},
    )


def _metadata(state: Mapping[str, object], places: dict[object, object]) -> Built:
    return Built(
        f"{_MODULE}.Metadata",
        {
            "state_dict_metadata": {key: _entry(value) for key, value in state.items()},
            "planner_data": None,
            "storage_data": places,
            "storage_meta": None,
            "version": "1.0.0",
        },
    )


def _entry(value: object) -> Built:
    if not isinstance(value, Shape):
        return Built(f"{_MODULE}.BytesStorageMetadata", {})
    chunk = Built(
        f"{_MODULE}.ChunkStorageMetadata",
        {"offsets": _size((0,) * len(value.lengths)), "sizes": _size(value.lengths)},
    )
    contiguous = Global(f"{_MODULE}._MEM_FORMAT_ENCODING", (0,))
    properties = Built(
        f"{_MODULE}.TensorProperties",
        (Global("torch.float32"), Global("torch.strided"), False, contiguous, False),
    )
    return Built(
        f"{_MODULE}.TensorStorageMetadata",
        {"properties": properties, "size": _size(value.lengths), "chunks": [chunk]},
    )


def _size(lengths: tuple[int, ...]) -> Global:
    return Global("torch.Size", (lengths,))
