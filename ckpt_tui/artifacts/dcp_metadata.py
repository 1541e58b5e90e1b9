"""Reads `.metadata` of torch.distributed.checkpoint without torch.

It is a pickle of `torch.distributed.checkpoint.metadata.Metadata`; its fields are those of
torch 2.1 to 2.14 (read in `metadata.py` and `filesystem.py`, and seen in files).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, NoReturn, TypeGuard

from ckpt_tui.artifacts.collector import collector_paused
from ckpt_tui.artifacts.inert import Instance, Stub
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.safe_pickle import load_pickle
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES, dtype_name

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ckpt_tui.artifacts.source import Source

    _Sizes = tuple[int, ...]

_METADATA: Final = "torch.distributed.checkpoint.metadata.Metadata"
_BETWEEN_CHECKS: Final = 1024
_MOST_BYTES: Final = 1 << 63
_NOWHERE: Final[frozenset[tuple[int, ...]]] = frozenset()


class DcpEntry(NamedTuple):
    """One key of the state dictionary.

    Attributes:
        key: The flat name.
        kind: A tensor, or the bytes of a pickled object.
        dtype: Such as `float32`; None for bytes or a type that is not known.
        shape: The whole tensor's, over all ranks; None for bytes.
        size_bytes: Number of elements times size of an element; None where not known.
        chunks: How many pieces it is stored in; 1 for bytes.
        pieces: For each piece its offset in the whole tensor, and its lengths as they were found,
            as many; empty for bytes.
    """

    key: str
    kind: Literal["tensor", "bytes"]
    dtype: str | None
    shape: tuple[int, ...] | None
    size_bytes: int | None
    chunks: int
    pieces: tuple[tuple[tuple[int, ...], tuple[object, ...]], ...] = ()


class DcpItem(NamedTuple):
    """Where one piece of an entry is stored.

    Attributes:
        key: The flat name of its entry.
        offset_index: Offset of the piece in the whole tensor; None for bytes.
        relative_path: The file, as written: it may point anywhere.
        offset: Its first byte in the file.
        length: Its size in bytes, a whole torch archive.
        transformed: Whether the bytes were compressed or otherwise changed.
    """

    key: str
    offset_index: tuple[int, ...] | None
    relative_path: str
    offset: int
    length: int
    transformed: bool


class DcpMetadata(NamedTuple):
    """What a checkpoint should hold.

    Attributes:
        entries: One for each key.
        storage: One for each stored piece.
        paths: By flat key, the path in the nested state dictionary; empty where not written.
        globals: Qualified names of all globals in the pickle.
    """

    entries: tuple[DcpEntry, ...]
    storage: tuple[DcpItem, ...]
    paths: Mapping[str, tuple[str | int, ...]]
    globals: frozenset[str]


def read_dcp_metadata(source: Source, limits: Limits) -> DcpMetadata:
    """Reads the metadata of one checkpoint.

    Raises:
        ArtifactError: `empty-file`, `truncated-file`, `limit-exceeded`, or
            `unreadable-archive` where it is no such pickle or has a form that is not known.
    """
    with collector_paused():
        return _read(source, limits)


def _read(source: Source, limits: Limits) -> DcpMetadata:
    deadline = Deadline(limits, source.name)
    loaded = load_pickle(source, limits)
    root = loaded.value
    if not isinstance(root, Instance) or root.qualified_name != _METADATA:
        found = root.qualified_name if isinstance(root, Instance) else type(root).__name__
        _refuse(source.name, f"expected {_METADATA}, found {found}")
    reader = _Reader(source.name, deadline)
    fields = root.attributes
    storage = reader.storage(fields.get("storage_data"))
    entries = reader.entries(fields.get("state_dict_metadata"), _places(storage))
    return DcpMetadata(
        entries,
        storage,
        reader.paths(fields.get("planner_data")),
        loaded.globals,
    )


class _Reader:
    """Turns the stand-ins into entries and items, or says what is not as it should be."""

    def __init__(self, path: str, deadline: Deadline) -> None:
        self._path = path
        self._deadline = deadline

    def entries(self, found: object, places: Mapping[str, set[_Sizes]]) -> tuple[DcpEntry, ...]:
        if not isinstance(found, dict):
            _refuse(self._path, "state_dict_metadata is no dictionary")
        entries = []
        for number, (key, value) in enumerate(found.items()):
            self._tick(number)
            if not isinstance(key, str) or not isinstance(value, Instance):
                _refuse(self._path, "state_dict_metadata has an entry of an unknown form")
            entries.append(self._entry(key, value, places.get(key, _NOWHERE)))
        return tuple(entries)

    def storage(self, found: object) -> tuple[DcpItem, ...]:
        if not isinstance(found, dict):
            _refuse(self._path, "storage_data is no dictionary")
        items = []
        for number, (index, value) in enumerate(found.items()):
            self._tick(number)
            place, stored = _fields(index, "MetadataIndex"), _fields(value, "_StorageInfo")
            if place is None or stored is None:
                _refuse(self._path, "storage_data has an item of an unknown form")
            items.append(self._item(place, stored))
        return tuple(items)

    def paths(self, found: object) -> dict[str, tuple[str | int, ...]]:
        """Other planners keep other things here, or nothing: then there are no paths."""
        paths: dict[str, tuple[str | int, ...]] = {}
        if not isinstance(found, dict):
            return paths
        for number, (key, value) in enumerate(found.items()):
            self._tick(number)
            if isinstance(key, str) and isinstance(value, tuple):
                paths[key] = tuple(part for part in value if isinstance(part, str | int))
        odd = [key for key, path in paths.items() if key != ".".join(map(str, path))]
        # Other planners may make up other keys, but then all of them.
        if 0 < len(odd) * 2 < len(paths):
            _refuse(self._path, f"the key {odd[0]!r} does not fit its path {paths[odd[0]]}")
        return paths

    def _entry(self, key: str, value: Instance, places: Collection[_Sizes]) -> DcpEntry:
        if value.name == "BytesStorageMetadata":
            return DcpEntry(key, "bytes", None, None, None, 1)
        if value.name != "TensorStorageMetadata":
            _refuse(self._path, f"entry {key!r} is of the unknown class {value.name!r}")
        fields = value.attributes
        shape = _sizes(fields.get("size"))
        chunks = fields.get("chunks")
        if shape is None or not isinstance(chunks, list):
            _refuse(self._path, f"tensor {key!r} has no shape or no chunks")
        pieces = self._pieces(key, len(shape), chunks, places)
        dtype = _tensor_dtype(fields.get("properties"))
        size_bytes = None if dtype is None else math.prod(shape) * ITEM_BYTES[dtype]
        return DcpEntry(key, "tensor", dtype, shape, size_bytes, len(chunks), tuple(pieces))

    def _pieces(
        self, key: str, dimensions: int, chunks: list[object], places: Collection[_Sizes]
    ) -> list[tuple[_Sizes, tuple[object, ...]]]:
        """A loader looks pieces up by their offset; that some lack a place is told elsewhere."""
        self._deadline.check()
        pieces: list[tuple[_Sizes, tuple[object, ...]]] = []
        for chunk in chunks:
            fields = _fields(chunk, "ChunkStorageMetadata") or {}
            offsets, lengths = _sizes(fields.get("offsets")), fields.get("sizes")
            if offsets is None or type(lengths) is not tuple:
                _refuse(self._path, f"tensor {key!r} has a piece without offsets or sizes")
            if not len(offsets) == len(lengths) == dimensions:
                _refuse(self._path, f"tensor {key!r} has a piece of other dimensions")
            if offsets not in places and len(places) >= len(chunks):
                _refuse(self._path, f"nothing is stored of {key!r} at offset {list(offsets)}")
            pieces.append((offsets, lengths))
        return pieces

    def _item(self, index: Mapping[object, object], value: Mapping[object, object]) -> DcpItem:
        key, path = index.get("fqn"), value.get("relative_path")
        offset, length = value.get("offset"), value.get("length")
        if not isinstance(key, str) or not isinstance(path, str):
            _refuse(self._path, "storage_data has an item without a key or a file")
        place = index.get("offset")
        if not _is_size(offset) or not _is_size(length) or (place and _sizes(place) is None):
            _refuse(self._path, f"the item of {key!r} has no offset or length in {path!r}")
        return DcpItem(
            key,
            _sizes(place),
            path,
            offset,
            length,
            bool(value.get("transform_descriptors")),
        )

    def _tick(self, number: int) -> None:
        if number % _BETWEEN_CHECKS == 0:
            self._deadline.check()


def _fields(found: object, name: str) -> Mapping[object, object] | None:
    """The attributes of an instance of the named class; None for anything else."""
    return found.attributes if isinstance(found, Instance) and found.name == name else None


def _places(storage: tuple[DcpItem, ...]) -> dict[str, set[_Sizes]]:
    """The offsets at which something of each key is stored."""
    places: dict[str, set[_Sizes]] = {}
    for item in storage:
        if item.offset_index is not None:
            places.setdefault(item.key, set()).add(item.offset_index)
    return places


def _tensor_dtype(properties: object) -> str | None:
    """The properties' state is a tuple that begins with the data type."""
    state = properties.state if isinstance(properties, Instance) else None
    first = state[0] if isinstance(state, tuple) and state else None
    return dtype_name(first.name) if isinstance(first, Stub) else None


def _sizes(found: object) -> tuple[int, ...] | None:
    if not isinstance(found, tuple) or len(found) > 64:
        return None
    return found if all(map(_is_size, found)) else None


def _is_size(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < _MOST_BYTES


def _refuse(path: str, what: str) -> NoReturn:
    raise ArtifactError("unreadable-archive", f"unsupported .metadata: {what}", path)
