from __future__ import annotations

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.table import plan_table

LESSON = """\
Plan (sync): run 1d, 0.02 faults/h (MTBF 2d2h), save 2m, reload 8m, down 0s

                                lesson, minutes a run              exact
  interval            save rollback   reload    total  overhead  goodput
  15m               192.00     3.60     3.84   199.44   13.96 %  87.75 %
  30m                96.00     7.20     3.84   107.04    7.52 %  93.00 %
  1h                 48.00    14.40     3.84    66.24    4.69 %  95.52 %
▶ 2h                 24.00    28.80     3.84    56.64    4.04 %  96.12 %  best
  never                  –        –        –        –   28.69 %  77.71 %

Young 1h49m33s · Daly 1h48m13s · exact best 1h48m13s · goodput 96.14 %
Anything from 1h18m56s to 2h28m10s is within 5 % of the best.
Chance of no fault at all in the run 61.88 %, of one 29.70 %."""


def test_the_lessons_table() -> None:
    assert plan_table(make_plan(PlanInputs())) == LESSON


FULL = PlanInputs(
    fault_rate_per_hour=0.32,
    step_seconds=10.5,
    current_interval_minutes=60,
    gpus=16384,
    gpu_hour_price=2.5,
    checkpoint_bytes=2_300_000_000_000,
)


@pytest.mark.parametrize(
    "inputs",
    [
        FULL,
        FULL._replace(mode=PlanMode.ASYNC),
        FULL._replace(mode=PlanMode.TWO_LEVEL),
        FULL._replace(weibull_shape=0.7),
        FULL._replace(fault_rate_per_hour=60, intervals_minutes=(1, 5, 59.37, 5000)),
        FULL._replace(run_minutes=54 * 1440, intervals_minutes=(2879.98, 1e6)),
    ],
)
def test_tables_fit_80_columns(inputs: PlanInputs) -> None:
    lines = plan_table(make_plan(inputs)).splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)


def test_a_disagreement_names_both_choices() -> None:
    table = plan_table(make_plan(FULL._replace(mode=PlanMode.ASYNC)))
    marked = [line for line in table.splitlines() if line.endswith((" %  exact", " %  lesson"))]
    assert [line.split()[0] for line in marked] == ["▶", "30m"]


def test_what_does_not_finish_says_so() -> None:
    table = plan_table(make_plan(PlanInputs(fault_rate_per_hour=200)))
    assert table.count("    does not finish") == 5


def test_advice_lines() -> None:
    table = plan_table(make_plan(FULL))
    assert "In steps: save every 149 (26m4s)." in table
    assert "Written a day: 15m 162 TiB" in table
    assert "Every 1h, as now, costs" in table
    assert "GPU-hours" in table
    assert "⚠ the lesson's totals are first-order" in table
    stuck = FULL._replace(fault_rate_per_hour=20, current_interval_minutes=600)
    assert "Every 10h, as now, the job does not finish." in plan_table(make_plan(stuck))


def test_two_levels_name_their_cadence() -> None:
    table = plan_table(make_plan(FULL._replace(mode=PlanMode.TWO_LEVEL)))
    assert "Saves per level-2 save: 15m 3, 30m 2, 1h 1, 2h 1" in table
    assert "level 2 every 8" in table
