"""Formulas that others published, for comparison with the exact model; times in minutes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.planner.first_order import young_minutes

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs


class OtherFormulas(NamedTuple):
    """What the formulas of others give for a plan's stall, MTBF, reload and down time.

    Attributes:
        young_minus_save_minutes: sqrt(2 d M) - d, which also goes by Young's or Daly's name; at
            least 0.
        saxena_period_minutes: From the start of a save to the start of the next one.
        meta_ettr: For each listed interval; below 0 where the formula does not hold.
    """

    young_minus_save_minutes: float
    saxena_period_minutes: float
    meta_ettr: tuple[float, ...]


def other_formulas(inputs: PlanInputs) -> OtherFormulas | None:
    """None where failures never come."""
    mtbf, stall = inputs.mtbf_minutes, inputs.stall_minutes
    if math.isinf(mtbf):
        return None
    restart = inputs.reload_minutes + inputs.down_minutes
    return OtherFormulas(
        max(0.0, young_minutes(stall, mtbf) - stall),
        saxena_period_minutes(stall, mtbf, restart),
        tuple(meta_ettr(each, stall, mtbf, restart) for each in inputs.intervals_minutes),
    )


def meta_ettr(
    interval_minutes: float, save_minutes: float, mtbf_minutes: float, restart_minutes: float
) -> float:
    """Meta's expected ratio of effective training time, without its queueing term.

    E[ETTR] = (1 - N r_f (u0 + dt/2)) / (1 + w/dt), with N r_f = 1/M, u0 the restart overhead, dt
    the interval and w the stall of a save. It is linear in the failure rate, so that it falls below
    the exact model, and below 0, where failures come often.
    Source: "Revisiting Reliability in Large-Scale Machine Learning Research Clusters", arXiv
    2410.21680v2 (HPCA 2025), as two later texts quote it.
    """
    lost = (restart_minutes + interval_minutes / 2) / mtbf_minutes
    return (1 - lost) / (1 + save_minutes / interval_minutes)


def saxena_period_minutes(
    save_minutes: float, mtbf_minutes: float, restart_minutes: float
) -> float:
    """Saxena's period, from the start of a save to the start of the next one.

    T_s + sqrt(2 (T_f + T_r) T_s + T_s^2), the maximum of the availability
    A = (1 - T_s/T) / (1 + (T_r + T/2)/T_f). Under exponential failures the true optimum does not
    depend on the restart time T_r. Source: Saxena, Hukerikar, Blaz and Raj, "Optimal Checkpoint
    Interval with Availability as an Objective Function", arXiv 2410.18124.
    """
    mean = mtbf_minutes + restart_minutes
    return save_minutes + math.sqrt(2 * mean * save_minutes + save_minutes * save_minutes)
