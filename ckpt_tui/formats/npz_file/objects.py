"""Arrays of Python objects: a pickle, of which nothing is executed, as a tree of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import Instance, Stub
from ckpt_tui.artifacts.pickle_arrays import read_array_pickle
from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.artifacts.torch_archive import TensorInfo

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.pickle_arrays import ArrayPickle
    from ckpt_tui.artifacts.source import Source

_DEEPEST = 100
_FIELDS = {
    "ScaleByAdamState": ("count", "mu", "nu"),
    "ScaleByScheduleState": ("count",),
    "TraceState": ("trace",),
    "ScaleByRmsState": ("nu",),
    "ScaleByLionState": ("count", "mu"),
}
"""Fields of optax's states, which a pickle gives by position alone."""


class Objects(NamedTuple):
    """What a pickle holds.

    Attributes:
        value: A tree of dictionaries, lists, scalars and `StoredArray`.
        globals: Qualified names that the pickle names.
    """

    value: object
    globals: frozenset[str]


def read_objects(source: Source, begin: int | None, limits: Limits) -> Objects:
    """Reads the pickle of an array of objects; one of a single object stands for that object.

    Args:
        source: The pickle.
        begin: Where it begins in the file; None where it does not lie there as it is.
        limits: Bounds of size, opcodes and time.

    Raises:
        ArtifactError: It is cut or damaged, or beyond a limit.
    """
    loaded = read_array_pickle(source, limits)
    return Objects(_plain(_single(loaded.value), loaded, begin, 0), loaded.globals)


def _single(value: object) -> object:
    """The objects of an array: (version, shape, dtype, order, list of objects) is its state."""
    state = value.state if isinstance(value, Instance) else None
    if not isinstance(state, tuple) or len(state) != 5 or not isinstance(state[4], list):
        return value
    return state[4][0] if state[1] == () and len(state[4]) == 1 else state[4]


def _plain(value: object, loaded: ArrayPickle, begin: int | None, depth: int) -> object:
    """The same value without instances and tensor descriptions; what lies too deep is left out."""
    if isinstance(value, TensorInfo):
        return _array(value, loaded, begin)
    if depth >= _DEEPEST or isinstance(value, Stub):
        return None
    if isinstance(value, Instance):
        value = _fields(value)
    if isinstance(value, Mapping):
        return {key: _plain(part, loaded, begin, depth + 1) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part, loaded, begin, depth + 1) for part in value]
    return value


def _fields(value: Instance) -> Mapping[object, object] | list[object]:
    if value.attributes or value.entries:
        return {**value.attributes, **value.entries}
    names = _FIELDS.get(value.name)
    if names is not None and len(names) == len(value.args):
        return dict(zip(names, value.args, strict=True))
    return list(value.args)


def _array(info: TensorInfo, loaded: ArrayPickle, begin: int | None) -> StoredArray:
    held = loaded.stored.get(info.storage_key)
    if held is None:
        return StoredArray(info.dtype, info.shape, info.size_bytes)
    placed = begin is not None and held.offset is not None
    pieces = (((begin or 0) + (held.offset or 0), info.size_bytes),) if placed else ()
    raw = held.inline or b""
    return StoredArray(info.dtype, info.shape, info.size_bytes, pieces, "", raw, held.big_endian)
