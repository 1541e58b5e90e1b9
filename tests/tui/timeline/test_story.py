from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.history.database import History
from ckpt_tui.history.saves import history_key, saves_of
from ckpt_tui.tui.timeline.story import story_of
from ckpt_tui.tui.timeline.telling import events_of
from tests.tui.builders import facts, run_of
from tests.tui.timeline.builders import night_facts, night_run

if TYPE_CHECKING:
    from pathlib import Path


def test_saves_come_in_the_order_of_time() -> None:
    story = story_of(night_run(), None)
    assert len(story.saves) == 36
    assert list(story.saves) == sorted(story.saves, key=lambda save: save.at)
    assert story.saves[-1].is_resume
    assert story.saves[20].verdict is Verdict.UNCOMMITTED


def test_the_restart_names_where_the_job_went_on() -> None:
    (restart,) = story_of(night_run(), None).restarts
    assert (restart.from_step, restart.reached_step) == (2000, 2100)
    assert restart.lost_steps == 100


def test_the_time_without_saves_is_told() -> None:
    outages = story_of(night_run(), None).outages
    assert max(outage.end - outage.begin for outage in outages) == 2 * 3600
    assert max(outage.excess_seconds for outage in outages) == pytest.approx(110 * 60, rel=0.01)


def test_what_was_removed_is_known_from_the_history(tmp_path: Path) -> None:
    whole, history = night_run(), History(str(tmp_path / "history.sqlite"))
    history.keep(history_key(whole), saves_of(whole.checkpoints))
    left = run_of(night_facts()[30:])
    story = story_of(left, history)
    assert story.from_history == 29  # the dead save was none
    assert [save.verdict is None for save in story.saves] == [True] * 29 + [False] * 6
    assert story.saves[0].title == "step 100"
    assert len(story.restarts) == 1 or story.outages


def test_a_broken_history_is_told_and_the_rest_stands(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    path.write_text("no database, but long enough to be looked at as one " * 50)
    story = story_of(night_run(), History(str(path)))
    assert "history" in story.problem
    assert len(story.saves) == 36


def test_a_step_back_that_only_the_history_saw_is_a_restart(tmp_path: Path) -> None:
    before = run_of([facts(100, age=9000.0), facts(200, age=8000.0), facts(300, age=7000.0)])
    after = run_of([facts(200, age=5000.0), facts(300, age=4000.0)])
    history = History(str(tmp_path / "history.sqlite"))
    history.keep(history_key(before), saves_of(before.checkpoints))
    (restart,) = story_of(after, history).restarts
    assert (restart.from_step, restart.lost_steps) == (100, 200)


def test_a_touched_run_is_not_compared_with_its_own_past(tmp_path: Path) -> None:
    before = run_of([facts(100, age=9000.0), facts(200, age=8000.0), facts(300, age=7000.0)])
    history = History(str(tmp_path / "history.sqlite"))
    history.keep(history_key(before), saves_of(before.checkpoints))
    for ages in ((60.0, 60.0, 60.0), (50.0, 60.0, 40.0), (60.0, 50.0, 40.0)):
        touched = run_of([facts(n * 100, age=age) for n, age in enumerate(ages, 1)])
        assert story_of(touched, history).restarts == ()


def test_copies_and_times_unknown_are_left_out() -> None:
    alias = facts(200, age=100.0, name="last")._replace(alias=True)
    assert [s.step for s in story_of(run_of([facts(200, age=100.0), alias]), None).saves] == [200]
    assert story_of(run_of([]), None).saves == ()


def test_events_are_in_the_order_of_time() -> None:
    events = events_of(story_of(night_run(), None))
    assert [event.at for event in events] == sorted(event.at for event in events)
    texts = [" ".join(part.text for part in event.text) for event in events]
    assert any("went on from step 2000" in text and "100 steps lost" in text for text in texts)
    assert any("step 2100 is uncommitted" in text for text in texts)
    assert any("no save for 2h 00m" in text for text in texts)
