"""Keyed differences between two pictures, so that a screen redraws only what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Diff(NamedTuple):
    """What changed between two keyed sequences.

    Attributes:
        added: Keys that are new.
        removed: Keys that are gone.
        changed: Keys whose value differs.
        order: All keys of the new sequence, in its order.
        moved: True where keys that stayed changed their order among each other.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    order: tuple[str, ...]
    moved: bool

    @property
    def empty(self) -> bool:
        """True where nothing has to be drawn anew."""
        return not (self.added or self.removed or self.changed or self.moved)


def keyed_diff(old: Mapping[str, object], new: Mapping[str, object]) -> Diff:
    """Compares two mappings by key and by the order of their keys.

    Identity is tried before equality: the store hands out the same object for what did not change.
    """
    added = tuple(key for key in new if key not in old)
    removed = tuple(key for key in old if key not in new)
    changed = tuple(
        key
        for key, value in new.items()
        if key in old and old[key] is not value and old[key] != value
    )
    stayed_old = [key for key in old if key in new]
    stayed_new = [key for key in new if key in old]
    return Diff(added, removed, changed, tuple(new), stayed_old != stayed_new)
