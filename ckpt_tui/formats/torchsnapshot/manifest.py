"""`.snapshot_metadata`, the file that commits a torchsnapshot checkpoint and lists all of it.

Since 0.1.0 it is JSON text, which the framework reads as YAML; versions before wrote YAML proper.
Entry types and fields are those of `torchsnapshot/manifest.py` of 0.1.0 (and `DTensor`, which
later versions add).
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import struct
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import parse_json
from ckpt_tui.artifacts.limits import ArtifactError, check_metadata_size
from ckpt_tui.artifacts.source import read_exactly, require_content
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.bounds import MOST_RANKS

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles

METADATA = ".snapshot_metadata"
SHARED_DIRECTORIES = frozenset({"batched", "replicated", "sharded"})
"""Where data that no rank keeps alone lies; each rank's own is in a directory of its number."""

CONTAINERS = frozenset({"dict", "OrderedDict", "list"})
PRIMITIVES = frozenset({"int", "str", "bool", "bytes", "float"})
_IN_PARTS = {"ShardedTensor": "shards", "ChunkedTensor": "chunks", "DTensor": "shards"}
SHARDED = frozenset({"ShardedTensor", "DTensor"})
_RAW = "buffer_protocol"
_SERIALIZERS = (_RAW, "torch_save", "per_tensor_qtensor", "per_channel_qtensor")
_MOST_DIMENSIONS = 64
_LARGEST = 2**63
_LITERALS = ("true", "false", "null")


class Extent(NamedTuple):
    """Where the bytes of a tensor, of a part of one, or of an object lie.

    Attributes:
        location: Path of the file, relative to the snapshot.
        span: First byte, and the one after the last; None for the whole file.
        size_bytes: Length by dtype and shape; None where only the file tells.
        elsewhere: True where the file lies in another snapshot (an incremental one).
    """

    location: str
    span: tuple[int, int] | None = None
    size_bytes: int | None = None
    elsewhere: bool = False


class Entry(NamedTuple):
    """One entry of the manifest.

    Attributes:
        kind: Its type, as written.
        replicated: Stored once for all ranks, under rank 0.
        extents: Where it is stored; empty for containers and inlined values.
        keys: Those of a dictionary.
        value: An inlined value.
        dtype: Of a tensor, without `torch.`; "" for anything else.
        shape: Of a tensor, all parts together.
        serializer: How the bytes are written ("buffer_protocol" is raw, "torch_save" an archive).
        boxes: Of a tensor in parts, each part's offset and lengths in the whole, as the extents.
    """

    kind: str
    replicated: bool = False
    extents: tuple[Extent, ...] = ()
    keys: tuple[str | int, ...] = ()
    value: object = None
    dtype: str = ""
    shape: tuple[int, ...] = ()
    serializer: str = ""
    boxes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()


class Snapshot(NamedTuple):
    """The manifest.

    Attributes:
        version: Of the torchsnapshot that wrote it.
        world_size: Number of writers.
        ranks: By rank, logical path (without the rank) → entry, in the order of the file.
        unknown_types: Types of entries that are not known here, and so not read.
    """

    version: str
    world_size: int
    ranks: dict[int, dict[str, Entry]]
    unknown_types: tuple[str, ...] = ()


class CutError(ArtifactError):
    """The file ends before the document does: the write that commits was cut."""


def read_manifest(files: CheckpointFiles) -> Snapshot:
    """Reads `.snapshot_metadata`.

    Raises:
        CutError: It is empty, or ends in the middle.
        ArtifactError: ``invalid-json`` where it cannot be right; ``unsupported-version`` for YAML
            proper; what opening it raised.
    """
    with files.open(METADATA) as source:
        try:
            require_content(source)
        except ArtifactError as error:
            raise CutError(error.code, error.message, error.path) from error
        check_metadata_size("the manifest", source.size, files.limits, source.name)
        data = read_exactly(source, 0, source.size, "the manifest")
    if data[:1] != b"{":
        raise _no_json(data)
    try:
        document = parse_json(data, files.limits, METADATA)
    except ArtifactError as error:
        if _is_cut(error, data):
            raise CutError("truncated-file", f"it is cut: {error.message}", METADATA) from error
        raise
    return _snapshot(document)


def _no_json(data: bytes) -> ArtifactError:
    """What an older version wrote ends with a line; bytes of no text are damage."""
    if not data.strip(b"\0"):
        return CutError("truncated-file", "it holds nothing but zero bytes", METADATA)
    if not data.endswith(b"\n") or b"\0" in data:
        return CutError("truncated-file", "it ends in the middle of a line", METADATA)
    return ArtifactError(
        "unsupported-version",
        "it is YAML text as torchsnapshot before 0.1 wrote it: its entries were not read",
        METADATA,
    )


def _is_cut(error: ArtifactError, data: bytes) -> bool:
    """Whether the text is right as far as it goes."""
    cause = error.__cause__
    if isinstance(cause, UnicodeDecodeError):
        return cause.end >= len(data)
    if not isinstance(cause, json.JSONDecodeError):
        return False
    rest = cause.doc[cause.pos :].rstrip("\0 \n\r\t")
    unfinished = cause.msg.startswith(("Unterminated string", "Invalid \\")) and "\n" not in rest
    return not rest or unfinished or any(word.startswith(rest) for word in _LITERALS)


