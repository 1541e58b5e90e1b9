"""One step up or down of a number that stands in a field."""

from __future__ import annotations

import math
import re
from decimal import Decimal

_SIMPLE = re.compile(r"\s*([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([a-zA-Z%/]*)\s*")


def stepped(text: str, direction: int) -> str | None:
    """The text with its number one step further; None where it is no single number with a unit.

    A step is one unit of the second digit from the left, or of the last one written where there
    are fewer: 2 → 3, 24h → 25h, 120 → 130, 0.02 → 0.03. It never reaches below 0, and where 0 is
    the only number left it stays.

    Args:
        text: What stands in the field.
        direction: 1 up, -1 down.
    """
    match = _SIMPLE.fullmatch(text)
    if match is None:
        return None
    number = Decimal(match[1])
    size = _step_size(number, -1 if direction < 0 else 1)
    moved = max(Decimal(0), number + direction * size)
    return f"{moved.normalize():f}{match[2]}"


def _step_size(number: Decimal, direction: int) -> Decimal:
    written = Decimal(1).scaleb(int(number.as_tuple().exponent))
    if number == 0:
        return written
    # Just below a power of ten the finer step of the smaller number holds, so that up undoes down.
    magnitude = math.floor(number.log10())
    if direction < 0 and number == Decimal(1).scaleb(magnitude):
        magnitude -= 1
    if number < 1:
        return min(written, Decimal(1).scaleb(magnitude))
    return max(Decimal(1).scaleb(magnitude - 1), written)
