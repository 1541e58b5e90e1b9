from __future__ import annotations

import pytest

from ckpt_tui.core.cadence import Cadence
from ckpt_tui.history.observed import Observed
from ckpt_tui.planner.inputs import parse_inputs
from ckpt_tui.planner.modes import PlanMode
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.planner.directory import Filled, filled_from, source_lines
from ckpt_tui.tui.planner.notes import Origin
from tests.tui.planner.host import SEVEN_SAVES

NOTHING = Observed(Cadence(None, None, None, False, None, 0), None, (), 0)


def test_every_observed_figure_gets_its_field() -> None:
    texts = {each.field: each.text for each in filled_from(SEVEN_SAVES, PlanMode.SYNC)}
    assert texts == {
        "current_interval_minutes": "30m",
        "save_minutes": "2m10s",
        "checkpoint_bytes": "1.25TiB",
        "fault_rate_per_hour": None,
        "step_seconds": "3.6s",
    }


@pytest.mark.parametrize("mode", PlanMode)
def test_what_is_filled_can_be_read(mode: PlanMode) -> None:
    found = filled_from(SEVEN_SAVES, mode, 8, rate_per_hour=5.0)
    texts = {each.field: each.text for each in found if each.text is not None}
    assert len(texts) == 6
    assert parse_inputs(texts).errors == ()


def test_an_observed_save_is_no_stall_where_saves_are_asynchronous() -> None:
    fields = [each.field for each in filled_from(SEVEN_SAVES, PlanMode.ASYNC)]
    assert "persist_minutes" in fields
    assert "save_minutes" not in fields


def test_a_lower_bound_is_called_one() -> None:
    save = filled("save_minutes", SEVEN_SAVES)
    assert save.origin is Origin.AT_LEAST
    assert "at least 2.2 min" in save.says
    exact = SEVEN_SAVES.cadence._replace(save_is_lower_bound=False)
    save = filled("save_minutes", SEVEN_SAVES._replace(cadence=exact))
    assert save.origin is Origin.DIRECTORY
    assert "at least" not in save.says


def test_a_step_time_with_saves_in_it_is_an_upper_bound() -> None:
    step = filled("step_seconds", SEVEN_SAVES)
    assert step.origin is Origin.AT_MOST
    assert step.says == "a step at most 3.6 s"


def test_no_failure_in_a_short_time_leaves_the_rate_alone() -> None:
    found = filled("fault_rate_per_hour", SEVEN_SAVES, rate_per_hour=0.02)
    assert found.text is None
    assert found.says.startswith("no failure seen in 3h 00m: at most 0.8")
    assert found.says.endswith("so the fault rate stays")


def test_no_failure_in_a_long_time_speaks_against_a_high_rate() -> None:
    found = filled("fault_rate_per_hour", SEVEN_SAVES, rate_per_hour=5.0)
    assert found.text == "0.217"
    assert "stays" not in found.says


def test_ranks_are_gpus() -> None:
    found = filled_from(SEVEN_SAVES, PlanMode.SYNC, ranks=512)
    assert [(each.field, each.text) for each in found][-1] == ("gpus", "512")


@pytest.mark.parametrize("seen", [None, NOTHING])
def test_a_directory_that_shows_nothing_says_so(seen: Observed | None) -> None:
    assert filled_from(seen, PlanMode.SYNC, ranks=8) == ()
    text = " ".join(text_of(row) for row in source_lines((), seen, "", 80))
    assert "nothing was filled in" in text


def test_the_source_names_the_number_of_saves() -> None:
    found = filled_from(SEVEN_SAVES, PlanMode.SYNC)
    rows = [text_of(row) for row in source_lines(found, SEVEN_SAVES, "llama-70b", 60)]
    text = " ".join(row.strip() for row in rows)
    assert text.startswith("from the directory of llama-70b, medians of 7 saves: every 30")
    assert "(500 steps)" in text
    assert "size 1.25 TiB" in text
    assert all(len(row) <= 60 for row in rows)


def filled(field: str, seen: Observed, rate_per_hour: float = 0.0) -> Filled:
    every = filled_from(seen, PlanMode.SYNC, rate_per_hour=rate_per_hour)
    (found,) = (each for each in every if each.field == field)
    return found
