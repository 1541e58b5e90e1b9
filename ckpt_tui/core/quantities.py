"""Counts, sizes and times as they are typed into a filter."""

from __future__ import annotations

import re

_NUMBER = r"[0-9]{1,18}(?:\.[0-9]{1,9})?"
_COUNT = re.compile(rf"({_NUMBER})([km]?)")
_SIZE = re.compile(rf"({_NUMBER})([kmgtp]?)(?:i?b)?")
_TIME = re.compile(rf"(?:{_NUMBER}[smhdw]){{1,5}}")
_TIME_PART = re.compile(rf"({_NUMBER})([smhdw])")
_THOUSANDS = {"": 1, "k": 10**3, "m": 10**6}
_BYTES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40, "p": 2**50}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}


class BadQuantityError(ValueError):
    """A text that is no quantity of its kind."""


def count_of(text: str) -> float:
    """A number such as `5000` or `12.5k`; whole ones are exact.

    Raises:
        BadQuantityError: It is anything else.
    """
    return _scaled(_COUNT, text, _THOUSANDS)


def bytes_of(text: str) -> float:
    """A size such as `500m`, `1.25tib` or `4096`: powers of 1024, as sizes are shown.

    Raises:
        BadQuantityError: It is anything else.
    """
    return _scaled(_SIZE, text, _BYTES)


def seconds_of(text: str) -> float:
    """A time such as `30m`, `2h`, `1d12h`; it needs a unit.

    Raises:
        BadQuantityError: It is anything else.
    """
    if _TIME.fullmatch(text) is None:
        raise BadQuantityError(text)
    return sum(float(number) * _SECONDS[unit] for number, unit in _TIME_PART.findall(text))


def _scaled(form: re.Pattern[str], text: str, scale: dict[str, int]) -> float:
    match = form.fullmatch(text)
    if match is None:
        raise BadQuantityError(text)
    number, factor = match[1], scale[match[2]]
    return float(number) * factor if "." in number else int(number) * factor
