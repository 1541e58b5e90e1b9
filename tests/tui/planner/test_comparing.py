from __future__ import annotations

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.planner.comparing import changed_inputs, comparison_lines
from tests.tui.planner.host import hosted, settle, type_into

LESSON = PlanInputs()


def told(a: PlanInputs, b: PlanInputs, width: int = 118) -> list[str]:
    rows = comparison_lines(make_plan(a), make_plan(b), width)
    assert max(width_of(row) for row in rows) <= width
    return [text_of(row) for row in rows]


def test_only_what_differs_is_named() -> None:
    other = LESSON._replace(save_minutes=0.5, gpus=512)
    assert changed_inputs(LESSON, other) == ["save 2m → 30s", "GPUs – → 512"]
    assert changed_inputs(LESSON, LESSON) == []
    assert "nothing is changed yet" in told(LESSON, LESSON)[0]


def test_fields_of_other_modes_do_not_count() -> None:
    hidden = LESSON._replace(persist_minutes=9)
    assert changed_inputs(LESSON, hidden) == []
    shown = LESSON._replace(mode=PlanMode.ASYNC, persist_minutes=9)
    assert changed_inputs(LESSON, shown) == ["mode sync → async", "persist 5m → 9m"]


def test_differences_have_their_sign() -> None:
    rows = told(LESSON, LESSON._replace(save_minutes=0.5, gpus=8, gpu_hour_price=2))
    lines = {row[2:20].strip(): row.split() for row in rows[2:]}
    assert lines["best interval"][2:] == ["108.2", "min", "54.4", "min", "-53.8", "min"]
    assert lines["goodput at it"][-2][0] == "+"
    assert lines["saves"][-2:] == ["-12.00", "min"]
    assert lines["GPU-hours"][1] == "–"
    assert lines["down"][-2:] == ["the", "same"]


@pytest.mark.parametrize("mode", PlanMode)
@pytest.mark.parametrize("width", [40, 79])
def test_any_two_plans_can_be_compared(mode: PlanMode, width: int) -> None:
    told(LESSON._replace(fault_rate_per_hour=0), LESSON._replace(mode=mode), width)
    told(LESSON._replace(fault_rate_per_hour=3000), LESSON._replace(mode=mode), width)


async def test_a_pins_and_lets_go() -> None:
    async with hosted((120, 40)) as (host, pilot):
        await pilot.press("a")
        await settle(pilot)
        assert "nothing is changed yet" in host.shown("comparison")
        await type_into(pilot, "save_minutes", "5")
        assert "save 2m → 5m" in host.shown("comparison")
        await pilot.press("escape", "a")
        await settle(pilot)
        assert host.shown("comparison") == ""
