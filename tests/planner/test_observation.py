"""Interval and failure rate from the times of commits: rules, and simulated directories."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.planner.observation import Commit, observe


def steady(count: int, minutes: float = 30.0, steps: int = 100, start: int = 0) -> list[Commit]:
    return [Commit((start + n) * steps, (start + n) * minutes * 60) for n in range(count)]


def simulated(random: Random, mtbf: float, interval: float, recovery: float) -> list[Commit]:
    """Commits of a job with twenty failures; minutes."""
    commits, now, step, failures = [], 0.0, 0, 0
    left = random.expovariate(1 / mtbf)
    while failures < 20:
        if left > interval:
            left -= interval
            now += interval
            step += 100
            commits.append(Commit(step, now * 60 + random.gauss(0, 1)))
        else:
            now += left + recovery
            left = random.expovariate(1 / mtbf)
            failures += 1
    return commits


def test_a_steady_run() -> None:
    seen = observe(steady(11), recovery_minutes=10)
    assert seen is not None
    assert seen.interval_steps == 100
    assert seen.interval_minutes == pytest.approx(30)
    assert seen.running_minutes == pytest.approx(300)
    assert seen.failures == ()
    assert seen.seen_share == pytest.approx(0.5 + 10 / 30)
    assert seen.rate is not None
    assert seen.rate.exposure_hours == pytest.approx(5 * seen.seen_share)
    assert seen.rate.rule_of_three is not None


def test_removed_checkpoints_are_no_outage() -> None:
    commits = [c for c in steady(20) if c.step % 500 == 0 or c.step > 1500]
    seen = observe(commits, recovery_minutes=5)
    assert seen is not None
    assert seen.failures == ()


def test_a_gap_is_one_failure_and_no_running_time() -> None:
    late = [Commit(c.step, c.at + 2 * 3600) for c in steady(10, start=11)]
    seen = observe([*steady(11), *late], recovery_minutes=5)
    assert seen is not None
    assert [f.went_back for f in seen.failures] == [False]
    assert seen.failures[0].excess_minutes == pytest.approx(120)
    assert seen.running_minutes == pytest.approx(600)


def test_a_step_that_goes_back_is_a_failure() -> None:
    again = [Commit(c.step - 300, c.at + 600) for c in steady(10, start=11)]
    seen = observe([*steady(11), *again], recovery_minutes=5)
    assert seen is not None
    assert [f.went_back for f in seen.failures] == [True]


def test_a_planned_stop_can_be_unmarked() -> None:
    late = [Commit(c.step, c.at + 7200) for c in steady(10, start=11)]
    commits = [*steady(11), *late]
    first = observe(commits, 5)
    assert first is not None
    unmarked = observe(commits, 5, planned={first.failures[0].at})
    assert unmarked is not None
    assert unmarked.failures == ()


@pytest.mark.parametrize("commits", [[], steady(1), steady(2), [Commit(5, 0.0)] * 9])
def test_too_little_shows_nothing(commits: list[Commit]) -> None:
    assert observe(commits, 5) is None


def test_the_corrected_rate_covers_the_truth() -> None:
    """The missed-failure correction: without it the interval covers a third of such runs."""
    mtbf, recovery = 600.0, 2.0
    random = Random(1)
    covered, raw = 0, 0.0
    for _ in range(200):
        seen = observe(simulated(random, mtbf, 30.0, recovery), recovery)
        assert seen is not None
        assert seen.rate is not None
        covered += seen.rate.low <= 60 / mtbf <= seen.rate.high
        raw += len(seen.failures) / seen.running_minutes * 60 / 200
    assert raw < 0.065
    assert covered >= 170


@given(
    st.lists(st.tuples(st.integers(0, 10**9), st.floats(0, 4e9, allow_nan=False)), max_size=30),
    st.floats(0, 1e4),
)
def test_any_times(pairs: list[tuple[int, float]], recovery: float) -> None:
    seen = observe([Commit(*pair) for pair in pairs], recovery)
    if seen is None:
        return
    assert 0 <= seen.seen_share <= 1
    assert seen.running_minutes >= 0
    assert len(seen.failures) < max(1, len(pairs))
    if seen.rate is not None:
        assert 0 < seen.rate.low <= seen.rate.mean


def test_a_short_time_without_a_failure_says_nothing_of_the_rate() -> None:
    short, long = observe(steady(11), 10), observe(steady(2000), 10)
    assert short is not None
    assert short.rate is not None
    assert short.rate.to_plan_with(0.02) is None
    assert long is not None
    assert long.rate is not None
    assert long.rate.to_plan_with(0.02) == long.rate.mean < 0.02


def test_two_files_of_one_step_are_no_failure() -> None:
    """A trainer may write its best and its last checkpoint one after the other."""
    twins = [Commit(c.step, c.at + seconds) for c in steady(11) for seconds in (0.0, 20.0)]
    seen = observe(twins, recovery_minutes=5)
    assert seen is not None
    assert seen.failures == ()
    assert seen.interval_minutes == pytest.approx(30, rel=0.02)


def test_a_step_that_was_done_again_is_a_failure() -> None:
    again = [Commit(c.step - 100, c.at + 600) for c in steady(10, start=11)]
    seen = observe([*steady(11), *again], recovery_minutes=5)
    assert seen is not None
    assert [f.went_back for f in seen.failures] == [True]
    assert seen.failures[0].excess_minutes == pytest.approx(40)


def test_times_of_a_copy_show_neither_pace_nor_failures() -> None:
    by_name = sorted(range(100, 4100, 100), key=str)
    assert observe([Commit(step, 0.01 * n) for n, step in enumerate(by_name)], 5) is None


def test_commits_of_one_moment_are_in_the_order_of_steps() -> None:
    commits = [Commit(c.step, c.at // 7200 * 7200) for c in steady(40)]
    forward, backward = observe(commits, 5), observe(commits[::-1], 5)
    assert forward == backward
