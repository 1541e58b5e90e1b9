from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.watch.cadence import SAVING_SECONDS, Cadence, Scope


def make(*, polling: bool) -> Cadence:
    cadence = Cadence(poll_seconds=2.0, sweep_seconds=30.0)
    cadence.polling = polling
    return cadence


@pytest.mark.parametrize("polling", [True, False])
def test_the_first_look_is_full_and_at_once(polling: bool) -> None:
    assert make(polling=polling).due(0.0) is Scope.FULL


def test_polling_looks_at_hot_paths_and_sweeps_every_tenth_time() -> None:
    cadence = make(polling=True)
    scopes = []
    now = 0.0
    for _ in range(21):
        scope = cadence.due(now)
        assert scope is not None
        scopes.append(scope)
        cadence.looked(scope, now, now, saving=False)
        now = cadence.due_at()
    assert now == pytest.approx(21 * 2.0)
    assert [index for index, scope in enumerate(scopes) if scope is Scope.FULL] == [0, 10, 20]


def test_polling_does_not_hurry_for_a_save() -> None:
    cadence = make(polling=True)
    cadence.looked(Scope.FULL, 0.0, 0.0, saving=True)
    assert cadence.due_at() == 2.0


def test_with_events_only_sweeps_and_root_checks_go_by_the_clock() -> None:
    cadence = make(polling=False)
    cadence.looked(Scope.FULL, 0.0, 0.0, saving=False)
    assert cadence.due_at() == 2.0
    assert cadence.due(2.0) is Scope.ROOTS
    cadence.checked(2.0)
    assert cadence.due(3.0) is None
    cadence.checked(29.0)
    assert cadence.due_at() == 30.0
    assert cadence.due(30.0) is Scope.FULL


def test_with_events_a_save_in_flight_is_looked_at_often() -> None:
    cadence = make(polling=False)
    cadence.looked(Scope.FULL, 0.0, 1.0, saving=False)
    cadence.looked(Scope.PATHS, 1.0, 1.01, saving=True)
    assert cadence.due_at() == 1.0 + SAVING_SECONDS
    assert cadence.due(1.3) is Scope.HOT
    cadence.looked(Scope.HOT, 1.3, 1.4, saving=True)
    assert cadence.due_at() == pytest.approx(1.4 + 1.0)
    cadence.looked(Scope.HOT, 2.4, 2.4, saving=False)
    assert cadence.due(4.0) is None


def test_events_cannot_take_more_than_half_of_the_time() -> None:
    cadence = make(polling=False)
    cadence.looked(Scope.PATHS, 10.0, 10.4, saving=False)
    assert cadence.events_from() == pytest.approx(10.8)
    cadence.looked(Scope.FULL, 20.0, 30.0, saving=False)
    assert cadence.events_from() == pytest.approx(31.0)


def test_failures_are_retried_with_growing_pauses_and_in_full() -> None:
    cadence = make(polling=False)
    cadence.looked(Scope.FULL, 0.0, 0.0, saving=False)
    now, pauses = 1.0, []
    for _ in range(9):
        cadence.failed(now)
        assert cadence.events_from() > now
        retry = cadence.events_from()
        assert cadence.due(retry) is Scope.FULL
        pauses.append(retry - now)
        now = retry
    assert pauses[:4] == [0.5, 1.0, 2.0, 4.0]
    assert pauses[-1] == 30.0
    cadence.looked(Scope.FULL, now, now, saving=False)
    assert cadence.due(now + 1.0) is None


def test_roots_are_checked_while_a_failed_look_waits() -> None:
    cadence = make(polling=True)
    for _ in range(8):
        cadence.failed(100.0)
    assert cadence.due(102.0) is Scope.ROOTS


@given(took=st.floats(0.0, 1000.0), polling=st.booleans(), saving=st.booleans())
def test_looking_by_the_clock_rests_ten_times_as_long_up_to_a_minute(
    took: float, polling: bool, saving: bool
) -> None:
    cadence = make(polling=polling)
    cadence.looked(Scope.FULL, 0.0, took, saving=False)
    cadence.checked(1e9)
    rest = cadence.due_at() - took
    assert rest >= min(10 * took, 60.0) - 1e-6
    assert rest <= max(30.0, min(10 * took, 60.0)) + 1e-6
    cadence.looked(Scope.HOT, 2e3, 2e3 + took, saving=saving)
    if saving and not polling:
        assert cadence.due(2e3 + took + 2.0) is not None
