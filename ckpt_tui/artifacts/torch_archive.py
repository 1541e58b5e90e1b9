"""Reads what torch.save wrote: the zip form, and the older form without a zip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from ckpt_tui.artifacts import torch_legacy
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.safe_pickle import LoadedPickle, load_pickle_at
from ckpt_tui.artifacts.source import Source, read_exactly, require_content
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES, decode_scalar
from ckpt_tui.artifacts.torch_others import refuse_compressed
from ckpt_tui.artifacts.torch_records import check_records, read_records, read_texts
from ckpt_tui.artifacts.torch_tensors import (
    TENSOR_FACTORIES,
    StorageTable,
    TensorInfo,
)
from ckpt_tui.artifacts.zip_directory import (
    LOCAL_SIGNATURE,
    check_crc32,
    first_record_name,
    has_zip_end,
    is_stored_plainly,
    read_record,
    record_data_offset,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.artifacts.zip_directory import ZipRecord

__all__ = [
    "TensorInfo",
    "TorchArchive",
    "begins_as_torch",
    "has_zip_end",
    "read_torch_archive",
    "sniff_torch",
    "tensor_scalar",
]


_SMALL_PICKLE_BYTES: Final = 1024
_MOST_REMEMBERED: Final = 1024
_single_tensors: dict[tuple[bytes, Limits], tuple[LoadedPickle, StorageTable]] = {}
"""What pickles of one tensor hold: descriptions that nobody can change."""


class TorchArchive(NamedTuple):
    """What one file of torch.save holds, without its tensors' bytes.

    Attributes:
        value: The top-level object: plain containers and scalars, `TensorInfo` for tensors,
            `Instance` and `Stub` for everything else.
        kind: The form of the file.
        globals: Qualified names of all globals in the pickle.
        protocol: Pickle protocol; torch writes 2 where nothing is said.
        big_endian: Whether the bytes of the tensors are.
        zip_records: The zip directory by record name, the archive's root directory left out
            (`data.pkl`, `data/0`); empty in the legacy form.
        legacy_offsets: Where each storage's bytes begin, by key; empty in the zip form.
    """

    value: object
    kind: Literal["zip", "legacy"]
    globals: frozenset[str]
    protocol: int
    big_endian: bool
    zip_records: Mapping[str, ZipRecord]
    legacy_offsets: Mapping[str, int]


def sniff_torch(source: Source) -> Literal["zip", "legacy"] | None:
    """Tells from the first bytes which form of torch.save a file has, if any.

    Any zip archive is `zip`: the extension says nothing, only reading tells.

    Raises:
        ArtifactError: The source cannot be read.
    """
    start = source.read_at(0, torch_legacy.MAGIC_BYTES)
    if start.startswith(LOCAL_SIGNATURE):
        return "zip"
    return "legacy" if torch_legacy.is_magic(start) else None


def begins_as_torch(source: Source) -> bool:
    """Whether a file begins as torch.save begins it: a zip with `NAME/data.pkl`, or the old form.

    Raises:
        ArtifactError: The source cannot be read.
    """
    if sniff_torch(source) == "zip":
        return first_record_name(source).endswith("/data.pkl")
    return sniff_torch(source) == "legacy"


def read_torch_archive(source: Source, limits: Limits) -> TorchArchive:
    """Reads the structure of a torch file and checks that it is whole.

    Checked are the zip directory, every record's range and header, and that each storage is there
    with the size that the pickle says. The bytes of the tensors are not read.

    Raises:
        ArtifactError: `empty-file`, `truncated-file` (no end of the archive),
            `unreadable-archive` (it contradicts itself, or is no torch file),
            `limit-exceeded`, or what reading the source raised.
    """
    require_content(source)
    deadline = Deadline(limits, source.name)
    kind = sniff_torch(source)
    if kind == "zip":
        return _read_zip(source, limits, deadline)
    if kind == "legacy":
        return _read_legacy(source, limits, deadline)
    start = source.read_at(0, 8)
    if len(start) < len(LOCAL_SIGNATURE) and LOCAL_SIGNATURE.startswith(start):
        raise ArtifactError(
            "truncated-file", f"the file ends after its first {source.size} bytes", source.name
        )
    refuse_compressed(start, source.name)
    raise ArtifactError(
        "unreadable-archive",
        f"it is no torch file: it begins with {start.hex(' ')}, neither a zip record nor "
        "torch's magic number",
        source.name,
    )


def tensor_scalar(archive: TorchArchive, source: Source, info: TensorInfo) -> int | float | None:
    """Returns the value of a tensor of one element, or None if it has no single plain number.

    Args:
        archive: What `read_torch_archive` returned for the source.
        source: The same source.
        info: A tensor out of the archive's value.

    Raises:
        ArtifactError: Its bytes cannot be read.
    """
    if math.prod(info.shape) != 1 or not info.storage_key:
        return None
    if archive.kind == "legacy":
        offset = archive.legacy_offsets.get(info.storage_key)
    else:
        record = archive.zip_records.get(f"data/{info.storage_key}")
        plain = record is not None and is_stored_plainly(record)
        offset = record_data_offset(source, record) if record is not None and plain else None
    if offset is None:
        return None
    item = ITEM_BYTES[info.dtype]
    data = read_exactly(source, offset + info.storage_offset * item, item, "a tensor's element")
    return decode_scalar(info.dtype, data, big_endian=archive.big_endian)


def _read_zip(source: Source, limits: Limits, deadline: Deadline) -> TorchArchive:
    records = read_records(source, limits, deadline)
    texts = read_texts(source, records, limits)
    data = read_record(source, records["data.pkl"], limits)
    check_crc32(source, records["data.pkl"], data)
    loaded, table = _load(data, limits, deadline, source.name)
    _check_storages(source, records, table)
    check_records(source, records, limits, deadline)
    big_endian = texts.get("byteorder") == b"big"
    return TorchArchive(
        loaded.value, "zip", loaded.globals, loaded.protocol, big_endian, records, {}
    )


def _load(
    data: bytes, limits: Limits, deadline: Deadline, path: str
) -> tuple[LoadedPickle, StorageTable]:
    """Loads a pickle; that of a single tensor, of which DCP has thousands alike, only once."""
    known = _single_tensors.get((data, limits))
    if known is not None:
        return known
    table = StorageTable()
    loaded = load_pickle_at(
        data, 0, limits, deadline, path, table.persistent_load, TENSOR_FACTORIES
    ).loaded
    if isinstance(loaded.value, TensorInfo) and len(data) <= _SMALL_PICKLE_BYTES:
        if len(_single_tensors) >= _MOST_REMEMBERED:
            _single_tensors.clear()
        _single_tensors[data, limits] = loaded, table
    return loaded, table


def _check_storages(source: Source, records: dict[str, ZipRecord], table: StorageTable) -> None:
    for key, size_bytes in table.sizes.items():
        record = records.get(f"data/{key}")
        if record is None:
            raise ArtifactError(
                "unreadable-archive",
                f"the record data/{key}, which data.pkl refers to, is missing",
                source.name,
            )
        if record.size_bytes < size_bytes:
            raise ArtifactError(
                "unreadable-archive",
                f"the record data/{key} has {record.size_bytes} bytes, "
                f"but data.pkl says {size_bytes}",
                source.name,
            )


def _read_legacy(source: Source, limits: Limits, deadline: Deadline) -> TorchArchive:
    table = StorageTable()
    found = torch_legacy.read_legacy(source, limits, deadline, table)
    loaded, big_endian = found.loaded, False  # this form is little endian on every machine
    return TorchArchive(
        loaded.value, "legacy", loaded.globals, loaded.protocol, big_endian, {}, found.offsets
    )
