"""How much goodput follows each input: elasticities, d ln G / d ln x."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.models import model_for
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.numerics import SMALLEST_GOODPUT

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs

_STEP = 1e-3

_FIELDS = {
    PlanMode.SYNC: ("save_minutes", "reload_minutes", "down_minutes"),
    PlanMode.ASYNC: (
        "snapshot_minutes",
        "persist_minutes",
        "slowdown",
        "reload_minutes",
        "down_minutes",
    ),
    PlanMode.TWO_LEVEL: (
        "level1_save_minutes",
        "save_minutes",
        "level1_coverage",
        "level1_reload_minutes",
        "reload_minutes",
        "level1_down_minutes",
        "down_minutes",
    ),
}


class Sensitivity(NamedTuple):
    """One input's weight: goodput changes by `elasticity` per cent when it grows by one."""

    field: str
    elasticity: float


def sensitivities(inputs: PlanInputs) -> tuple[Sensitivity, ...]:
    """The inputs that goodput at the best interval depends on, the strongest first.

    The MTBF stands for the fault rate (field `mtbf_minutes`). Empty where there is no optimum or
    the job does not finish at it. Inputs of 0 have no elasticity and are left out.
    """
    rate = inputs.fault_rate_per_hour
    if not math.isfinite(inputs.mtbf_minutes) or _log_goodput(inputs) is None:
        return ()
    found = []
    longer = inputs._replace(fault_rate_per_hour=rate / (1 + _STEP))
    shorter = inputs._replace(fault_rate_per_hour=rate * (1 + _STEP))
    found.append(_between("mtbf_minutes", longer, shorter))
    for field in _FIELDS[inputs.mode]:
        value = getattr(inputs, field)
        is_share = not field.endswith("_minutes")
        if value > 0 and not (is_share and value * (1 + _STEP) >= 1):
            more = inputs._replace(**{field: value * (1 + _STEP)})
            less = inputs._replace(**{field: value / (1 + _STEP)})
            found.append(_between(field, more, less))
    known = [each for each in found if each is not None]
    return tuple(sorted(known, key=lambda each: -abs(each.elasticity)))


def _between(field: str, more: PlanInputs, less: PlanInputs) -> Sensitivity | None:
    above, below = _log_goodput(more), _log_goodput(less)
    if above is None or below is None:
        return None
    return Sensitivity(field, (above - below) / (2 * math.log1p(_STEP)))


def _log_goodput(inputs: PlanInputs) -> float | None:
    """Logarithm of the goodput at the best interval, or None."""
    model = model_for(inputs)
    best = model.best_interval_minutes()
    if not 0 < best < math.inf:
        return None
    goodput = model.goodput(best)
    return math.log(goodput) if goodput >= SMALLEST_GOODPUT else None
