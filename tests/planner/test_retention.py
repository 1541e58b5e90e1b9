"""Retention policies decide what to keep, and never free the only way back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.planner.retention import (
    Policy,
    Stored,
    apply_policy,
    checkpoints_against_corruption,
    days_until_full,
    days_until_full_under,
)


def series(*steps: int, broken: tuple[int, ...] = ()) -> list[Stored]:
    return [Stored(f"/run/{s}", s, 10, s not in broken, metric=float(s % 7)) for s in steps]


def steps_kept(stored: list[Stored], policy: Policy) -> list[int]:
    return [each.step for each in apply_policy(stored, policy).kept]


@pytest.mark.parametrize(
    ("policy", "kept"),
    [
        (Policy(last=2), [500, 400]),
        (Policy(every_steps=200), [500, 400, 200]),
        (Policy(last=1, every_steps=300), [500, 300]),
        (Policy(best=1), [500, 300]),  # 300 % 7 = 6, 400 % 7 = 1, 500 % 7 = 3, 100 % 7 = 2
        (Policy(), [500]),
    ],
)
def test_policies(policy: Policy, kept: list[int]) -> None:
    best = series(100, 200, 300, 400, 500)
    if policy.best:
        best = [s._replace(metric=0.0 if s.step == 300 else 1.0) for s in best]
    assert steps_kept(best, policy) == kept


def test_a_broken_newest_does_not_count_as_the_last() -> None:
    outcome = apply_policy(series(100, 200, 300, broken=(300,)), Policy(last=1))
    assert [each.step for each in outcome.kept] == [200]
    assert outcome.freed_bytes == 20


def test_the_best_are_looked_for_among_those_that_can_be_resumed() -> None:
    stored = [s._replace(metric=s.step / 100) for s in series(100, 200, 300, broken=(100,))]
    assert [each.step for each in apply_policy(stored, Policy(best=1)).kept] == [300, 200]


def test_at_one_step_the_first_given_is_kept() -> None:
    twins = [Stored("/run/z", 100, 10), Stored("/run/a", 100, 10)]
    assert [each.path for each in apply_policy(twins, Policy(last=1)).kept] == ["/run/z"]


def test_numbers_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="last: need a whole number from 1"):
        apply_policy([], Policy(last=0))


stored_lists = st.lists(
    st.builds(
        Stored,
        st.text(max_size=5),
        st.integers(0, 1000),
        st.integers(0, 10**12),
        st.booleans(),
        st.none() | st.floats(-1e6, 1e6),
    ),
    max_size=20,
    unique_by=lambda each: (each.path, each.step),
)
numbers = st.none() | st.integers(1, 30)


@given(stored_lists, st.builds(Policy, numbers, numbers, numbers))
def test_nothing_is_lost_and_a_way_back_stays(stored: list[Stored], policy: Policy) -> None:
    outcome = apply_policy(stored, policy)
    assert sorted(outcome.kept + outcome.freed) == sorted(stored)
    assert outcome.kept_bytes + outcome.freed_bytes == sum(each.size_bytes for each in stored)
    good = [each for each in stored if each.resumable]
    if good:
        newest = max(each.step for each in good)
        assert any(each.step == newest and each.resumable for each in outcome.kept)


def test_days_until_full() -> None:
    assert days_until_full(1000, 100, 144) == pytest.approx(1.0)
    assert days_until_full(99, 100, 144) == 0
    assert days_until_full(99, 0, 144) == math.inf


@pytest.mark.parametrize(("late", "count"), [(0, 1), (30, 2), (30.1, 3), (60, 3)])
def test_against_corruption(late: float, count: int) -> None:
    assert checkpoints_against_corruption(late, 30) == count


@pytest.mark.parametrize(
    ("policy", "free_bytes", "steps", "days"),
    [
        (Policy(last=3), 10, 100, math.inf),  # three of five stay, two go: always room for one
        (Policy(last=8), 20, 100, 2 / 10),  # eight never fit beside the five that are there
        (Policy(last=8), 39, 100, 3 / 10),
        (Policy(last=8), 40, 100, math.inf),  # three more, and one before the oldest goes
        (Policy(last=5), 0, 100, 0.0),
        (Policy(last=2, every_steps=300), 0, 100, 2 * 3 / 10),  # 200 and 100 go; a multiple in 3
        (Policy(last=2, every_steps=300), 0, None, 2 / 10),
    ],
)
def test_days_under_a_policy(
    policy: Policy, free_bytes: int, steps: int | None, days: float
) -> None:
    outcome = apply_policy(series(100, 200, 300, 400, 500), policy)
    assert days_until_full_under(policy, outcome, free_bytes, 10, 144, steps) == pytest.approx(days)


def test_against_corruption_found_after_an_age() -> None:
    assert checkpoints_against_corruption(1e308, 1e-4) == 10**15 + 1


def test_where_none_can_be_resumed_the_newest_stay() -> None:
    only_weights = series(100, 200, 300, broken=(100, 200, 300))
    assert steps_kept(only_weights, Policy(last=2)) == [300, 200]
