"""Step order against time order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.core.order import order_findings
from tests.core.builders import COMMITTED, checkpoint

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

MINUTE = 60.0


def at(minutes: float, step: int | None, ordinal: int | None = None) -> Checkpoint:
    name = f"checkpoint-{step if step is not None else ordinal}"
    commit = COMMITTED._replace(committed_at=minutes * MINUTE)
    return checkpoint(step, path=f"/run/{name}", name=name, commit=commit, ordinal=ordinal)


def in_time(*steps: int, minutes_apart: float = 10) -> list[Checkpoint]:
    return [at((place + 1) * minutes_apart, step) for place, step in enumerate(steps)]


def codes(checkpoints: list[Checkpoint]) -> list[str]:
    return [finding.code for finding in order_findings(checkpoints, "/run")]


def test_a_run_that_grows_is_in_order() -> None:
    assert codes(in_time(100, 200, 300)) == []


def test_a_job_that_went_back_disagrees_and_is_one_run() -> None:
    assert codes(in_time(400, 500, 600, 700, 450)) == ["order-disagrees"]
    assert codes(in_time(100, 200, 300, 250)) == ["order-disagrees"]
    assert codes(in_time(100, 200, 300, 250, 350, 450)) == []


def test_a_job_from_step_0_in_a_used_directory_is_a_second_run() -> None:
    disagrees, mixed = order_findings(in_time(500, 600, 700, 100), "/run")
    assert disagrees.code == "order-disagrees"
    assert mixed.code == "mixed-runs"
    assert "steps 500–700 had been saved before step 100" in mixed.message
    assert "checkpoint-700" in mixed.remedy
    assert "checkpoint-100" in mixed.remedy


def test_the_second_run_may_have_overtaken_the_first() -> None:
    assert codes(in_time(250, 350, 450, 100, 200, 300, 400, 500)) == ["mixed-runs"]


def test_two_jobs_in_turns() -> None:
    found = codes(in_time(1000, 110, 1100, 210, 1200, 310, 1300))
    assert found == ["mixed-runs"]


def test_restarts_over_and_over_are_one_run() -> None:
    assert "mixed-runs" not in codes(in_time(100, 200, 300, 250, 350, 320, 420, 380, 480))


def test_a_restart_whose_saves_were_removed_in_between_is_one_run() -> None:
    slow = [*in_time(900, 1000), at(30, 300), at(120, 1100)]
    assert "mixed-runs" not in codes(slow)


@pytest.mark.parametrize("minutes_apart", [0.0, 0.01])
def test_times_of_a_copy_say_nothing(minutes_apart: float) -> None:
    assert codes(in_time(500, 600, 700, 100, minutes_apart=minutes_apart)) == []


def test_saves_without_a_pause_are_a_copy_and_no_second_run() -> None:
    assert codes(in_time(500, 600, 700, 100, minutes_apart=0.5)) == ["order-disagrees"]


def test_times_in_text_order_may_be_of_a_copy() -> None:
    (found,) = order_findings(in_time(1000, 200, 400, 600, 800), "/run")
    assert found.code == "order-disagrees"
    assert "follow the names as text" in found.message


def test_counts_of_saves_are_compared_where_no_step_is_known() -> None:
    counted = [at(10, None, 4), at(20, None, 5), at(30, None, 0)]
    assert codes(counted) == ["order-disagrees"]
    assert codes(counted[:2]) == []
    assert codes([*in_time(100, 200), at(90, None, 0)]) == []


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 40)), max_size=10))
def test_a_growing_run_is_never_told_whatever_the_distances(
    moves: list[tuple[int, int]],
) -> None:
    step, minutes, made = 0, 1.0, []
    for steps, pause in moves:
        step, minutes = step + steps, minutes + pause
        made.append(at(minutes, step))
    assert codes(made) == []
