"""What is known of a run: its own checkpoints, and those that only the history remembers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.facts import CommitFacts
from ckpt_tui.core.runs import Run
from ckpt_tui.history.database import History
from ckpt_tui.history.observed import merged, observed
from ckpt_tui.history.saves import ObservedSave, Source, history_key, saves_of
from tests.core.builders import checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint

MINUTE = 60.0


def commit(step: int, minutes: float, **changes: Any) -> Checkpoint:
    at = CommitFacts("the marker is renamed into place last", True, committed_at=minutes * MINUTE)
    return checkpoint(step, commit=at, size_bytes=6000, **changes)


def run_of(*checkpoints: Checkpoint) -> Run:
    return Run("/mnt/run", "run", "torch-file", checkpoints, None)


def seen(step: int, minutes: float, **changes: Any) -> ObservedSave:
    plain = ObservedSave(f"step-{step}", step, minutes * MINUTE, 2.0, 6000, Source.FILE_TIMES)
    return plain._replace(**changes)


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(str(tmp_path / "history.sqlite"))


def test_the_directory_alone() -> None:
    run = run_of(*(commit(10 * n, 30.0 * n) for n in range(1, 6)))
    known = observed(run, None, 10)
    assert known.cadence.interval_minutes == pytest.approx(30)
    assert known.observation is not None
    assert known.observation.failures == ()
    assert (len(known.saves), known.from_history, known.problem) == (5, 0, "")


def test_rotated_saves_come_from_the_history(history: History) -> None:
    run = run_of(commit(50, 150.0))
    history.keep(history_key(run), [seen(10 * n, 30.0 * n) for n in range(1, 6)])
    known = observed(run, history, 10)
    assert [save.step for save in known.saves] == [10, 20, 30, 40, 50]
    assert known.from_history == 4
    assert known.cadence.interval_minutes == pytest.approx(30)
    assert known.cadence.saves == 5


def test_another_format_in_the_same_directory_is_another_run(history: History) -> None:
    history.keep("/mnt/run:deepspeed", [seen(10, 30.0)])
    assert observed(run_of(commit(50, 150.0)), history, 10).from_history == 0


def test_a_step_that_came_again_is_a_failure(history: History) -> None:
    run = run_of(commit(10, 30.0), commit(20, 60.0), commit(30, 150.0), commit(40, 180.0))
    history.keep(history_key(run), [seen(30, 90.0)])
    known = observed(run, history, 5)
    assert known.from_history == 1
    assert known.observation is not None
    assert [f.went_back for f in known.observation.failures] == [True]
    unmarked = observed(run, history, 5, planned={150.0 * MINUTE}).observation
    assert unmarked is not None
    assert unmarked.failures == ()


def test_a_late_file_makes_no_second_save() -> None:
    first, later = seen(10, 30.0), seen(10, 30.5)
    assert merged([later, first]) == (later,)
    watched = later._replace(source=Source.WATCHED, save_seconds=9.0)
    assert merged([first, watched]) == (watched,)
    assert len(merged([first, seen(10, 90.0)])) == 2


def test_one_exact_time_is_worth_more_than_all_lower_bounds(history: History) -> None:
    run = run_of(*(commit(10 * n, 30.0 * n, save_seconds=2.0) for n in range(1, 6)))
    known = observed(run, history, 10).cadence
    assert (known.save_minutes, known.save_is_lower_bound) == (pytest.approx(2 / 60), True)
    assert known.bytes_per_second == pytest.approx(3000)
    history.keep(history_key(run), [seen(30, 90.0, source=Source.WATCHED, save_seconds=60.0)])
    known = observed(run, history, 10).cadence
    assert (known.save_minutes, known.save_is_lower_bound) == (pytest.approx(1), False)
    assert (known.timed_saves, known.bytes_per_second) == (1, pytest.approx(100))


def test_the_slow_saves_are_told(history: History) -> None:
    run = run_of(commit(1, 1.0))
    slow = [seen(n, 10.0 * n, save_seconds=600.0 if n == 20 else 60.0 + n) for n in range(1, 21)]
    history.keep(history_key(run), slow)
    cadence = observed(run, history, 10).cadence
    assert cadence.save_p95_minutes == pytest.approx(79 / 60)
    assert cadence.save_minutes == pytest.approx(70.5 / 60, abs=0.02)


def test_a_history_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    place = tmp_path / "history.sqlite"
    place.write_bytes(b"no database" * 100)
    known = observed(run_of(commit(10, 30.0)), History(str(place)), 10)
    assert len(known.saves) == 1
    assert "move the file away" in known.problem
    assert os.path.getsize(place) == 1100


def test_what_no_database_takes_is_left_out() -> None:
    assert saves_of([commit(2**63, 1.0), commit(5, float("nan")), commit(6, float("inf"))]) == ()


def test_a_watched_checkpoint_is_kept_as_such() -> None:
    one = commit(10, 30.0, save_seconds=4.0, save_seconds_is_lower_bound=False)
    (save,) = saves_of([one._replace(watched=True)])
    assert (save.source, save.save_seconds) == (Source.WATCHED, 4.0)


@pytest.mark.parametrize("minutes", [-1.0, 1e12, 1e300, float("inf"), float("nan")])
def test_times_that_no_calendar_has_are_left_out(minutes: float) -> None:
    assert saves_of([commit(10, minutes)]) == ()
