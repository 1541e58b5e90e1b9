from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
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


def filed(minutes: float, step: int, *earlier: float) -> Checkpoint:
    """One whose commit is known by the times of its files alone."""
    mtime_ns = int(minutes * MINUTE * 1e9)
    times = (*(int(each * MINUTE * 1e9) for each in earlier), mtime_ns)
    return checkpoint(
        step,
        path=f"/run/{minutes}",
        commit=COMMITTED._replace(committed_at=mtime_ns / 1e9),
        files=tuple(FileFacts(f"{place}.pt", 10, each) for place, each in enumerate(times)),
    )


def stored(minutes: float, step: int, copied: float) -> Checkpoint:
    """One whose writer stored the time of the commit, while a copy set that of the file."""
    copy = FileFacts("model.pt", 10, int(copied * MINUTE * 1e9))
    return checkpoint(
        step,
        path=f"/run/{minutes}",
        commit=COMMITTED._replace(committed_at=minutes * MINUTE),
        files=(copy,),
    )


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


FILED_BACK = [filed(1, 100), filed(2, 200), filed(3, 300), filed(5, 500), filed(8, 400)]


def test_times_of_files_alone_show_a_restart() -> None:
    assert restarts_of(FILED_BACK) == (Restart(8 * MINUTE, 300, 500, 200),)


def test_a_save_between_two_is_no_sign_of_a_copy() -> None:
    last_breath = [filed(1, 100), filed(2, 200), filed(2.2, 215), filed(4, 210), filed(5, 310)]
    assert [r.from_step for r in restarts_of(last_breath)] == [200]


def test_a_long_save_after_a_short_pause_is_no_sign_of_a_copy() -> None:
    slow = [filed(1, 100), filed(4, 200), filed(7, 300), filed(12, 250, 9, 10, 11)]
    assert [r.from_step for r in restarts_of(slow)] == [200]


def test_a_save_that_died_in_a_hurry_is_no_sign_of_a_copy() -> None:
    hurried = [filed(1, 100), filed(2, 200), filed(3, 300), filed(4, 400), filed(4.1, 490)]
    assert [r.from_step for r in restarts_of([*hurried, filed(9, 440)])] == [400]


def test_a_stored_time_is_not_compared_with_one_that_a_copy_set() -> None:
    series = [stored(1, 100, 90), stored(3, 200, 90.01), stored(4, 300, 90.02)]
    assert restarts_of([*series, dead(90.5, 150)]) == ()
    again = stored(5, 250, 90.03)
    assert [r.at for r in restarts_of([*series, dead(90.5, 150), again])] == [5 * MINUTE]


def test_a_stored_time_is_compared_with_one_of_files_where_the_two_agree() -> None:
    series = [stored(1, 100, 1.1), stored(2, 200, 2.0)]
    found = restarts_of([*series, dead(3, 300), stored(4, 260, 4.2)])
    assert found == (Restart(4 * MINUTE, 200, 300, 100),)


@pytest.mark.parametrize(
    "series",
    [
        [filed(1, 300), filed(2, 100), filed(3, 500), filed(4, 200), filed(5, 400)],
        [filed(1, 200), filed(2, 300), filed(3, 400), filed(900, 100)],
        [filed(1, 100), filed(2, 1000), filed(3, 200), filed(4, 300)],
        [filed(1, 100), filed(1.01, 300), filed(1.02, 500), filed(1.1, 200), filed(1.11, 400)],
        [filed(1, 100), filed(9, 300), filed(10, 200), filed(10.1, 500), filed(11, 400)],
        [filed(2, 100, 1, 1.4), filed(3, 300, 2.1, 2.7), filed(4, 200, 3.1, 3.6)],
    ],
    ids=["any-order", "one-touched", "as-text", "within-seconds", "too-fast", "without-a-pause"],
)
def test_what_a_copy_or_a_touch_did_to_times_is_no_restart(series: list[Checkpoint]) -> None:
    assert restarts_of(series) == ()


def test_whether_it_was_asked_for_another_world_size_changes_nothing() -> None:
    asked = [c._replace(resumable=False) for c in FILED_BACK]
    assert restarts_of(asked) == restarts_of(FILED_BACK)