def _snapshot(document: object) -> Snapshot:
    if not isinstance(document, dict) or not isinstance(document.get("manifest"), dict):
        raise _wrong("it has no manifest")
    if "version" not in document:
        raise _wrong("it has no version")
    world_size = whole_number(document.get("world_size"))
    if not world_size:
        raise _wrong("its world_size is no positive number")
    if world_size > MOST_RANKS:
        why = f"it speaks of {world_size} ranks, more than {MOST_RANKS}"
        raise ArtifactError("limit-exceeded", why, METADATA)
    ranks: dict[int, dict[str, Entry]] = {}
    unknown: dict[str, None] = {}
    for path, fields in document["manifest"].items():
        rank, _, logical = path.partition("/")
        if not rank.isdecimal() or len(rank) > 9 or int(rank) >= world_size:
            raise _wrong(f"entry {path!r} is of no rank below {world_size}")
        entry = _entry(path, fields)
        if entry is None:
            unknown[str(fields["type"])] = None
        else:
            ranks.setdefault(int(rank), {})[logical] = entry
    return Snapshot(str(document.get("version")), world_size, ranks, tuple(unknown))


def _entry(path: str, fields: object) -> Entry | None:
    """None for a type that is not known."""
    kind = fields.get("type") if isinstance(fields, dict) else None
    if not isinstance(fields, dict) or not isinstance(kind, str):
        raise _wrong(f"entry {path!r} has no type")
    replicated = fields.get("replicated") is True
    try:
        if kind in CONTAINERS:
            return Entry(kind, keys=_keys(fields) if kind != "list" else ())
        if kind in PRIMITIVES:
            return Entry(kind, replicated, value=_value(kind, fields["serialized_value"]))
        if kind == "object":
            extent = Extent(_text(fields["location"]), elsewhere=bool(fields.get("origin")))
            return Entry(kind, replicated, (extent,), serializer=_text(fields["serializer"]))
        if kind == "Tensor":
            return _tensor(fields)
        return _in_parts(kind, fields, replicated) if kind in _IN_PARTS else None
    except (KeyError, TypeError, ValueError, AttributeError, struct.error) as error:
        raise _wrong(f"entry {path!r} of type {kind} cannot be read") from error


def _in_parts(kind: str, fields: dict[str, object], replicated: bool) -> Entry:
    """A tensor in several parts; its shape is what they span."""
    parts = fields[_IN_PARTS[kind]]
    if not isinstance(parts, list) or not parts:
        raise ValueError("no parts")
    tensors = [_tensor(part["tensor"]) for part in parts]
    boxes = tuple((_numbers(part["offsets"]), _numbers(part["sizes"])) for part in parts)
    corners = [tuple(o + s for o, s in zip(*box, strict=True)) for box in boxes]
    shape = tuple(max(ends) for ends in zip(*corners, strict=True))
    extents = tuple(extent for tensor in tensors for extent in tensor.extents)
    first = tensors[0]
    return Entry(kind, replicated, extents, (), None, first.dtype, shape, first.serializer, boxes)


def _tensor(fields: dict[str, object]) -> Entry:
    shape = _numbers(fields["shape"])
    dtype = _text(fields["dtype"]).removeprefix("torch.")
    serializer = _text(fields["serializer"])
    if serializer not in _SERIALIZERS:
        raise ValueError("a serializer that the framework does not have")
    span = fields.get("byte_range")
    size = math.prod(shape) * ITEM_BYTES[dtype] if serializer == _RAW else None
    extent = Extent(
        _text(fields["location"]),
        _span(span) if span is not None else None,
        size,
        bool(fields.get("origin")),
    )
    return Entry(
        "Tensor", fields["replicated"] is True, (extent,), (), None, dtype, shape, serializer
    )


def _span(value: object) -> tuple[int, int]:
    first, end = _numbers(value)
    if end < first:
        raise ValueError("a range that ends before it begins")
    return first, end


def _numbers(value: object) -> tuple[int, ...]:
    """Lengths, or positions in a file or tensor, as many and as large as those can be."""
    if not isinstance(value, list) or len(value) > _MOST_DIMENSIONS:
        raise TypeError("no list of numbers")
    if not all(type(n) is int and 0 <= n < _LARGEST for n in value):
        raise TypeError("no list of numbers")
    return tuple(value)


def _keys(fields: dict[str, object]) -> tuple[str | int, ...]:
    keys = fields["keys"]
    if not isinstance(keys, list) or not all(isinstance(key, str | int) for key in keys):
        raise TypeError("no list of keys")
    return tuple(keys)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _value(kind: str, serialized: object) -> object:
    """An inlined value, as `PrimitiveEntry.get_value` of the framework reads it."""
    text = _text(serialized)
    if kind == "int":
        return int(text)
    if kind == "bool":
        if text not in ("True", "False"):
            raise ValueError("no truth value")
        return text == "True"
    if kind == "str":
        return text
    try:
        raw = base64.b64decode(text)
    except binascii.Error as error:
        raise ValueError("no base64") from error
    return struct.unpack("d", raw)[0] if kind == "float" else raw


def _wrong(message: str) -> ArtifactError:
    return ArtifactError("invalid-json", message, METADATA)
