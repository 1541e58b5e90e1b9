from __future__ import annotations

import pytest

from ckpt_tui.planner.inputs import PlanInputs
from ckpt_tui.planner.plan import make_plan
from ckpt_tui.tui.lines import Tone, text_of
from ckpt_tui.tui.planner.bars import PARTS, bar_lines

BUSY = make_plan(PlanInputs(fault_rate_per_hour=0.4, down_minutes=60))


def test_every_part_has_a_sign_and_a_tone_of_its_own() -> None:
    assert len({part.sign for part in PARTS}) == len({part.ascii_sign for part in PARTS}) == 5
    assert len({part.tone for part in PARTS}) == 5


def test_a_bar_an_interval_and_one_without_saves() -> None:
    rows = [text_of(row) for row in bar_lines(BUSY, 80)]
    assert [row[2:11].strip() for row in rows[-5:]] == [
        "15 min",
        "30 min",
        "60 min",
        "120 min",
        "no saves",
    ]
    assert [row.startswith("▶") for row in rows[-5:]] == [False, True, False, False, False]
    for part in PARTS:
        assert all(part.sign in row for row in rows[-5:-1])


@pytest.mark.parametrize("width", [40, 46, 80, 119])
def test_bars_have_one_length_and_add_up(width: int) -> None:
    plan = make_plan(PlanInputs(fault_rate_per_hour=0.4, intervals_minutes=(60,)))
    (row,) = plan.exact_rows
    assert row.budget is not None
    cells = width - 19
    bar = bar_lines(plan, width)[-2]
    lengths = {part.tone: len(part.text) for part in bar[2:-1] if part.text}
    assert sum(lengths.values()) == cells
    floor = float(text_of(bar_lines(plan, width)[0]).partition("from ")[2].partition(" ")[0] or 0)
    shown = (row.budget.goodput - floor / 100) / (1 - floor / 100)
    assert abs(lengths[Tone.DONE] - shown * cells) <= 1


def test_small_losses_are_seen_beside_much_work() -> None:
    rows = [text_of(row) for row in bar_lines(make_plan(PlanInputs()), 80)]
    assert "wall time, from 80 % on" in rows[0]
    assert rows[1].count("▓") > 10


def test_no_bar_where_there_is_no_room_or_no_end() -> None:
    assert bar_lines(BUSY, 25) == []
    never = make_plan(PlanInputs(fault_rate_per_hour=3000))
    assert text_of(bar_lines(never, 60)[-1]).split() == ["no", "saves", "no", "end"]


def test_ascii() -> None:
    text = "\n".join(text_of(row) for row in bar_lines(BUSY, 60, ascii_only=True))
    assert text.replace("▶", ">").isascii()
