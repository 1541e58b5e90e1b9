"""The time of a look."""

from __future__ import annotations

from typing import NamedTuple

RATE_WINDOW_SECONDS = 20.0
"""Rates are those of the looks of so long."""


class Moment(NamedTuple):
    """One instant on both clocks, in seconds."""

    wall: float
    monotonic: float
