"""What the log says of saves, deletions, restarts and runs; and what it does not say twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.alarms.changes import MOST_EACH
from ckpt_tui.core.alarms.values import AlarmLevel
from ckpt_tui.core.checkpoint import SaveProgress
from ckpt_tui.core.snapshot import Reading
from ckpt_tui.core.verified import VerifiedFacts, VerifiedFile
from ckpt_tui.core.verified_findings import with_verified
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Level
from tests.core.alarm_sights import Watch, saves
from tests.tui.builders import ROOT, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.alarms.values import Event

PROGRESS = SaveProgress(49, 100, 1.0, 51.0, 0.0)


def flying(step: int = 700) -> Any:
    return saving(facts(step, met=False, age=0.0, took=None), PROGRESS)


def messages(watch: Watch) -> list[str]:
    told = [event.message for event in watch.log]
    watch.log.clear()
    return told


def test_the_first_look_tells_what_stands_there_and_no_history() -> None:
    watch = Watch(snapshot_of(run_of([*saves(), facts(700, met=False, took=None)])))
    assert [(e.kind.value, e.code, e.first) for e in watch.log] == [
        ("raised", "newest-failed", True)
    ]


def test_a_save_from_its_beginning_to_its_commit() -> None:
    watch = Watch()
    watch.look(run_of(saves(), in_flight=[flying()]))
    assert messages(watch) == ["step 700: a save began"]
    watch.look(run_of(saves(), in_flight=[flying()]))
    assert messages(watch) == []
    done = facts(700, age=0.0, took=130.0)._replace(save_seconds_is_lower_bound=False)
    watch.look(run_of([*saves(), done]))
    assert messages(watch) == ["step 700 committed in 2m 10s, 4.00 GiB"]


def test_a_save_that_dies_is_an_event_and_an_alarm() -> None:
    watch = Watch()
    watch.look(run_of(saves(), in_flight=[flying()]))
    watch.told()
    watch.look(run_of([*saves(), facts(700, met=False, age=0.0, took=None)]))
    (died,) = [e for e in watch.log if e.code == "save-died"]
    assert died.message.startswith("step 700: the save died at 49 % (never finished")
    assert watch.told() == [("happened", "save-died"), ("raised", "newest-failed")]


def test_wrong_bytes_are_an_event_and_critical_at_the_resume_point() -> None:
    watch = Watch()
    watch.told()
    older, newest = saves()[0], saves()[-1]
    found = VerifiedFile("a.distcp", 1, 0.0, 1, "zip CRC-32", False, "cut")
    verified = VerifiedFacts((found,), 1, 1)
    rotten = {each.path: with_verified(each, verified) for each in (older, newest)}
    watch.look(run_of([rotten.get(each.path, each) for each in saves()]))
    told = [e for e in watch.log if e.code == "bytes-wrong"]
    assert [e.level for e in told] == [AlarmLevel.CRITICAL, AlarmLevel.WARNING]
    assert told[0].message.startswith("step 600, the resume point so far, has wrong bytes: a.dist")
    watch.look(seconds=60)
    assert len([e for e in watch.log if e.code == "bytes-wrong"]) == 2


def test_a_level_is_told_once_it_stays() -> None:
    watch = Watch()
    dead = run_of([*saves(), facts(700, met=False, age=0.0, took=None)])
    for _ in range(5):
        watch.look(dead, seconds=5)
        watch.look(run_of(saves()), seconds=1)
    assert watch.told("run-level") == []
    watch.look(dead)
    watch.look(seconds=10)
    assert messages(watch)[-1] == "ok → warning"
    watch.look(run_of([facts(700, met=False, took=None)]))
    assert "warning → critical" in messages(watch)


def test_deletions_one_by_one_or_together() -> None:
    watch = Watch(snapshot_of(run_of(saves(40))))
    watch.look(run_of(saves(40)[1:]))
    assert messages(watch) == ["step 100 (exact) deleted"]
    watch.look(run_of(saves(40)[30:]))
    assert messages(watch) == ["29 checkpoints deleted: step 200 to step 3000"]


def test_many_that_come_at_once_are_summed_up() -> None:
    watch = Watch()
    watch.look(run_of(saves(6 + MOST_EACH + 5)))
    told = messages(watch)
    assert len(told) == MOST_EACH + 1
    assert told[-1] == "5 more checkpoints came or changed in the same look"


def test_a_restart_says_what_it_cost() -> None:
    watch = Watch(snapshot_of(run_of(saves())))
    dead = facts(690, met=False, age=-60.0, took=None)
    watch.look(run_of([*saves(), dead]), seconds=60)
    watch.told()
    watch.look(run_of([*saves(), dead, facts(640, age=-300.0)]), seconds=240)
    told = [e.message for e in watch.log if e.code == "restart"]
    assert told == ["the job went back to step 600: 90 steps lost"]


def test_runs_that_come_and_go() -> None:
    watch = Watch()
    other = run_of(saves(root=f"{ROOT}/b"), path=f"{ROOT}/b")
    watch.look(run_of(saves()), other)
    assert watch.told() == [("happened", "run-began")]
    watch.look(run_of(saves()))
    assert watch.told() == [("happened", "run-gone")]


def test_while_a_look_is_not_over_nothing_is_gone() -> None:
    watch = Watch()
    part = run_of(saves()[3:])
    watch.look(part, reading=Reading(3, 6, False))
    assert watch.told() == []
    watch.look(run_of(saves()), reading=None)
    assert watch.told() == []


def test_a_first_look_that_takes_long_is_a_first_look() -> None:
    part = run_of([facts(700, met=False, took=None)])
    watch = Watch(snapshot_of(part)._replace(reading=Reading(1, 7, False)))
    assert watch.told() == []
    watch.look(run_of([*saves(), facts(700, met=False, took=None)]), reading=None)
    assert [e.first for e in watch.log] == [True]


def test_while_nothing_can_be_seen_nothing_changes() -> None:
    watch = Watch(snapshot_of(run_of(saves(1), pointers=[])))
    lost = run_of([facts(100, met=False, took=None)])
    watch.look(lost, seconds=60)
    watch.told()
    watch.look(error="no such file or directory", seconds=600)
    watch.look(seconds=600)
    assert watch.told() == [("raised", "root-unreadable")]
    assert "nothing-to-resume" in watch.codes
    watch.look(lost, error="", seconds=600)
    watch.look(seconds=60)
    assert watch.told("root-unreadable", "nothing-to-resume", "run-gone") == [
        ("cleared", "root-unreadable")
    ]


def test_verdicts_for_another_world_size_are_no_news() -> None:
    watch = Watch()
    lost = run_of([facts(100, met=False, took=None)])
    watch.look(lost, world_size=8)
    assert all(event.first for event in watch.log)
    assert [event.code for event in watch.log if event.kind.value == "happened"] == []


def test_times_of_events_never_go_back() -> None:
    watch = Watch()
    for seconds in (1, 5, 60, 600, 6000):
        watch.look(run_of([*saves(), facts(700, met=False, took=None)]), seconds=seconds)
        watch.look(run_of(saves()), seconds=seconds)
    times: list[float] = [event.at for event in _of(watch)]
    assert times == sorted(times)


def _of(watch: Watch) -> list[Event]:
    return watch.log


attempts = st.builds(
    facts,
    st.integers(1, 12).map(lambda n: 100 * n),
    age=st.floats(-100, 1e6),
    met=st.booleans(),
    absent=st.sets(st.integers(0, 3), max_size=2),
    roles=st.sampled_from([REQUIRED_ROLES, REQUIRED_ROLES[:1], REQUIRED_ROLES[:3]]),
    took=st.none() | st.floats(0, 1e4),
)
pictures = st.lists(
    st.tuples(
        st.lists(attempts, max_size=8, unique_by=lambda made: made.step),
        st.booleans(),
        st.floats(0, 2000),
        st.sampled_from(["", "", "", "no such directory"]),
    ),
    max_size=12,
)


@given(pictures)
def test_whatever_a_run_does_its_level_has_a_reason_and_its_log_an_order(
    seen: list[tuple[list[Any], bool, float, str]],
) -> None:
    watch = Watch()
    for made, saves_now, seconds, error in seen:
        run = run_of(made, in_flight=[flying(5000)] if saves_now else [])
        watch.look(run, seconds=seconds, error=error)
        watch.look(seconds=11)
        levels = {alarm.level.loudness for alarm in watch.outlook.alarms}
        (known,) = watch.memory.runs.values()
        # A run that ended has remarks only, and so has one whose first save is under way.
        lively = run.in_flight is not None and bool(made)
        if lively and not error and run.level in (Level.WARNING, Level.CRITICAL):
            assert max(levels) >= AlarmLevel.WARNING.loudness
        assert known.traits.run is run or error
    assert [event.at for event in watch.log] == sorted(event.at for event in watch.log)
    for event in watch.log:
        assert event.message
