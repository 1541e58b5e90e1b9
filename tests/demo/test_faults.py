from __future__ import annotations

from ckpt_tui.demo.faults import FaultKind, FaultPlan, default_faults


def test_the_default_shows_each_fault_once_and_then_none() -> None:
    faults = default_faults()
    for run_index in (0, 1):
        seen = [faults.at(attempt, run_index) for attempt in range(1, 200)]
        assert sorted(kind for kind in seen if kind) == sorted(FaultKind)
        assert not any(seen[faults.last_attempt(run_index) :])


def test_two_runs_do_not_fail_at_once() -> None:
    faults = FaultPlan(((3, FaultKind.RANK_KILLED),))
    assert faults.at(3, 0) is faults.at(4, 1) is FaultKind.RANK_KILLED
    assert faults.at(4, 0) is faults.at(3, 1) is None


def test_random_faults_follow_from_the_seed_at_the_given_rate() -> None:
    faults = FaultPlan(random_rate=0.25, seed=3)
    drawn = [faults.at(attempt) for attempt in range(4000)]
    assert drawn == [faults.at(attempt) for attempt in range(4000)]
    assert drawn != [faults._replace(seed=4).at(attempt) for attempt in range(4000)]
    assert 800 < sum(kind is not None for kind in drawn) < 1200
    assert set(drawn) == {None, *FaultKind}
    assert not any(FaultPlan().at(attempt) for attempt in range(100))
