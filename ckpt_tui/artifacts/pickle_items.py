"""Guarded insertion into dictionaries and sets: no key may cost more than it weighs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from ckpt_tui.artifacts.inert import Instance, Stub
from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from collections.abc import Collection

    from ckpt_tui.artifacts.limits import Deadline

Item = TypeVar("Item")

# Their hash is randomised per process (text, bytes), by identity, or constant.
_CHEAP: Final = frozenset({str, bytes, bool, type(None), Stub, Instance})
# Their hash can be chosen to collide: insertion looks at the clock.
_CHOSEN: Final = frozenset({int, float, complex, frozenset})
_KEY_PARTS: Final = 1000
_KEY_DEPTH: Final = 16
_BETWEEN_CHECKS: Final = 64


class ItemKeeper:
    """Inserts items and copies containers within the budget and time of one pickle."""

    def __init__(self, deadline: Deadline, budget: int) -> None:
        self._deadline = deadline
        self._budget = budget
        self._checked = 0

    def spend(self, amount: int) -> None:
        """Takes from the budget of copied elements and bytes.

        A pickle can name one large object again and again; copies of it are not bounded by the
        size of the file.

        Raises:
            ArtifactError: `limit-exceeded`: nothing is left.
        """
        self._budget -= amount
        if self._budget < 0:
            raise ArtifactError(
                "limit-exceeded", "the pickle copies more than its own size can need"
            )

    def copied(self, elements: Collection[Item]) -> Collection[Item]:
        """Returns the elements, paid for from the budget."""
        self.spend(len(elements))
        return elements

    def set_items(self, target: dict[object, object], items: tuple[object, ...]) -> None:
        """Sets `key, value, key, value, …` on the dictionary.

        Raises:
            ArtifactError: `unreadable-archive` for a key that cannot be hashed,
                `limit-exceeded` for one that is too large, or past the time limit.
        """
        if len(items) & 1:
            raise ArtifactError("unreadable-archive", "the pickle sets a key without a value")
        pairs = iter(items)
        for key in pairs:
            if type(key) is not str:
                self._check_key(key)
            target[key] = next(pairs)

    def add(self, target: set[object], elements: Collection[object]) -> None:
        """Adds the elements to the set; errors as in `set_items`."""
        self.spend(len(elements))
        for element in elements:
            if type(element) is not str:
                self._check_key(element)
            target.add(element)

    def _check_key(self, key: object) -> None:
        self._checked += 1
        if self._checked % _BETWEEN_CHECKS == 0:
            self._deadline.check()
        kind = type(key)
        if kind not in _CHEAP and kind not in _CHOSEN:
            self._check_parts(key)

    def _check_parts(self, key: object) -> None:
        """Refuses a tuple that is large or deep when written out in full."""
        parts = 0
        level: list[object] = [key]
        for _ in range(_KEY_DEPTH):
            inner: list[object] = []
            for part in level:
                kind = type(part)
                if isinstance(part, tuple):
                    parts += len(part) + 1
                    if parts > _KEY_PARTS:
                        raise _key_too_large()
                    inner.extend(part)
                elif kind not in _CHEAP and kind not in _CHOSEN:
                    raise ArtifactError(
                        "unreadable-archive", f"the pickle uses a {kind.__name__} as a key"
                    )
            if not inner:
                return
            level = inner
        raise _key_too_large()


def _key_too_large() -> ArtifactError:
    return ArtifactError(
        "limit-exceeded",
        f"the pickle uses a key of more than {_KEY_PARTS} parts or {_KEY_DEPTH} levels",
    )
