"""What the dashboard's header reckons with, from the planner's inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.widgets.panel import FaultTerms

if TYPE_CHECKING:
    from ckpt_tui.planner.inputs import PlanInputs


def fault_terms(inputs: PlanInputs) -> FaultTerms:
    """Expected reload and down time of a fault, and the rate of faults.

    With two levels a fault recovers from the first with the chance that it covers.
    """
    reload_minutes, down_minutes = inputs.reload_minutes, inputs.down_minutes
    if inputs.mode is PlanMode.TWO_LEVEL:
        first = inputs.level1_coverage
        reload_minutes = first * inputs.level1_reload_minutes + (1 - first) * reload_minutes
        down_minutes = first * inputs.level1_down_minutes + (1 - first) * down_minutes
    return FaultTerms(reload_minutes, down_minutes, inputs.fault_rate_per_hour)
