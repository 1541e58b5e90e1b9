"""What a plan says, without a screen."""

from __future__ import annotations

import re

from ckpt_tui.planner.inputs import PlanInputs, validate_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.planner.answer import answer_lines
from ckpt_tui.tui.planner.heading import heading_lines
from ckpt_tui.tui.planner.remarks import remark_lines
from ckpt_tui.tui.planner.results import result_lines

LLAMA = PlanInputs(
    run_minutes=54 * 1440,
    fault_rate_per_hour=0.13,
    down_minutes=5,
    current_interval_minutes=240,
    step_seconds=11,
    gpus=1024,
    gpu_hour_price=2.5,
    checkpoint_bytes=2**40,
)


def answer(inputs: PlanInputs, width: int = 120, stale: bool = False) -> str:
    return "\n".join(text_of(row) for row in answer_lines(make_plan(inputs), width, stale))


def table(inputs: PlanInputs, width: int = 120) -> list[str]:
    return [text_of(row) for row in result_lines(make_plan(inputs), width)]


def remarks(inputs: PlanInputs) -> str:
    return " ".join(text_of(row).strip() for row in remark_lines(make_plan(inputs), 120))


def test_the_lesson_answers() -> None:
    text = answer(PlanInputs())
    for words in (
        "▶ BEST  save every 108.2 min",
        "of the list 120 min",
        "goodput 96.14 %",
        "anything from 78.9 to 148.2 min is within 5 %",
        "Young 109.5 min, Daly 108.2 min",
        "✔ first order holds: 2.6 % below exact",
    ):
        assert words in text


def test_the_lesson_in_the_table() -> None:
    rows = table(PlanInputs(), 79)
    cells = [re.split(r"\s{2,}", row.strip()) for row in rows[2:6]]
    assert [row[5] for row in cells] == ["199.44", "107.04", "66.24", "56.64"]
    assert [row[1] for row in cells] == ["0.48"] * 4
    assert rows[5].startswith("▶ 120 min")
    assert rows[5].rstrip().endswith("best")
    assert "no saves" in rows[6]
    assert "28.69 %  77.71 %" in rows[6]


def test_wide_tables_split_the_exact_overhead() -> None:
    assert "rollback    down  reload  overhead" in table(PlanInputs(), 120)[1]
    assert table(PlanInputs(), 79)[1].count("rollback") == 1


def test_intervals_are_steps_too_where_the_time_of_one_is_known() -> None:
    rows = table(PlanInputs(step_seconds=11), 140)
    assert [row.split()[2] for row in rows[2:5]] == ["82", "164", "327"]
    assert "steps" not in table(PlanInputs(), 140)[1]


def test_storage_stands_beside_each_interval() -> None:
    rows = table(PlanInputs(checkpoint_bytes=2**40), 79)
    assert "a day" in rows[1]
    assert [re.search(r"[\d.]+ TiB", row) is not None for row in rows[2:]] == [True] * 4 + [False]


def test_lesson_and_exact_model_may_disagree() -> None:
    text = answer(LLAMA)
    assert "of the list 30 min (lesson: 60 min)" in text
    assert "⚠ first-order, -16 %: the lesson is too low" in text
    marks = [row.rstrip().rsplit(" ", 1)[-1] for row in table(LLAMA)[2:]]
    assert "exact" in marks
    assert "lesson" in marks


def test_the_present_interval_has_a_price() -> None:
    text = answer(LLAMA)
    assert re.search(r"⚠ now every 240 min costs \S+ \S+ a run more than the best", text)
    assert "GPU-hours" in text
    assert "in money" in text
    assert "= 227 steps" in text
    assert "save_steps=227" in remarks(LLAMA)


def test_a_present_interval_inside_the_band_is_good_enough() -> None:
    assert "✔ now every 100 min costs" in answer(PlanInputs(current_interval_minutes=100))
    assert "as good as the best" in answer(PlanInputs(current_interval_minutes=108.2))


def test_the_last_good_plan_is_called_that() -> None:
    assert "⚠ LAST GOOD" in answer(PlanInputs(), stale=True)


def test_no_failures_and_free_saves_have_no_best_interval() -> None:
    assert "none: no failures assumed" in answer(PlanInputs(fault_rate_per_hour=0))
    assert "none: saves cost nothing" in answer(PlanInputs(save_minutes=0))


def test_other_modes_show_exact_minutes_only() -> None:
    for mode in (PlanMode.ASYNC, PlanMode.TWO_LEVEL):
        rows = table(PlanInputs(mode=mode))
        assert "exact, minutes a run" in rows[0]
        assert "lesson" not in "\n".join(rows)
    assert "L2 every" in table(PlanInputs(mode=PlanMode.TWO_LEVEL))[1]


def test_errors_take_the_heading() -> None:
    (plain,) = heading_lines("llama", (), 100)
    assert "Planner for llama" in text_of(plain)
    errors = validate_inputs(PlanInputs(save_minutes=-1, gpus=0))
    text = " ".join(text_of(row).strip() for row in heading_lines("llama", errors, 100))
    assert text.startswith("✗ `save`: need a time ≥ 0 such as 2m or 40s, and 1 more field")
    assert text.endswith("below is the last good plan")


def test_a_hostile_name_is_harmless() -> None:
    (row,) = heading_lines("[red]a\x1b[31m\nb", (), 60)
    assert "[red]a\\x1b[31m\\nb" in text_of(row)


def test_the_gap_is_none_where_nothing_can_be_compared() -> None:
    assert make_plan(PlanInputs(mode=PlanMode.ASYNC)).first_order_gap is None
    assert make_plan(PlanInputs(fault_rate_per_hour=3000)).first_order_gap is None
