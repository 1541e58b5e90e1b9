"""What a simulation says, without simulating."""

from __future__ import annotations

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.planner.simulation.result import Mean, Simulated
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.planner.simulation_lines import (
    HISTOGRAM_ROWS,
    Comparison,
    histogram_lines,
    progress_line,
    result_lines,
)

PLAN = make_plan(PlanInputs())
COUNTS = tuple(round(4000 * 0.85**bin_) for bin_ in range(40))


def simulated(mean: float = 1498.2) -> Comparison:
    """The lesson's run at 120 minutes, whose formula gives about 1498 minutes."""
    row = PLAN.best_row
    assert row is not None
    made = Simulated(
        20_000,
        1,
        Mean(mean, 0.6),
        Mean(24.0, 0.1),
        Mean(30.0, 0.5),
        Mean(0.0, 0.0),
        Mean(4.0, 0.05),
        Mean(0.5, 0.01),
        (1464.0, 1464.0, 1470.0, 1530.0, 1600.0),
        COUNTS,
        (1464.0, 1900.0),
    )
    return Comparison(PLAN.inputs, row, made, follows_run=True)


def told(shown: Comparison, width: int = 118, stale: bool = False, ascii_only: bool = False) -> str:
    rows = result_lines(shown, width, stale=stale, ascii_only=ascii_only)
    assert max(width_of(row) for row in rows) <= width
    return "\n".join(text_of(row) for row in rows)


def test_both_stand_beside_each_other_and_agree() -> None:
    text = told(simulated())
    for words in (
        "20,000 runs simulated",
        "simulated mean 24.97 h  ± 0.60 min (99 %)  5 to 95 %: 24.40 h to 26.67 h",
        "formula   mean 24.97 h  5 to 95 %:",
        "✔ they agree",
        "save 24.00 min (24.00 min)",
        "faults 0.50 (0.50)",
    ):
        assert words in text


def test_a_difference_is_said_with_its_size() -> None:
    assert "⚠ they differ by 0.26 %" in told(simulated(1502.0))


def test_a_long_run_average_may_differ() -> None:
    text = told(simulated(1502.0)._replace(follows_run=False))
    assert "the formula is a long-run average" in text


def test_an_older_plan_is_called_that() -> None:
    assert "before the last change" in told(simulated(), stale=True)
    assert "before the last change" not in told(simulated())


@pytest.mark.parametrize("width", [20, 40, 79])
def test_it_fits(width: int) -> None:
    assert "simulated mean" in told(simulated(), width)


def test_ascii() -> None:
    assert told(simulated(), ascii_only=True).replace("±", "").replace("✔", "").isascii()


def test_the_histogram_is_highest_where_most_runs_end() -> None:
    rows = [text_of(row) for row in histogram_lines(simulated().simulated, 90)]
    assert rows[0].strip().startswith("██")
    assert len(rows[0].strip()) < 6
    assert len(rows[HISTOGRAM_ROWS - 1].rstrip()) > 40
    assert rows[HISTOGRAM_ROWS].count("┃") == 1
    assert rows[-1].split() == ["24.40", "h", "31.67", "h"]


def test_runs_of_one_length_have_no_box() -> None:
    same = simulated().simulated._replace(
        counts=(0,) * 20 + (9,) + (0,) * 19, edges_minutes=(5.0, 5.0)
    )
    assert text_of(histogram_lines(same, 90)[HISTOGRAM_ROWS]) == ""


def test_progress() -> None:
    text = text_of(progress_line(0.5, 30, ascii_only=True))
    assert text == " simulating every 30 min  ############............  50 %  esc cancels"
