"""Saves that get slower: noise, a single odd save and a step are told apart."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.alarms.trend import LEAST_SAVES, MOST_SAVES, trend_of
from tests.core.alarm_sights import alarms_of, saves
from tests.tui.builders import run_of


@pytest.mark.parametrize(
    ("seconds", "rises"),
    [
        ([100.0] * 20, False),
        ([100.0 + 5 * n for n in range(20)], True),
        ([100.0 + n for n in range(20)], False),  # a fifth in all
        ([200.0 - 5 * n for n in range(20)], False),
        ([100.0 + 10 * n for n in range(LEAST_SAVES)], True),
        ([100.0] * 19 + [2000.0], False),
        ([100.0] * 10 + [2000.0] + [100.0] * 9, False),
        ([0.1 + 0.01 * n for n in range(20)], False),  # a fifth of a second
        ([100.0] * 10 + [200.0] * 10, True),
    ],
)
def test_which_saves_get_slower(seconds: list[float], rises: bool) -> None:
    trend = trend_of(seconds)
    assert trend is not None
    assert trend.rises(already=False) is rises


def test_few_saves_say_nothing() -> None:
    assert trend_of([10.0 * n for n in range(LEAST_SAVES - 1)]) is None


def test_what_was_said_is_taken_back_below_a_lower_limit() -> None:
    trend = trend_of([100.0 + 1.8 * n for n in range(20)])
    assert trend is not None
    assert trend.last_seconds == pytest.approx(134.2)
    assert not trend.rises(already=False)
    assert trend.rises(already=True)
    calm = trend_of([100.0 + n for n in range(20)])
    assert calm is not None
    assert not calm.rises(already=True)


def test_noise_is_no_trend() -> None:
    dice = random.Random(1)
    alarms = 0
    for _ in range(2000):
        noisy = [100 * dice.lognormvariate(0, 0.2) for _ in range(MOST_SAVES)]
        trend = trend_of(noisy)
        alarms += trend is not None and trend.rises(already=False)
    assert alarms <= 4


@given(st.lists(st.floats(0, 1e6), min_size=LEAST_SAVES, max_size=40))
def test_any_times_give_a_line(seconds: list[float]) -> None:
    trend = trend_of(seconds)
    assert trend is not None
    assert trend.first_seconds >= 0
    assert trend.saves <= MOST_SAVES


@given(st.lists(st.floats(1, 1000), min_size=LEAST_SAVES, max_size=MOST_SAVES))
def test_saves_that_never_rise_have_no_alarm(seconds: list[float]) -> None:
    trend = trend_of(sorted(seconds, reverse=True))
    assert trend is not None
    assert not trend.rises(already=False)


def test_the_alarm_says_from_what_to_what() -> None:
    found = alarms_of(run_of(saves(12, took=[100.0 + 10 * n for n in range(12)])))
    assert found["saves-slowing"].message == "saves get slower: 1m 40s → 3m 30s over the last 12"
