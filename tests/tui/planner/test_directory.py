from __future__ import annotations

import pytest

from ckpt_tui.core.cadence import Cadence
from ckpt_tui.planner.inputs import parse_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.planner.directory import filled_from, source_lines
from tests.tui.planner.host import SEVEN_SAVES

NOTHING = Cadence(None, None, None, False, None, 0)


def test_every_observed_figure_gets_its_field() -> None:
    texts = {each.field: each.text for each in filled_from(SEVEN_SAVES, PlanMode.SYNC)}
    assert texts == {
        "current_interval_minutes": "30m",
        "save_minutes": "2m10s",
        "checkpoint_bytes": "1.25TiB",
    }


@pytest.mark.parametrize("mode", PlanMode)
def test_what_is_filled_can_be_read(mode: PlanMode) -> None:
    texts = {each.field: each.text for each in filled_from(SEVEN_SAVES, mode)}
    assert parse_inputs(texts).errors == ()


def test_an_observed_save_is_no_stall_where_saves_are_asynchronous() -> None:
    fields = [each.field for each in filled_from(SEVEN_SAVES, PlanMode.ASYNC)]
    assert "persist_minutes" in fields
    assert "save_minutes" not in fields


def test_a_lower_bound_is_called_one() -> None:
    (save,) = (f for f in filled_from(SEVEN_SAVES, PlanMode.SYNC) if f.field == "save_minutes")
    assert save.lower_bound
    assert "at least 2.2 min" in save.says
    exact = SEVEN_SAVES._replace(save_is_lower_bound=False)
    (save,) = (f for f in filled_from(exact, PlanMode.SYNC) if f.field == "save_minutes")
    assert not save.lower_bound
    assert "at least" not in save.says


@pytest.mark.parametrize("cadence", [None, NOTHING])
def test_a_directory_that_shows_nothing_says_so(cadence: Cadence | None) -> None:
    assert filled_from(cadence, PlanMode.SYNC) == ()
    text = " ".join(text_of(row) for row in source_lines((), 0, "", 80))
    assert "nothing was filled in" in text


def test_the_source_names_the_number_of_saves() -> None:
    filled = filled_from(SEVEN_SAVES, PlanMode.SYNC)
    text = " ".join(text_of(row).strip() for row in source_lines(filled, 7, "llama-70b", 60))
    assert text.startswith("from the directory of llama-70b, medians of 7 saves: every 30")
    assert "(500 steps)" in text
    assert "size 1.25 TiB" in text
    assert all(len(text_of(row)) <= 60 for row in source_lines(filled, 7, "llama-70b", 60))
