from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.watch.pace import SAVING_SECONDS, Pace, Scope


def make(*, polling: bool) -> Pace:
    pace = Pace(poll_seconds=2.0, sweep_seconds=30.0)
    pace.polling = polling
    return pace


@pytest.mark.parametrize("polling", [True, False])
def test_the_first_look_is_full_and_at_once(polling: bool) -> None:
    assert make(polling=polling).due(0.0) is Scope.FULL


def test_polling_looks_at_hot_paths_and_sweeps_every_tenth_time() -> None:
    pace = make(polling=True)
    scopes = []
    now = 0.0
    for _ in range(21):
        scope = pace.due(now)
        assert scope is not None
        scopes.append(scope)
        pace.looked(scope, now, now, saving=False)
        now = pace.due_at()
    assert now == pytest.approx(21 * 2.0)
    assert [index for index, scope in enumerate(scopes) if scope is Scope.FULL] == [0, 10, 20]


def test_polling_does_not_hurry_for_a_save() -> None:
    pace = make(polling=True)
    pace.looked(Scope.FULL, 0.0, 0.0, saving=True)
    assert pace.due_at() == 2.0


def test_with_events_only_sweeps_and_root_checks_go_by_the_clock() -> None:
    pace = make(polling=False)
    pace.looked(Scope.FULL, 0.0, 0.0, saving=False)
    assert pace.due_at() == 2.0
    assert pace.due(2.0) is Scope.ROOTS
    pace.checked(2.0)
    assert pace.due(3.0) is None
    pace.checked(29.0)
    assert pace.due_at() == 30.0
    assert pace.due(30.0) is Scope.FULL


def test_with_events_a_save_in_flight_is_looked_at_often() -> None:
    pace = make(polling=False)
    pace.looked(Scope.FULL, 0.0, 1.0, saving=False)
    pace.looked(Scope.PATHS, 1.0, 1.01, saving=True)
    assert pace.due_at() == 1.0 + SAVING_SECONDS
    assert pace.due(1.3) is Scope.HOT
    pace.looked(Scope.HOT, 1.3, 1.4, saving=True)
    assert pace.due_at() == pytest.approx(1.4 + 1.0)
    pace.looked(Scope.HOT, 2.4, 2.4, saving=False)
    assert pace.due(4.0) is None


def test_events_cannot_take_more_than_half_of_the_time() -> None:
    pace = make(polling=False)
    pace.looked(Scope.PATHS, 10.0, 10.4, saving=False)
    assert pace.events_from() == pytest.approx(10.8)
    pace.looked(Scope.FULL, 20.0, 30.0, saving=False)
    assert pace.events_from() == pytest.approx(31.0)


def test_failures_are_retried_with_growing_pauses_and_in_full() -> None:
    pace = make(polling=False)
    pace.looked(Scope.FULL, 0.0, 0.0, saving=False)
    now, pauses = 1.0, []
    for _ in range(9):
        pace.failed(now)
        assert pace.events_from() > now
        retry = pace.events_from()
        assert pace.due(retry) is Scope.FULL
        pauses.append(retry - now)
        now = retry
    assert pauses[:4] == [0.5, 1.0, 2.0, 4.0]
    assert pauses[-1] == 30.0
    pace.looked(Scope.FULL, now, now, saving=False)
    assert pace.due(now + 1.0) is None


def test_roots_are_checked_while_a_failed_look_waits() -> None:
    pace = make(polling=True)
    for _ in range(8):
        pace.failed(100.0)
    assert pace.due(102.0) is Scope.ROOTS


@given(took=st.floats(0.0, 1000.0), polling=st.booleans(), saving=st.booleans())
def test_looking_by_the_clock_rests_ten_times_as_long_up_to_a_minute(
    took: float, polling: bool, saving: bool
) -> None:
    pace = make(polling=polling)
    pace.looked(Scope.FULL, 0.0, took, saving=False)
    pace.checked(1e9)
    rest = pace.due_at() - took
    assert rest >= min(10 * took, 60.0) - 1e-6
    assert rest <= max(30.0, min(10 * took, 60.0)) + 1e-6
    pace.looked(Scope.HOT, 2e3, 2e3 + took, saving=saving)
    if saving and not polling:
        assert pace.due(2e3 + took + 2.0) is not None
