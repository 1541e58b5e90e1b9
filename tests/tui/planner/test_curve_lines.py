from __future__ import annotations

from ckpt_tui.planner.curve import cost_curve
from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.planner.curve_lines import curve_lines


def test_the_curve_carries_its_marks() -> None:
    inputs = PlanInputs(current_interval_minutes=45)
    rows = [text_of(r) for r in curve_lines(make_plan(inputs), cost_curve(inputs), 79, 8)]
    assert rows[0].strip() == (
        "overhead of a long run  ▲ best 108.2 min  ● now 45 min  ━━ within 5 %"
    )
    body = "\n".join(rows[1:])
    assert body.count("▲") == body.count("●") == 1
    assert [word in rows[-1] for word in ("15 min", "30 min", "60 min", "120 min")] == [True] * 4
    assert rows[-2].count("┴") == 4
    assert len(rows) == 8 + 3


def test_the_ascii_curve_is_ascii() -> None:
    inputs = PlanInputs(current_interval_minutes=45)
    text = "\n".join(
        text_of(r) for r in curve_lines(make_plan(inputs), cost_curve(inputs), 79, 8, True)
    )
    assert text.isascii()
    assert "*" in text
    assert "^ best 108.2 min" in text


def test_an_interval_off_the_curve_is_said_to_be() -> None:
    inputs = PlanInputs(current_interval_minutes=10_000)
    first = text_of(curve_lines(make_plan(inputs), cost_curve(inputs), 119, 8)[0])
    assert "(right of the plot)" in first


def test_where_the_best_interval_lies_has_a_line_of_its_own() -> None:
    inputs = PlanInputs()
    points = cost_curve(inputs)
    rows = [
        text_of(r) for r in curve_lines(make_plan(inputs), points, 79, 8, credible=(60.0, 120.0))
    ]
    assert "├─┤ best with 90 %" in rows[0]
    ticks = [place for place, char in enumerate(rows[-3]) if char == "┴"]
    assert rows[-1].index("├") == ticks[2]
    assert rows[-1].index("┤") == ticks[3]
    beyond = curve_lines(make_plan(inputs), points, 79, 8, credible=(60.0, 1e7))
    assert "┤" not in text_of(beyond[-1])
