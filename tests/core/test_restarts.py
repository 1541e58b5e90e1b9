from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import FileFacts
from ckpt_tui.core.restarts import Restart, restarts_of
from tests.core.builders import COMMITTED, UNCOMMITTED, checkpoint

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint


MINUTE = 60.0


def at(minutes: float, step: int) -> Checkpoint:
    commit = COMMITTED._replace(committed_at=minutes * MINUTE)
    return checkpoint(step, path=f"/run/{minutes}", commit=commit)


def dead(minutes: float, step: int) -> Checkpoint:
    written = FileFacts("model.pt", 10, int(minutes * MINUTE * 1e9))
    return checkpoint(step, path=f"/run/{minutes}", commit=UNCOMMITTED, files=(written,))


def test_a_run_that_only_grows_was_not_restarted() -> None:
    assert restarts_of([at(3, 300), at(1, 100), at(2, 200)]) == ()


def test_a_step_that_goes_back_is_a_restart() -> None:
    assert restarts_of([at(1, 100), at(2, 200), at(3, 150)]) == (
        Restart(3 * MINUTE, 100, 200, 100),
    )


def test_times_of_a_copy_are_no_restart() -> None:
    assert restarts_of([at(1, 200), at(1.01, 100)]) == ()


def test_a_dead_save_counts_as_reached() -> None:
    found = restarts_of([at(1, 200), dead(2, 300), at(3, 260)])
    assert found == (Restart(3 * MINUTE, 200, 300, 100),)


def test_the_same_step_again_may_be_a_copy_or_a_conversion() -> None:
    assert restarts_of([at(1, 100), at(2, 200), at(3, 200)]) == ()


def test_without_an_older_one_all_of_it_is_lost() -> None:
    assert restarts_of([at(1, 200), at(2, 100)]) == (Restart(2 * MINUTE, None, 200, 200),)


def test_a_dead_save_is_no_origin() -> None:
    found = restarts_of([at(1, 100), dead(2, 150), dead(3, 200), at(4, 180)])
    assert found == (Restart(4 * MINUTE, 100, 200, 100),)


def test_exports_and_unknown_steps_say_nothing() -> None:
    export = checkpoint(5, export=True, path="/run")
    unknown = checkpoint(None, path="/run/final")
    assert restarts_of([at(1, 100), export, unknown]) == ()


@given(st.lists(st.integers(0, 6), max_size=8))
def test_lost_steps_are_never_negative_and_one_restart_per_step_back(steps: list[int]) -> None:
    found = restarts_of([at(n + 1, step) for n, step in enumerate(steps)])
    assert all(restart.lost_steps >= 0 for restart in found)
    assert all(restart.reached_step >= 0 for restart in found)
    assert bool(found) == any(b < a for a, b in pairwise(steps))
