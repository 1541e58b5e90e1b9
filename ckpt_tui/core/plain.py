"""The core's named tuples as plain JSON values and back, for files that we write and read again.

A named tuple is a list by position, whose last items are left out where they have their defaults. A
tuple of named tuples is a table, by columns: a column of equal values is one value. Other tuples
and frozen sets are lists, enums their values, a float that JSON has no number for is its name.
Whatever is read back is checked against the annotations: a file may hold anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from itertools import repeat
from sys import intern
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from ckpt_tui.core.checkpoint import Checkpoint
from ckpt_tui.core.facts import CheckpointFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.restarts import Restart
from ckpt_tui.core.runs import Run
from ckpt_tui.core.verified import VerifiedFacts

_T = TypeVar("_T")
_Decode = Callable[[object], Any]

# Modules import these for the type checker only, so that their annotations alone do not lead here.
_NAMES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (Checkpoint, CheckpointFacts, Finding, Restart, Run, VerifiedFacts)
}

_AS_THEY_ARE = frozenset({str, int, bool, NoneType})
_TEXT = frozenset({str})
_NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


class PlainError(ValueError):
    """A plain value is not what the annotations ask for; the text names the place."""


def encode(value: object) -> object:
    """A named tuple, or what one may hold, as lists, strings, numbers, booleans and None.

    Raises:
        TypeError: It holds what no annotation of the core allows.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        return _encode_tuple(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, frozenset):
        return sorted(map(encode, value), key=str)
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{kind.__name__} has no plain form")


def _encode_tuple(value: tuple[Any, ...]) -> list[object]:
    kind = type(value)
    if kind is not tuple:
        return _encode_all(value[: _told(kind, [(item,) for item in value])])
    kinds = set(map(type, value))
    row = kinds.pop() if len(kinds) == 1 else tuple
    if not hasattr(row, "_fields"):
        return _encode_all(value)
    columns = list(zip(*value, strict=True))
    first, *others = columns[: _told(row, columns) or 1]
    return [_encode_all(first), *(_encode_all(_shortest(column)) for column in others)]


def _encode_all(values: tuple[Any, ...]) -> list[object]:
    plain = _AS_THEY_ARE.issuperset(map(type, values))
    return [*values] if plain else [encode(value) for value in values]


def _told(kind: type, columns: list[tuple[Any, ...]]) -> int:
    """How many fields have to be told: those behind them all have their defaults."""
    fields, defaults = _fields_of(kind)
    count = len(fields)
    while count and fields[count - 1] in defaults:
        column = columns[count - 1]
        if column.count(defaults[fields[count - 1]]) != len(column):
            break
        count -= 1
    return count


def _shortest(column: tuple[Any, ...]) -> tuple[Any, ...]:
    return column[:1] if column.count(column[0]) == len(column) else column


