from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.watch.pace import MARKER_SECONDS, SAVING_SECONDS, Pace, Scope


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


def next_look(pace: Pace, now: float) -> tuple[Scope, float]:
    """The next look that is more than a peek or a check, and when it falls due."""
    while (scope := pace.due(now)) in (Scope.PEEK, Scope.ROOTS, None):
        if scope is Scope.PEEK:
            pace.peeked(now, now)
        elif scope is Scope.ROOTS:
            pace.checked(now)
        now = max(now, pace.due_at())
    return scope, now


@given(took=st.floats(0.0, 1000.0), polling=st.booleans(), saving=st.booleans())
def test_looking_by_the_clock_rests_ten_times_as_long(
    took: float, polling: bool, saving: bool
) -> None:
    pace = make(polling=polling)
    pace.looked(Scope.FULL, 0.0, took, saving=False)
    scope, at = next_look(pace, took)
    while scope is not Scope.FULL:
        pace.looked(scope, at, at, saving=False)
        scope, at = next_look(pace, at)
    rest = at - took
    assert rest >= min(10 * took, 3600.0) - 1e-6
    assert rest <= max(30.0, min(10 * took, 3600.0)) + 1e-6
    pace.looked(Scope.HOT, 2e3, 2e3 + took, saving=saving)
    if saving and not polling:
        assert pace.due(2e3 + took + 2.0) is not None


def test_a_small_tree_is_looked_at_in_full_at_each_sweep() -> None:
    pace = make(polling=False)
    pace.looked(Scope.FULL, 0.0, 0.02, saving=False, cpu_seconds=0.02)
    assert pace.due(30.1) is Scope.FULL


def test_a_large_tree_is_swept_by_stats_and_seldom_in_full() -> None:
    pace = make(polling=False)
    pace.looked(Scope.FULL, 0.0, 2.5, saving=False, cpu_seconds=2.5)
    assert next_look(pace, 2.5) == (Scope.SWEEP, 32.5)
    pace.looked(Scope.SWEEP, 32.5, 32.6, saving=False, cpu_seconds=0.1)
    assert next_look(pace, 32.6) == (Scope.SWEEP, 62.6)
    pace.looked(Scope.SWEEP, 62.6, 62.9, saving=False, cpu_seconds=0.3)
    assert next_look(pace, 62.9) == (Scope.SWEEP, pytest.approx(62.9 + 75.0))
    assert pace.due(2503.0) is Scope.FULL


@given(cpu=st.floats(0.001, 3.0), polling=st.booleans())
def test_looking_by_the_clock_takes_less_than_a_hundredth_of_the_processor(
    cpu: float, polling: bool
) -> None:
    """Whatever a full look costs, and the others a part of it."""
    pace = make(polling=polling)
    pace.looked(Scope.FULL, 0.0, cpu, saving=False, cpu_seconds=cpu)
    now, used = cpu, 0.0
    while now < 20_000.0:
        scope, now = next_look(pace, now)
        cost = cpu if scope is Scope.FULL else cpu / 25
        pace.looked(scope, now, now + cost, saving=False, cpu_seconds=cost)
        used, now = used + cost, now + cost
    assert used / now < 0.01


def test_the_marker_of_a_save_is_looked_for_ten_times_a_second() -> None:
    pace = make(polling=True)
    pace.looked(Scope.FULL, 9.0, 9.0, saving=False)
    pace.looked(Scope.HOT, 10.0, 10.0, saving=True, awaiting=True)
    assert pace.due(10.05) is None
    assert pace.due_at() == pytest.approx(10.0 + MARKER_SECONDS)
    assert pace.due(10.11) is Scope.PEEK
    pace.peeked(10.1, 10.12)
    assert pace.due_at() == pytest.approx(10.12 + 10 * 0.02)
    pace.looked(Scope.PATHS, 10.4, 10.5, saving=False)
    assert pace.due_at() == 12.0


def test_where_it_is_polled_a_slow_look_is_preceded_by_peeks() -> None:
    pace = make(polling=True)
    pace.looked(Scope.FULL, 0.0, 0.0, saving=False)
    pace.looked(Scope.HOT, 2.0, 2.2, saving=False, cpu_seconds=0.2)
    assert pace.due(4.1) is None
    assert pace.due(4.3) is Scope.PEEK
    pace.peeked(4.3, 4.3)
    assert pace.due(4.31) is Scope.ROOTS
    pace.checked(4.31)
    assert pace.due(6.31) is Scope.PEEK


def test_a_slow_server_is_asked_less_often_and_that_is_told() -> None:
    pace = make(polling=True)
    pace.looked(Scope.FULL, 0.0, 30.0, saving=False, cpu_seconds=1.0)
    assert pace.slowed_rest_seconds() is None, "only looks at what can change set this pace"
    pace.looked(Scope.HOT, 40.0, 44.0, saving=False, cpu_seconds=0.1)
    assert pace.slowed_rest_seconds() == pytest.approx(40.0)
    pace.looked(Scope.HOT, 90.0, 120.0, saving=False)
    assert pace.slowed_rest_seconds() == pytest.approx(60.0)
    pace.looked(Scope.HOT, 200.0, 200.05, saving=False, cpu_seconds=0.04)
    assert pace.slowed_rest_seconds() is None
