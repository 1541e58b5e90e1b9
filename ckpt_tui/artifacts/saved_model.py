"""Walks the outline of a `saved_model.pb`: which fields it has, not what is in them.

By TensorFlow's `core/protobuf/saved_model.proto` and `meta_graph.proto` (2.21).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.protobuf import BYTES, FIXED32, FIXED64, read_varint
from ckpt_tui.artifacts.source import require_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.artifacts.source import Source

_META_GRAPHS: Final = 2
_OBJECT_GRAPH: Final = 7
_HEAD_BYTES: Final = 20
_FIXED: Final = {FIXED64: 8, FIXED32: 4}


class _Field(NamedTuple):
    """One field: its number, and where its value lies."""

    number: int
    begin: int
    end: int


def has_object_graph(source: Source, limits: Limits) -> bool:
    """Whether a SavedModel holds objects, as TensorFlow 2 writes it: those need their variables.

    Raises:
        ArtifactError: `empty-file`; `truncated-file` where a field reaches over the end;
            `unreadable-archive` where it is no message; `limit-exceeded`.
    """
    require_content(source)
    deadline = Deadline(limits, source.name)
    found = False
    for outer in _fields(source, 0, source.size, deadline):
        if outer.number == _META_GRAPHS:
            inner = _fields(source, outer.begin, outer.end, deadline)
            found |= any(field.number == _OBJECT_GRAPH for field in inner)
    return found


def _fields(source: Source, at: int, end: int, deadline: Deadline) -> Iterator[_Field]:
    while at < end:
        deadline.check()
        head = source.read_at(at, min(_HEAD_BYTES, end - at))
        key, used = read_varint(head, 0, source.name)
        kind = key & 7
        if kind not in (0, BYTES, *_FIXED):
            raise ArtifactError(
                "unreadable-archive", f"the field at offset {at} has no known type", source.name
            )
        length = _FIXED.get(kind, 0)
        if kind not in _FIXED:
            number, used = read_varint(head, used, source.name)
            length = number if kind == BYTES else 0
        begin = at + used
        if begin + length > end:
            raise ArtifactError(
                "truncated-file",
                f"the field at offset {at} needs {length} bytes, but only {end - begin} follow",
                source.name,
            )
        at = begin + length
        yield _Field(key >> 3, begin, at)