def _fields_of(kind: type) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Names of the fields of a named tuple, and the defaults of those that have one."""
    return getattr(kind, "_fields", ()), getattr(kind, "_field_defaults", {})


_decoders: dict[type, _Decode] = {}


def decoder_of(kind: type[_T]) -> Callable[[object], _T]:
    """The function that makes a named tuple of what `encode` made of one.

    It raises PlainError for anything else. It is made once per type.

    Args:
        kind: A named tuple of strings, numbers, booleans, enums, other such named tuples,
            ``tuple[X, ...]``, ``frozenset[X]``, ``tuple[X, Y]`` of scalars, and unions of these
            with None.

    Raises:
        TypeError: A field is annotated with anything else.
    """
    known = _decoders.get(kind)
    if known is None:
        known = _decoders[kind] = _record(kind)
    return known


class _Field(NamedTuple):
    """How values are read.

    Attributes:
        decode: Reads one.
        kinds: The types that say all about a value; empty where only `decode` can tell.
    """

    decode: _Decode
    kinds: frozenset[type] = frozenset()


def _field(annotation: Any, place: str) -> _Field:
    options = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    if _AS_THEY_ARE.issuperset(options):
        return _scalar(frozenset(options), place)
    others = [option for option in options if option is not NoneType]
    if len(others) != 1:
        raise TypeError(f"{place}: {annotation} cannot be told apart in plain values")
    decode = _decoder(others[0], place)
    return _Field(decode if len(options) == 1 else _or_none(decode))


def _decoder(annotation: Any, place: str) -> _Decode:
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is tuple and len(inner) == 2 and inner[1] is ...:
        return _table(inner[0]) if hasattr(inner[0], "_fields") else _items(inner[0], place, tuple)
    if origin is tuple and _AS_THEY_ARE.issuperset(inner):
        return _row(tuple, [_field(each, place).decode for each in inner], [], place)
    if origin is frozenset:
        return _items(inner[0], place, frozenset)
    if annotation is float:
        return _number(place)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _member(annotation, place)
    if isinstance(annotation, type) and hasattr(annotation, "_fields"):
        return decoder_of(annotation)
    raise TypeError(f"{place}: {annotation} has no plain form")


def _or_none(decode: _Decode) -> _Decode:
    return lambda value: None if value is None else decode(value)


def _scalar(kinds: frozenset[type], place: str) -> _Field:
    def decode(value: object) -> Any:
        return _checked([value], kinds, place)[0]

    return _Field(decode, kinds)


def _checked(values: list[Any], kinds: frozenset[type], place: str) -> list[Any]:
    """The same values. Strings are interned: JSON makes anew what many checkpoints repeat."""
    if not kinds.issuperset(map(type, values)):
        raise PlainError(f"{place}: {values!r:.80} has a value of a wrong type")
    if kinds == _TEXT:
        return list(map(intern, values))
    if str in kinds:
        return [intern(value) if type(value) is str else value for value in values]
    return values


def _number(place: str) -> _Decode:
    def decode(value: object) -> float:
        if type(value) is float or type(value) is int:
            return value
        if isinstance(value, str) and value in _NOT_FINITE:
            return _NOT_FINITE[value]
        raise PlainError(f"{place}: {value!r:.80} is no number")

    return decode


def _member(kind: type[Enum], place: str) -> _Decode:
    members = {member.value: member for member in kind}

    def decode(value: object) -> Enum:
        member = members.get(value) if isinstance(value, str | int) else None
        if member is None:
            raise PlainError(f"{place}: {value!r:.80} is no {kind.__name__}")
        return member

    return decode


def _list(value: object, place: str) -> list[Any]:
    if type(value) is not list:
        raise PlainError(f"{place}: {value!r:.80} is no list")
    return value


def _items(annotation: Any, place: str, container: type) -> _Decode:
    """For a list of any length of values that are alike."""
    field = _field(annotation, place)
    return lambda value: container(_values(_list(value, place), field, place))


def _values(told: list[Any], field: _Field, place: str) -> list[Any]:
    return _checked(told, field.kinds, place) if field.kinds else list(map(field.decode, told))


def _record(kind: type) -> _Decode:
    decoders = [field.decode for field in _fields_to_read(kind)]
    return _row(kind, decoders, list(_fields_of(kind)[1].values()), kind.__name__)


def _fields_to_read(kind: type) -> list[_Field]:
    names, _ = _fields_of(kind)
    if not names:
        raise TypeError(f"{kind.__name__} is no named tuple")
    hints = get_type_hints(kind, localns=_NAMES)
    return [_field(hints[name], f"{kind.__name__}.{name}") for name in names]


def _row(kind: type, decoders: list[_Decode], defaults: list[Any], place: str) -> _Decode:
    """For a list with one value per field, of which the last may be left out."""
    most = len(decoders)
    least = most - len(defaults)

    def decode(value: object) -> Any:
        told = _list(value, place)
        if not least <= len(told) <= most:
            raise PlainError(f"{place}: {len(told)} values, not {least} to {most}")
        values = [read(each) for read, each in zip(decoders, told, strict=False)]
        return tuple.__new__(kind, values + defaults[len(told) - least :])

    return decode


def _table(kind: type) -> _Decode:
    """For the columns of a table; the first has as many values as the table has rows."""
    fields = _fields_to_read(kind)
    names, by_name = _fields_of(kind)
    places = [f"{kind.__name__}.{name}" for name in names]
    defaults = list(by_name.values())
    most = len(fields)
    least = max(1, most - len(defaults))
    make: Callable[[Iterable[Any]], Any] = partial(tuple.__new__, kind)

    def decode(value: object) -> tuple[Any, ...]:
        told = _list(value, kind.__name__)
        if not least <= len(told) <= most:
            raise PlainError(f"{kind.__name__}: {len(told)} columns, not {least} to {most}")
        rows = len(_list(told[0], places[0]))
        columns: list[Iterable[Any]] = []
        for field, place, each in zip(fields, places, told, strict=False):
            values = _values(_list(each, place), field, place)
            if len(values) not in (1, rows):
                raise PlainError(f"{place}: {len(values)} values for {rows} rows")
            columns.append(values if len(values) == rows else repeat(values[0], rows))
        columns += [
            repeat(default, rows) for default in defaults[len(told) - most + len(defaults) :]
        ]
        return tuple(map(make, zip(*columns, strict=True)))

    return lambda value: () if value == [] else decode(value)
