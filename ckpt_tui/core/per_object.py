"""Remembers what was derived from immutable values that are asked again and again."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Value = TypeVar("_Value")
_Result = TypeVar("_Result")

MOST_REMEMBERED = 16


def per_object(derive: Callable[[_Value], _Result]) -> Callable[[_Value], _Result]:
    """Derives once for each object, told apart by identity: no hash of ten thousand checkpoints.

    The last few objects are kept alive for it. Any thread may ask; two at once may both derive.
    """
    remembered: dict[int, tuple[_Value, _Result]] = {}

    @wraps(derive)
    def derived(value: _Value) -> _Result:
        known = remembered.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        result = derive(value)
        if len(remembered) >= MOST_REMEMBERED:
            remembered.clear()
        remembered[id(value)] = (value, result)
        return result

    return derived
