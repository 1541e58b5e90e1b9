"""What changed between two JSON values, as a JSON value, and how to apply it.

A change is None (nothing), ``["=", value]`` (another value), ``["~", {place: change, …}]`` (items
of a list of the same length), ``["cut", start, removed, [items…]]`` (a part of a list, replaced) or
``["mix", [["from", start, count], ["new", [items…]], …]]`` (a list of parts of the old one and new
items: the oldest checkpoint goes and a new one comes, and all others stay).
Nothing is changed in place: what stays is shared, so that a look at identity tells what is new.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from ckpt_tui.core.plain import encode

Change: TypeAlias = list[object] | None

_MOST_REPLACED = 0.5
"""A list of which more than this share of the items differ is told anew."""
_SHORT = 8
MOST_ITEMS = 4_000_000
"""Of all lists that one change makes: a few bytes could else ask for any number of copies."""


class DeltaError(ValueError):
    """A change does not fit what it is applied to; the text says where."""


class Unwritten:
    """A value of the core in a state; its plain form is made when it is needed, and not kept."""

    __slots__ = ("value",)

    def __init__(self, value: tuple[Any, ...]) -> None:
        self.value = value


def plain_form(item: object) -> object:
    """What is written of an item that JSON does not know: `default` of `json.dumps`."""
    if not isinstance(item, Unwritten):
        raise TypeError(f"{type(item).__name__} has no plain form")
    return encode(item.value)


def delta(old: object, new: object) -> Change:
    """What makes `new` of `old`; None where they are equal.

    Both may hold `Unwritten` items; so may what comes back.
    """
    if old is new:
        return None
    if isinstance(old, Unwritten) and isinstance(new, Unwritten):
        return delta(plain_form(old), plain_form(new))
    if isinstance(old, list) and isinstance(new, list):
        return _list_delta(old, new)
    if type(old) is type(new) and old == new:
        return None
    return ["=", new]


def _list_delta(old: list[object], new: list[object]) -> Change:
    places = {
        id(item): place for place, item in enumerate(old) if isinstance(item, list | Unwritten)
    }
    if any(places.get(id(item), place) != place for place, item in enumerate(new)):
        return _mixed(new, places)
    return _same_length(old, new) if len(old) == len(new) else _cut(old, new)


def _mixed(new: list[object], places: dict[int, int]) -> Change:
    """Parts of the old list by place, for items that are the same objects, and new items."""
    parts: list[list[Any]] = []
    for item in new:
        place = places.get(id(item))
        last: list[Any] = parts[-1] if parts else [""]
        if place is None and last[0] == "new":
            last[1].append(item)
        elif place is None:
            parts.append(["new", [item]])
        elif last[0] == "from" and last[1] + last[2] == place:
            last[2] += 1
        else:
            parts.append(["from", place, 1])
    return ["mix", parts]


def _same_length(old: list[object], new: list[object]) -> Change:
    changes = {
        str(place): change
        for place, (before, after) in enumerate(zip(old, new, strict=True))
        if (change := delta(before, after)) is not None
    }
    if not changes:
        return None
    if len(new) > _SHORT and len(changes) > _MOST_REPLACED * len(new):
        return ["=", new]
    return ["~", changes]


def _cut(old: list[object], new: list[object]) -> Change:
    """The parts at both ends that are alike stay."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and _alike(old[start], new[start]):
        start += 1
    end = 0
    while end < shorter - start and _alike(old[-1 - end], new[-1 - end]):
        end += 1
    return ["cut", start, len(old) - start - end, new[start : len(new) - end]]


def _alike(one: object, other: object) -> bool:
    return one is other or delta(one, other) is None


class Patched(NamedTuple):
    """What a change makes of a value.

    Attributes:
        made: How many items the lists have that were made anew.
    """

    value: object
    made: int


def patched(old: object, change: object) -> Patched:
    """Applies a change; `old` is left as it was.

    Raises:
        DeltaError: The change is none, does not fit, or asks for more than `MOST_ITEMS`.
    """
    patching = _Patching()
    return Patched(patching.of(old, change), patching.made)


class _Patching:
    """Applies one change, and counts what that makes."""

    def __init__(self) -> None:
        self.made = 0

    def of(self, old: object, change: object) -> object:
        if change is None:
            return old
        match change:
            case ["=", value]:
                return value
            case ["~", dict() as changes] if isinstance(old, list):
                return self._items(old, changes)
            case ["cut", int() as start, int() as removed, list() as items] if isinstance(
                old, list
            ):
                return self._with_part(old, start, removed, items)
            case ["mix", list() as parts] if isinstance(old, list):
                return self._put_together(old, parts)
        raise DeltaError(f"{change!r:.60} changes no {type(old).__name__}")

    def _count(self, items: int) -> None:
        self.made += items
        if self.made > MOST_ITEMS:
            raise DeltaError(f"a change that makes more than {MOST_ITEMS} items")

    def _items(self, old: list[object], changes: dict[str, object]) -> list[object]:
        self._count(len(old))
        new = [*old]
        for text, change in changes.items():
            place = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else len(old)
            if place >= len(old):
                raise DeltaError(f"item {text[:20]} of a list of {len(old)}")
            new[place] = self.of(old[place], change)
        return new

    def _with_part(
        self, old: list[object], start: int, removed: int, items: list[object]
    ) -> list[object]:
        if start < 0 or removed < 0 or start + removed > len(old):
            raise DeltaError(f"a part from {start} on of a list of {len(old)}")
        self._count(len(old) - removed + len(items))
        return [*old[:start], *items, *old[start + removed :]]

    def _put_together(self, old: list[object], parts: list[object]) -> list[object]:
        new: list[object] = []
        for part in parts:
            match part:
                case ["from", int() as start, int() as count] if 0 <= start <= len(old) - count:
                    self._count(max(0, count))
                    new += old[start : start + max(0, count)]
                case ["new", list() as items]:
                    self._count(len(items))
                    new += items
                case _:
                    raise DeltaError(f"a part {part!r:.60} of a list of {len(old)}")
        return new
