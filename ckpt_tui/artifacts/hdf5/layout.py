"""Where the bytes of a dataset lie: the layout and filter messages."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.view import View

DEFLATE, SHUFFLE, FLETCHER32 = 1, 2, 3
_COMPACT, _CONTIGUOUS, _CHUNKED, _VIRTUAL = range(4)
_SINGLE, _IMPLICIT = 1, 2
_FILTERED_SINGLE = 0x02
_MOST_FILTERS = 32
_MOST_LENGTH_BYTES = 8
_FIRST_UNNAMED_FILTER = 256
_NEW_FILL = 3
_LEAST_FILL_BYTES = 2


class Placing(StrEnum):
    """How the bytes of a dataset are stored."""

    COMPACT = "compact"
    CONTIGUOUS = "contiguous"
    CHUNKED = "chunked"


class Index(StrEnum):
    """What says where the chunks of a chunked dataset are."""

    NONE = "none"
    TREE = "tree"
    SINGLE = "single"
    IMPLICIT = "implicit"


class Filter(NamedTuple):
    """One step of a filter pipeline.

    Attributes:
        number: `DEFLATE`, `SHUFFLE`, `FLETCHER32` or another that is registered.
        optional: Whether a chunk may have gone without it.
        values: Its parameters.
    """

    number: int
    optional: bool
    values: tuple[int, ...]


class Layout(NamedTuple):
    """Where the bytes of a dataset are.

    Attributes:
        placing: How they are stored.
        address: Of the data, or of the chunks' index; None where there are none yet.
        size_bytes: Of the data where they are in one piece; of the one chunk if `SINGLE`.
        data: The data themselves where they lie in the header.
        chunk_shape: Lengths of a chunk, in elements.
        chunk_index: What says where the chunks are.
        mask: Filters that the one chunk goes without.
    """

    placing: Placing
    address: int | None = None
    size_bytes: int = 0
    data: bytes = b""
    chunk_shape: tuple[int, ...] = ()
    chunk_index: Index = Index.NONE
    mask: int = 0


def read_layout(view: View, data: bytes) -> Layout:
    """The layout that a message holds.

    Raises:
        ArtifactError: `unreadable-archive`; `unsupported-version` for virtual datasets and for
            chunk indexes that only `libver="latest"` writes.
    """
    if len(data) < 2:
        raise view.wrong("a dataset's layout ends in the middle")
    version, kind = data[:2]
    if version in (1, 2):
        return _old(view, data)
    if version not in (3, 4, 5) or kind > _VIRTUAL:
        raise view.wrong(f"a dataset's layout of version {version} and class {kind}")
    if kind == _VIRTUAL:
        raise view.unsupported("a virtual dataset")
    if kind == _COMPACT:
        size = int.from_bytes(data[2:4], "little")
        return _compact(view, data[4 : 4 + size], size)
    if kind == _CONTIGUOUS:
        address = _address(view, view.offset_at(data, 2))
        return Layout(Placing.CONTIGUOUS, address, view.length_at(data, 2 + view.offset_bytes))
    return _chunked(view, data) if version == 3 else _chunked_by_more(view, data)


def _old(view: View, data: bytes) -> Layout:
    rank, kind = data[1:3]
    at = 8
    if kind > _CHUNKED or not rank:
        raise view.wrong(f"a dataset's layout of version {data[0]} and class {kind}")
    address = None
    if kind != _COMPACT:
        address = _address(view, view.offset_at(data, at))
        at += view.offset_bytes
    lengths = _lengths(view, data, at, rank, 4)
    if kind == _CONTIGUOUS:
        return Layout(Placing.CONTIGUOUS, address, math.prod(lengths))
    at += 4 * rank
    if kind == _COMPACT:
        size = int.from_bytes(data[at : at + 4], "little")
        return _compact(view, data[at + 4 : at + 4 + size], size)
    return Layout(Placing.CHUNKED, address, chunk_shape=lengths[:-1], chunk_index=Index.TREE)


def _compact(view: View, data: bytes, size: int) -> Layout:
    if len(data) != size:
        raise view.wrong("a dataset's bytes reach past the end of its object header")
    return Layout(Placing.COMPACT, None, size, data)


def _chunked(view: View, data: bytes) -> Layout:
    rank = data[2] if len(data) > 2 else 0
    address = _address(view, view.offset_at(data, 3))
    lengths = _lengths(view, data, 3 + view.offset_bytes, rank, 4)
    return Layout(Placing.CHUNKED, address, chunk_shape=lengths[:-1], chunk_index=Index.TREE)


def _chunked_by_more(view: View, data: bytes) -> Layout:
    if len(data) < 5:
        raise view.wrong("a dataset's layout ends in the middle")
    flags, rank, width = data[2:5]
    lengths = _lengths(view, data, 5, rank, width)
    at = 5 + rank * width
    kind = data[at] if at < len(data) else 0
    at += 1
    size = mask = 0
    if kind == _SINGLE and flags & _FILTERED_SINGLE:
        size = view.length_at(data, at)
        at += view.length_bytes
        mask = int.from_bytes(data[at : at + 4], "little")
        at += 4
    elif kind not in (_SINGLE, _IMPLICIT):
        raise view.unsupported(f"a chunk index of type {kind}")
    address = _address(view, view.offset_at(data, at))
    index = Index.SINGLE if kind == _SINGLE else Index.IMPLICIT
    size = size or math.prod(lengths)
    return Layout(
        Placing.CHUNKED, address, size, chunk_shape=lengths[:-1], chunk_index=index, mask=mask
    )


def _lengths(view: View, data: bytes, at: int, rank: int, width: int) -> tuple[int, ...]:
    """Lengths of a chunk, the size of an element last."""
    part = data[at : at + rank * width]
    lengths = tuple(
        int.from_bytes(part[n * width : (n + 1) * width], "little") for n in range(rank)
    )
    if (
        len(part) != rank * width
        or not rank
        or not 0 < width <= _MOST_LENGTH_BYTES
        or not all(lengths)
    ):
        raise view.wrong("a dataset's layout has a chunk without elements")
    return lengths


def _address(view: View, address: int) -> int | None:
    return None if address == view.undefined else address


def read_filters(view: View, data: bytes) -> tuple[Filter, ...]:
    """The filters of a pipeline message, in the order in which a writer applies them.

    Raises:
        ArtifactError: `unreadable-archive`.
    """
    if len(data) < 2 or data[0] not in (1, 2) or not 0 < data[1] <= _MOST_FILTERS:
        raise view.wrong("a dataset's filters contradict themselves")
    old = data[0] == 1
    at = 8 if old else 2
    filters = []
    for _ in range(data[1]):
        number = int.from_bytes(data[at : at + 2], "little")
        named = old or number >= _FIRST_UNNAMED_FILTER
        name_bytes = int.from_bytes(data[at + 2 : at + 4], "little") if named else 0
        at += 4 if named else 2
        flags, count = (int.from_bytes(data[at + n : at + n + 2], "little") for n in (0, 2))
        at += 4 + (name_bytes + 7 & ~7 if old else name_bytes)
        part = data[at : at + 4 * count]
        if len(part) != 4 * count:
            raise view.wrong("a dataset's filters reach past the end of their message")
        values = tuple(int.from_bytes(part[n : n + 4], "little") for n in range(0, 4 * count, 4))
        filters.append(Filter(number, bool(flags & 1), values))
        at += 4 * count + (4 if old and count % 2 else 0)
    return tuple(filters)


def check_fill_value(view: View, data: bytes) -> None:
    """Whether a fill value's message is one: libhdf5 decodes it to open a dataset.

    Raises:
        ArtifactError: `unreadable-archive`.
    """
    version = data[0] if len(data) >= _LEAST_FILL_BYTES else 0
    at = 2 if version == _NEW_FILL else 4
    defined = version == 1 or bool(data[1] & 0x20 if version == _NEW_FILL else data[3:4] > b"\0")
    length = int.from_bytes(data[at : at + 4], "little") if defined else 0
    if not 1 <= version <= _NEW_FILL or at + 4 + length > max(len(data), at + 4):
        raise view.wrong("a dataset's fill value contradicts itself")
