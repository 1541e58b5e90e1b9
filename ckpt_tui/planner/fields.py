"""The rules of each input field: how its text is read, what it may be, what to say if not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner import units
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.two_level import MOST_SAVES
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_MINUTES = 3653 * 1440  # ten years
SHORTEST_INTERVAL_MINUTES = 1e-6
MOST_INTERVALS = 64
_HIGHEST_RATE_PER_HOUR = 1e6
_MOST_GPUS = 10_000_000
_MOST_BYTES = 10**18
_HIGHEST_PRICE = 1e6


class FieldError(NamedTuple):
    """One rejected field: its name in `PlanInputs` and one sentence that says what it needs."""

    field: str
    message: str

    @property
    def said(self) -> str:
        """The sentence in the language in use."""
        spec = FIELDS[self.field]
        if self != spec.error(self.field):
            return say_sentence(self.message)
        need = say_sentence(spec.need)
        return say("`{label}`: need {need}", label=say(spec.label), need=need)


class FieldSpec(NamedTuple):
    """One field's rule.

    Attributes:
        label: What messages call it; said where it is shown.
        need: What it must be, with an example; completes "need …".
        read: Text to value; raises `ValueError`.
        allows: Whether a value has the right kind and range.
        optional: Whether None (an empty text) is a value.
    """

    label: str
    need: str
    read: Callable[[str], object]
    allows: Callable[[object], bool]
    optional: bool = False

    def error(self, field: str) -> FieldError:
        """The one sentence to show beside the field."""
        return FieldError(field, f"`{self.label}`: need {self.need}")


def _between(low: float, high: float) -> Callable[[object], bool]:
    def allows(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return low <= value <= high

    return allows


def _whole_between(low: int, high: int) -> Callable[[object], bool]:
    def allows(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high

    return allows


def _allows_intervals(value: object) -> bool:
    allows_one = _between(SHORTEST_INTERVAL_MINUTES, LONGEST_MINUTES)
    return (
        isinstance(value, tuple)
        and 1 <= len(value) <= MOST_INTERVALS
        and all(allows_one(interval) for interval in value)
    )


def _time(label: str, example: str) -> FieldSpec:
    need = f"a time ≥ 0 such as {example}"
    return FieldSpec(label, need, units.parse_duration, _between(0, LONGEST_MINUTES))


def _length(label: str, example: str, *, optional: bool = False) -> FieldSpec:
    need = f"a time above 0, up to 10 years, such as {example}"
    allows = _between(SHORTEST_INTERVAL_MINUTES, LONGEST_MINUTES)
    return FieldSpec(label, need, units.parse_duration, allows, optional)


def _count(label: str, most: int, example: str) -> FieldSpec:
    need = f"a whole number from 1 to {most} such as {example}"
    return FieldSpec(label, need, units.parse_count, _whole_between(1, most), optional=True)


FIELDS: dict[str, FieldSpec] = {
    "run_minutes": _length(later("run"), "24h or 54d"),
    "fault_rate_per_hour": FieldSpec(
        later("fault rate"),
        "a rate per hour ≥ 0 such as 0.02, or an MTBF such as 50h",
        units.parse_rate,
        _between(0, _HIGHEST_RATE_PER_HOUR),
    ),
    "save_minutes": _time(later("save"), "2m or 40s"),
    "reload_minutes": _time(later("reload"), "8m or 90s"),
    "down_minutes": _time(later("down"), "5m or 0"),
    "intervals_minutes": FieldSpec(
        later("intervals"),
        f"1 to {MOST_INTERVALS} times above 0 such as 15,30,60,120",
        units.parse_intervals,
        _allows_intervals,
    ),
    "mode": FieldSpec(
        later("mode"),
        "one of sync, async, two-level",
        lambda text: PlanMode(text.strip().lower()),
        lambda value: isinstance(value, PlanMode),
    ),
    "snapshot_minutes": _time(later("snapshot"), "6s or 0.1"),
    "persist_minutes": _time(later("persist"), "5m or 40s"),
    "slowdown": FieldSpec(
        later("slowdown"),
        "a share from 0 to below 100% such as 5% or 0.05",
        units.parse_share,
        _between(0, math.nextafter(1, 0)),
    ),
    "level1_save_minutes": _time(later("level-1 save"), "6s or 0.1"),
    "level1_reload_minutes": _time(later("level-1 reload"), "1m or 30s"),
    "level1_down_minutes": _time(later("level-1 down"), "1m or 0"),
    "level1_coverage": FieldSpec(
        later("level-1 coverage"),
        "a share from 0 to 100% such as 75% or 0.75",
        units.parse_share,
        _between(0, 1),
    ),
    "level2_every_saves": _count(later("level-2 every"), MOST_SAVES, "12"),
    "weibull_shape": FieldSpec(
        later("Weibull shape"),
        "a number from 0.2 to 10 such as 0.7, or nothing for exponential failures",
        units.parse_number,
        _between(0.2, 10),
        optional=True,
    ),
    "step_seconds": FieldSpec(
        later("step time"),
        "a time above 0 such as 10.5s",
        units.parse_seconds,
        _between(1e-6, LONGEST_MINUTES * 60),
        optional=True,
    ),
    "current_interval_minutes": _length(later("current interval"), "30m or 2h", optional=True),
    "gpus": _count(later("GPUs"), _MOST_GPUS, "512"),
    "gpu_hour_price": FieldSpec(
        later("GPU-hour price"),
        f"a number from 0 to {_HIGHEST_PRICE:.0f} such as 2.50",
        units.parse_number,
        _between(0, _HIGHEST_PRICE),
        optional=True,
    ),
    "checkpoint_bytes": FieldSpec(
        later("checkpoint size"),
        "a size above 0 such as 1.25TiB",
        units.parse_bytes,
        _whole_between(1, _MOST_BYTES),
        optional=True,
    ),
}
