"""Reads torch's form of before version 1.6: five pickles in a row, then the raw storages.

The pickles are a magic number, the protocol number, facts of the writing machine, the object, and
the list of storage keys. For each key there follow its number of elements (8 bytes, little
endian) and its bytes (read in `torch/serialization.py`, `_legacy_load`, and seen in files).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.inert import Stub
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.pickle_opcodes import PickleEndsEarlyError
from ckpt_tui.artifacts.safe_pickle import LoadedPickle, load_pickle_at
from ckpt_tui.artifacts.source import read_exactly
from ckpt_tui.artifacts.torch_tensors import TENSOR_FACTORIES, StorageTable

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

# LONG1 of 10 bytes, 0x1950a86a20f9469cfc6c, then STOP: the pickle after its protocol (2 bytes)
# and, from protocol 4 on, its frame (9 bytes).
_MAGIC: Final = b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
_MAGIC_STARTS: Final = (2, 11)
_MAGIC_IN_TEXT: Final = b"L119547037146038801333356L\n."  # of protocol 1
MAGIC_BYTES: Final = max(11 + len(_MAGIC), len(_MAGIC_IN_TEXT))
_PROTOCOL: Final = 1001
_UNTYPED: Final = "UntypedStorage"
_FIRST_BYTES: Final = 1 << 20
_GROWTH: Final = 8
_COUNT_BYTES: Final = 8


class LegacyFile(NamedTuple):
    """The parts of a legacy torch file."""

    loaded: LoadedPickle
    offsets: dict[str, int]  # where each storage's bytes begin


def is_magic(start: bytes) -> bool:
    """Tells whether a file that begins so is a legacy torch file (of any pickle protocol)."""
    if start[:1] != b"\x80":
        return start.startswith(_MAGIC_IN_TEXT)
    return any(start.startswith(_MAGIC, at) for at in _MAGIC_STARTS)


def read_legacy(
    source: Source, limits: Limits, deadline: Deadline, table: StorageTable
) -> LegacyFile:
    """Reads the pickles, and checks that the file is long enough for all storages.

    Raises:
        ArtifactError: As in `ckpt_tui.artifacts.torch_archive.read_torch_archive`.
    """
    length = _FIRST_BYTES
    while True:
        length = min(length, source.size, limits.metadata_bytes)
        data = read_exactly(source, 0, length, "the pickled part")
        try:
            return _parse(source, data, limits, deadline, table)
        except PickleEndsEarlyError:
            if length == source.size:
                raise
            if length == limits.metadata_bytes:
                raise ArtifactError(
                    "limit-exceeded",
                    f"the pickled part has more than {limits.metadata_bytes} bytes",
                    source.name,
                ) from None
        length *= _GROWTH


def _parse(
    source: Source, data: bytes, limits: Limits, deadline: Deadline, table: StorageTable
) -> LegacyFile:
    path = source.name
    _magic, at = load_pickle_at(data, 0, limits, deadline, path)
    protocol, at = load_pickle_at(data, at, limits, deadline, path)
    machine, at = load_pickle_at(data, at, limits, deadline, path)
    if protocol.value != _PROTOCOL or not isinstance(machine.value, dict):
        raise ArtifactError(
            "unreadable-archive",
            f"after torch's magic number there is no protocol {_PROTOCOL}",
            path,
        )

    def answer(identifier: object) -> object:
        _refuse_untyped(identifier)
        return _module_of(identifier) or table.persistent_load(identifier)

    loaded, at = load_pickle_at(data, at, limits, deadline, path, answer, TENSOR_FACTORIES)
    keys, at = load_pickle_at(data, at, limits, deadline, path)
    return LegacyFile(loaded, _storage_offsets(source, at, keys.value, deadline, table))


def _module_of(identifier: object) -> object:
    """The class out of `("module", class, source file, source)`; None for any other identifier.

    So every module of a whole model is pickled, for its source to be compared at loading.
    """
    if isinstance(identifier, tuple) and len(identifier) == 4 and identifier[0] == "module":
        return identifier[1]
    return None


def _refuse_untyped(identifier: object) -> None:
    """The loader of this form asks a storage's class for a data type, which an untyped one lacks.

    `torch.save` writes such a file without a word: of float8, unsigned and complex32 tensors.

    Raises:
        ArtifactError: `unreadable-archive`.
    """
    kind = identifier[1] if isinstance(identifier, tuple) and len(identifier) > 1 else None
    if isinstance(kind, Stub) and kind.name == _UNTYPED:
        raise ArtifactError(
            "unreadable-archive",
            "it has untyped storages (of float8, unsigned or complex32 tensors), which torch.load"
            " cannot take from the form without a zip",
        )


def _storage_offsets(
    source: Source, at: int, keys: object, deadline: Deadline, table: StorageTable
) -> dict[str, int]:
    names = [str(key) for key in keys if isinstance(key, str | int)] if type(keys) is list else []
    if set(names) != set(table.sizes) or len(names) != len(table.sizes):
        raise ArtifactError(
            "unreadable-archive",
            "the list of storages is not the one that the pickle refers to",
            source.name,
        )
    offsets: dict[str, int] = {}
    for key in names:
        deadline.check()
        size_bytes = table.sizes[key]
        count_bytes = read_exactly(source, at, _COUNT_BYTES, f"the length of storage {key!r}")
        count = int.from_bytes(count_bytes, "little")
        # It counts elements, whose size divides the storage's.
        if size_bytes and (count == 0 or size_bytes % count):
            raise ArtifactError(
                "unreadable-archive",
                f"storage {key!r} at offset {at} has {count} elements, "
                f"but the pickle says {size_bytes} bytes",
                source.name,
            )
        at += _COUNT_BYTES
        offsets[key] = at
        at += size_bytes
        if at > source.size:
            raise ArtifactError(
                "truncated-file",
                f"storage {key!r} ends at byte {at}, but the file has only {source.size}",
                source.name,
            )
    return offsets
