"""Figures of a plan as people read them; none is ever blank, infinite or NaN."""

from __future__ import annotations

from ckpt_tui.core.text import duration_text
from ckpt_tui.words import say

UNKNOWN = "–"
_LONG_MINUTES = 1000
_CENTURY_MINUTES = 36_525 * 1440
_MOST_PLAIN = 1e6


def interval_text(minutes: float) -> str:
    """A time in the unit that planners talk in: "48 s", "109.5 min", "120 min", "2d 06h".

    Beyond a century it is only told that it is.
    """
    if minutes > _CENTURY_MINUTES:
        return say("> 100 years")
    if round(minutes, 1) < 1:
        return f"{_trimmed(f'{minutes * 60:.3g}')} s"
    if minutes < _LONG_MINUTES:
        return f"{_trimmed(f'{minutes:.1f}')} min"
    return duration_text(minutes * 60)


def span_text(low_minutes: float, high_minutes: float) -> str:
    """Two times with one unit where they share it: "79.1 to 148.1 min"."""
    low, high = interval_text(low_minutes), interval_text(high_minutes)
    low_number, _, low_unit = low.partition(" ")
    if low_unit and low_unit == high.partition(" ")[2]:
        low = low_number
    return say("{low} to {high}", low=low, high=high)


def precise_time(minutes: float) -> str:
    """A time in one unit with two decimals, for figures that are to be compared: "30.62 h"."""
    if minutes < _LONG_MINUTES:
        return f"{minutes:.2f} min"
    hours = minutes / 60
    return f"{hours:.2f} h" if hours < _LONG_MINUTES else f"{hours / 24:,.2f} d"


def minutes_cell(minutes: float) -> str:
    """Minutes of a run, as the lesson rounds them: "199.44"; coarse where they are many."""
    if minutes < _LONG_MINUTES:
        return f"{minutes:.2f}"
    return f"{minutes:.0f}" if minutes < _MOST_PLAIN else f"{minutes:.1e}"


def faults_cell(faults: float) -> str:
    """A count that is expected, not seen: "0.48", "15.6", "164"."""
    digits = 2 if faults < 10 else 1 if faults < 100 else 0
    return f"{faults:.{digits}f}" if faults < _MOST_PLAIN else f"{faults:.1e}"


def percent(share: float) -> str:
    """A share in per cent: "3.93 %", "340 %"."""
    value = 100 * share
    if 0 < value < 0.005:
        return "< 0.01 %"
    if value < 99.995:
        return f"{value:.2f} %"
    return f"{value:.0f} %" if value < _MOST_PLAIN else f"{value:.0e} %"


def coarse_percent(share: float) -> str:
    """A share for a sentence: "61.9 %", "< 0.1 %"."""
    return f"{100 * share:.1f} %" if share >= 0.0005 else "< 0.1 %"


def amount(value: float) -> str:
    """GPU-hours or money: two decimals while small, none when large, thousands grouped."""
    return f"{value:,.2f}" if value < 100 else f"{value:,.0f}"


def _trimmed(number: str) -> str:
    return number.removesuffix(".0")
