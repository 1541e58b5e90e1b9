"""The fields that the panel offers: names, which mode has them, and their first texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import bytes_text
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.units import format_duration
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs

_ALL = tuple(PlanMode)
_SYNC, _ASYNC, _TWO = ((mode,) for mode in PlanMode)
_SAVING = (PlanMode.SYNC, PlanMode.TWO_LEVEL)
_ONE_LEVEL = (PlanMode.SYNC, PlanMode.ASYNC)
_WHOLE_HOURS_UP_TO = 72 * 60


class PanelField(NamedTuple):
    """A field of the form.

    Attributes:
        name: The field of `PlanInputs`.
        label: At most ten cells; said where it is shown.
        modes: The save modes that use it.
        span: Columns of the form that it takes.
    """

    name: str
    label: str
    modes: tuple[PlanMode, ...] = _ALL
    span: int = 1


PANEL_FIELDS = (
    PanelField("run_minutes", later("run")),
    PanelField("fault_rate_per_hour", later("fault rate")),
    PanelField("mode", later("mode")),
    PanelField("snapshot_minutes", later("snapshot"), _ASYNC),
    PanelField("persist_minutes", later("persist"), _ASYNC),
    PanelField("slowdown", later("slowdown"), _ASYNC),
    PanelField("level1_save_minutes", later("L1 save"), _TWO),
    PanelField("level1_reload_minutes", later("L1 reload"), _TWO),
    PanelField("level1_down_minutes", later("L1 down"), _TWO),
    PanelField("level1_coverage", later("L1 covers"), _TWO),
    PanelField("level2_every_saves", later("L2 every"), _TWO),
    PanelField("save_minutes", later("save"), _SAVING),
    PanelField("reload_minutes", later("reload")),
    PanelField("down_minutes", later("down")),
    PanelField("intervals_minutes", later("intervals"), span=2),
    PanelField("current_interval_minutes", later("now every")),
    PanelField("checkpoint_bytes", later("size")),
    PanelField("step_seconds", later("step time")),
    PanelField("gpus", later("GPUs")),
    PanelField("gpu_hour_price", later("GPU-hour")),
    PanelField("weibull_shape", later("Weibull"), _ONE_LEVEL),
)
"""In the order in which tab visits them."""

PLACEHOLDERS = {
    "level2_every_saves": later("the best"),
    "current_interval_minutes": later("such as 30m"),
    "checkpoint_bytes": later("such as 2TB"),
    "step_seconds": later("such as 11s"),
    "gpus": later("how many"),
    "gpu_hour_price": later("its price"),
    "weibull_shape": later("exponential"),
}
"""What stands in a field that may be empty, while it is; said where it is shown."""

_SECOND_LEVEL = frozenset({"save_minutes", "reload_minutes", "down_minutes"})


def label_of(field: PanelField, mode: PlanMode) -> str:
    """What the field is called; with two levels the common ones belong to the second."""
    label = say(field.label)
    if mode is PlanMode.TWO_LEVEL and field.name in _SECOND_LEVEL:
        return f"L2 {label}"
    return label


def entry_text(inputs: PlanInputs, name: str) -> str:
    """The text to type for the value that a field has; "" where it has none."""
    value = getattr(inputs, name)
    if value is None:
        return ""
    match name:
        case "intervals_minutes":
            return ",".join(_interval_entry(each) for each in value)
        case "slowdown" | "level1_coverage":
            return f"{100 * value:g}%"
        case "step_seconds":
            return f"{value:g}s"
        case "checkpoint_bytes":
            return bytes_text(value).replace(" ", "")
        case _ if name.endswith("_minutes"):
            return duration_entry(value)
        case _ if isinstance(value, float):
            return f"{value:g}"
        case _:
            return str(value)


def duration_entry(minutes: float) -> str:
    """A time to type: "24h" rather than "1d", "0" rather than "0s"."""
    if minutes == 0:
        return "0"
    hours, rest = divmod(minutes, 60)
    if hours and not rest and minutes <= _WHOLE_HOURS_UP_TO:
        return f"{hours:.0f}h"
    return format_duration(minutes)


def _interval_entry(minutes: float) -> str:
    return f"{minutes:g}" if minutes == float(f"{minutes:g}") else format_duration(minutes)
