"""Reads the header of a safetensors file and checks the file's structure against it.

The layout (a little-endian length of 8 bytes, a JSON header, then the tensors' bytes without
holes) is that of the safetensors format description and of its reference implementation 0.8.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, TypeGuard

from ckpt_tui.artifacts.json_document import parse_json
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits, check_metadata_size
from ckpt_tui.artifacts.source import read_exactly, require_content

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

_LENGTH_BYTES: Final = 8
_MOST_DIMENSIONS: Final = 64
_MOST_ELEMENTS: Final = 1 << 63
_BETWEEN_CHECKS: Final = 4096

# The format's name of a data type: our name, and the bits of one element.
_DTYPES: Final = {
    "BOOL": ("bool", 8),
    "U8": ("uint8", 8),
    "I8": ("int8", 8),
    "U16": ("uint16", 16),
    "I16": ("int16", 16),
    "U32": ("uint32", 32),
    "I32": ("int32", 32),
    "U64": ("uint64", 64),
    "I64": ("int64", 64),
    "F16": ("float16", 16),
    "BF16": ("bfloat16", 16),
    "F32": ("float32", 32),
    "F64": ("float64", 64),
    "C64": ("complex64", 64),
    "F8_E5M2": ("float8_e5m2", 8),
    "F8_E4M3": ("float8_e4m3fn", 8),
    "F8_E8M0": ("float8_e8m0fnu", 8),
    "F8_E4M3FNUZ": ("float8_e4m3fnuz", 8),
    "F8_E5M2FNUZ": ("float8_e5m2fnuz", 8),
    "F6_E2M3": ("float6_e2m3", 6),
    "F6_E3M2": ("float6_e3m2", 6),
    "F4": ("float4", 4),
}


class SafeTensor(NamedTuple):
    """One tensor of the header.

    Attributes:
        dtype: Such as `float32`.
        shape: Length of each dimension; empty for a scalar.
        begin: Offset of its first byte in the data, which follow the header.
        end: Offset after its last byte in the data.
    """

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


class SafetensorsHeader(NamedTuple):
    """A whole header; files with equal ones share it, so nobody may change it.

    Attributes:
        tensors: By name, in the header's order.
        metadata: The free texts under `__metadata__`.
        data_bytes_expected: Size of the data by the header, equal to the file's.
    """

    tensors: dict[str, SafeTensor]
    metadata: dict[str, str]
    data_bytes_expected: int


_SMALL_BYTES: Final = 16 * 1024
_MOST_REMEMBERED: Final = 256
_headers: dict[tuple[bytes, Limits], SafetensorsHeader] = {}
"""By a header's bytes, what they say: a shard has the same header in each save of a run."""


def read_safetensors_header(source: Source, limits: Limits) -> SafetensorsHeader:
    """Reads the header and checks data types, shapes, offsets and the file's size.

    Raises:
        ArtifactError: `empty-file`; `truncated-file` with the bytes that are there and that
            should be; `size-mismatch` for a longer file; `invalid-json`;
            `unreadable-archive` where a tensor contradicts itself or its neighbours;
            `limit-exceeded`.
    """
    require_content(source)
    deadline = Deadline(limits, source.name)
    length = read_exactly(source, 0, _LENGTH_BYTES, "the header's length")
    header_bytes = int.from_bytes(length, "little")
    if header_bytes + _LENGTH_BYTES > source.size:
        # A file of another kind has an absurd length here; one that was cut does not.
        kind = "truncated-file" if header_bytes <= limits.metadata_bytes else "unreadable-archive"
        raise ArtifactError(
            kind,
            f"the header should have {header_bytes} bytes, but the file has only {source.size}",
            source.name,
        )
    check_metadata_size("the header", header_bytes, limits, source.name)
    data = read_exactly(source, _LENGTH_BYTES, header_bytes, "the header")
    header = _headers.get((data, limits))
    if header is None:
        header = _parse(source, data, limits, deadline)
        _remember(data, limits, header)
    _check_size(source, _LENGTH_BYTES + header_bytes + header.data_bytes_expected)
    return header


def _remember(data: bytes, limits: Limits, header: SafetensorsHeader) -> None:
    if len(data) > _SMALL_BYTES:
        return
    if len(_headers) >= _MOST_REMEMBERED:
        _headers.clear()
    _headers[data, limits] = header


def _parse(source: Source, data: bytes, limits: Limits, deadline: Deadline) -> SafetensorsHeader:
    document = parse_json(data, limits, source.name)
    if not isinstance(document, dict):
        _refuse(source, "the header is no JSON object")
    metadata = _read_metadata(source, document.pop("__metadata__", {}))
    tensors = {}
    for number, (name, entry) in enumerate(document.items()):
        if number % _BETWEEN_CHECKS == 0:
            deadline.check()
        tensors[name] = _read_tensor(source, name, entry)
    return SafetensorsHeader(tensors, metadata, _check_offsets(source, tensors))


def _read_metadata(source: Source, found: object) -> dict[str, str]:
    if not isinstance(found, dict) or any(not isinstance(text, str) for text in found.values()):
        _refuse(source, "__metadata__ is not an object of texts")
    return found


def _read_tensor(source: Source, name: str, entry: object) -> SafeTensor:
    if not isinstance(entry, dict):
        _refuse(source, f"the entry of tensor {name!r} is no JSON object")
    dtype, bits = _DTYPES.get(str(entry.get("dtype"))[:20], ("", 0))
    shape, offsets = entry.get("shape"), entry.get("data_offsets")
    if not dtype:
        _refuse(source, f"tensor {name!r} has an unknown data type")
    if not _are_sizes(shape) or not _are_sizes(offsets) or len(offsets) != 2:
        _refuse(source, f"tensor {name!r} has a shape or offsets that are no sizes")
    begin, end = offsets
    total = bits * math.prod(shape)
    if total % 8 or total // 8 != end - begin:
        _refuse(
            source,
            f"tensor {name!r} of type {dtype} and shape {shape} needs {total / 8:g} bytes, "
            f"but its offsets span {end - begin}",
        )
    return SafeTensor(dtype, tuple(shape), begin, end)


def _are_sizes(values: object) -> TypeGuard[list[int]]:
    return (
        isinstance(values, list)
        and len(values) <= _MOST_DIMENSIONS
        and all(type(value) is int and 0 <= value < _MOST_ELEMENTS for value in values)
    )


def _check_offsets(source: Source, tensors: dict[str, SafeTensor]) -> int:
    """Checks that the tensors lie one after another; returns the offset after the last."""
    at = 0
    for name, tensor in sorted(tensors.items(), key=lambda item: (item[1].begin, item[1].end)):
        if tensor.begin != at:
            _refuse(
                source,
                f"tensor {name!r} begins at data offset {tensor.begin}, but the one before it "
                f"ends at {at}",
            )
        at = tensor.end
    return at


def _check_size(source: Source, expected: int) -> None:
    if source.size < expected:
        raise ArtifactError(
            "truncated-file",
            f"the file has {source.size} of the {expected} bytes that its header asks for",
            source.name,
        )
    if source.size > expected:
        raise ArtifactError(
            "size-mismatch",
            f"the file has {source.size} bytes, {source.size - expected} more than the "
            f"{expected} that its header asks for",
            source.name,
        )


def _refuse(source: Source, message: str) -> NoReturn:
    raise ArtifactError("unreadable-archive", message, source.name)
