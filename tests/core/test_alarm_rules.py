"""Each rule of an alarm: when it holds, when not, how loud it is."""

from __future__ import annotations

from typing import Any

import pytest

from ckpt_tui.core.alarms.look_out import NOTHING_REMEMBERED, look_out
from ckpt_tui.core.alarms.sight import DEFAULT_LIMITS, IDLE_FACTOR
from ckpt_tui.core.alarms.values import AlarmLevel
from ckpt_tui.core.checkpoint import SaveProgress
from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Level, Severity
from tests.core.alarm_sights import MINUTE, Watch, alarms_of, saves, sight
from tests.tui.builders import GIB, NOW, ROOT, facts, run_of, saving

INFO, WARNING, CRITICAL = AlarmLevel


def in_flight(progress: SaveProgress, step: int = 700, **changes: Any) -> Any:
    return saving(facts(step, met=False, age=1.0, took=None, **changes), progress)


def test_a_run_in_which_all_is_well_has_no_alarm() -> None:
    assert alarms_of(run_of(saves())) == {}


@pytest.mark.parametrize(
    ("intervals", "level"),
    [(1.9, None), (2.0, WARNING), (2.6, WARNING), (19.9, WARNING), (20.1, INFO), (5000, INFO)],
)
def test_no_save_for_some_intervals(intervals: float, level: AlarmLevel | None) -> None:
    found = alarms_of(run_of(saves(age=intervals * 10 * MINUTE)))
    if level is None:
        assert found == {}
    else:
        assert found["cadence-broken"].level is level
        assert f"no save for {intervals:.1f} intervals" in found["cadence-broken"].message


def test_what_ended_long_ago_has_remarks_only() -> None:
    old = 10 * MINUTE * IDLE_FACTOR + 1
    dead = facts(900, age=old, met=False, took=None)
    run = run_of([*saves(5, age=old + 600), dead], pointers=[dangling()])
    found = alarms_of(run, free_bytes=1)
    assert {"newest-failed", "pointer-trap", "cadence-broken"} <= set(found)
    assert {alarm.level for alarm in found.values()} == {INFO}
    assert "disk-full" not in found


def dangling() -> RawPointer:
    return RawPointer(f"{ROOT}/latest", "text", "iter_9", (f"{ROOT}/iter_9",))


@pytest.mark.parametrize("hours", [23, 25])
def test_without_an_interval_a_day_is_long_ago(hours: int) -> None:
    lost = run_of([facts(40, age=hours * 3600.0, met=False, absent=(1,), took=None)])
    assert alarms_of(lost)["nothing-to-resume"].level is (CRITICAL if hours < 24 else INFO)


@pytest.mark.parametrize(
    ("progress", "code", "says"),
    [
        (SaveProgress(1, 4, None, None, 29.0), None, ""),
        (SaveProgress(1, 4, None, None, 30.0), "save-stalled", "nothing has grown for 30 s"),
        (SaveProgress(1, 4, None, None, 30.0), "save-stalled", "it stands at 25 %"),
        (SaveProgress(GIB, None, None, None, 30.0), "save-stalled", "it stands at 1.00 GiB"),
        (
            SaveProgress(1, 4, None, None, 1.0, (3,), 94.0, 1),
            "ranks-stalled",
            "rank 3 has written nothing for 1m 34s, the others are done (step 700)",
        ),
        (
            SaveProgress(1, 4, None, None, 1.0, (1, 3), 94.0, 3),
            "ranks-stalled",
            "ranks 1, 3 have written nothing for 1m 34s, another still writes",
        ),
        (SaveProgress(1, 4, None, None, 94.0, (0, 1, 3), 94.0, 3), "save-stalled", "nothing has"),
    ],
)
def test_a_save_that_stands_still(progress: SaveProgress, code: str | None, says: str) -> None:
    found = alarms_of(run_of(saves(), in_flight=[in_flight(progress)]))
    assert list(found) == ([] if code is None else [code])
    if code:
        assert says in found[code].message
        assert found[code].level is WARNING
        assert found[code].checkpoint == f"{ROOT}/iter_0000700"


@pytest.mark.parametrize(
    ("took", "slow"),
    [
        ((100,) * 5 + (199,), False),
        ((100,) * 5 + (200,), True),
        ((100,) * 4 + (500,), False),  # too few to know what is usual
        ((1,) * 6 + (5,), False),  # four seconds are nobody's trouble
        ((1,) * 6 + (6,), True),
        ((100, 100, 900, 100, 100, 100, 110), False),
    ],
)
def test_the_last_save_was_slow(took: tuple[float, ...], slow: bool) -> None:
    found = alarms_of(run_of(saves(len(took), took=took)))
    assert ("save-slow" in found) is slow


def test_a_save_in_flight_is_slow_by_this_process_own_clock() -> None:
    flying = in_flight(SaveProgress(1, 4, 1.0, 3.0, 0.0))
    watch = Watch()
    watch.look(run_of(saves(), in_flight=[flying]))
    watch.look(seconds=199)
    assert watch.codes == []
    watch.look(seconds=1)
    assert watch.codes == ["save-slow"]
    assert "takes 3m 20s by now, a save usually takes 1m 40s" in watch.outlook.alarms[0].message


@pytest.mark.parametrize(
    ("free", "level"), [(4.0, None), (3.0, None), (2.9, WARNING), (1.0, WARNING), (0.9, CRITICAL)]
)
def test_a_disk_that_fills_up(free: float, level: AlarmLevel | None) -> None:
    found = alarms_of(run_of(saves(size=4 * GIB)), free_bytes=int(free * 4 * GIB))
    assert found.get("disk-full") is None if level is None else found["disk-full"].level is level


def test_one_more_save_takes_back_that_the_disk_is_full() -> None:
    watch = Watch()
    for free, code in [(2.9, ["disk-full"]), (3.9, ["disk-full"]), (4.0, []), (3.0, [])]:
        watch.look(free_bytes=int(free * 4 * GIB), seconds=60)
        watch.look(seconds=60)
        assert watch.codes == code


@pytest.mark.parametrize(
    ("made", "level"),
    [
        (saves(2), None),
        ([*saves(1), facts(200, met=False, took=None)], WARNING),
        (saves(1), INFO),
    ],
)
def test_fewer_than_two_good_ones(made: list[Any], level: AlarmLevel | None) -> None:
    found = alarms_of(run_of(made))
    assert (
        found.get("too-few-good") is None
        if level is None
        else (found["too-few-good"].level is level)
    )


def test_a_run_that_had_more_is_not_young() -> None:
    watch = Watch()
    watch.look(run_of(saves(1)))
    assert [(a.code, a.level) for a in watch.outlook.alarms] == [("too-few-good", WARNING)]


@pytest.mark.parametrize(("wanted", "there"), [(0, False), (6, False), (7, True)])
def test_how_many_are_too_few_can_be_said(wanted: int, there: bool) -> None:
    limits = DEFAULT_LIMITS._replace(min_good=wanted)
    assert ("too-few-good" in alarms_of(run_of(saves()), limits=limits)) is there


def test_attempts_above_the_resume_point_are_one_warning() -> None:
    made = [*saves(), facts(700, met=False, took=None), facts(800, absent=(1,))]
    found = alarms_of(run_of(made))
    assert found["newest-failed"].level is WARNING
    assert found["newest-failed"].message.startswith("step 800 is incomplete: ")
    assert "(and 1 more above the resume point)" in found["newest-failed"].message


def test_a_job_whose_first_save_is_under_way_is_no_emergency() -> None:
    flying = in_flight(SaveProgress(1, None, None, None, 0.0), 100)
    assert alarms_of(run_of([], in_flight=[flying]))["nothing-to-resume"].level is INFO
    lost = run_of([facts(100, met=False, took=None)], in_flight=[flying])
    assert alarms_of(lost)["nothing-to-resume"].level is CRITICAL


def test_exports_alone_are_no_alarm() -> None:
    assert alarms_of(run_of([facts(None, name="final", export=True, roles=("model",))])) == {}


def test_a_pointer_to_what_is_not_there() -> None:
    found = alarms_of(run_of(saves(), pointers=[dangling()]))
    assert found["pointer-trap"].message == "latest names what is not there (names iter_9)"
    assert found["pointer-trap"].level is WARNING


def test_a_pointer_to_the_save_in_flight_is_a_remark() -> None:
    flying = in_flight(SaveProgress(1, 4, 1.0, 3.0, 0.0))
    named = RawPointer(f"{ROOT}/latest", "text", "iter_0000700", (flying.path,))
    found = alarms_of(run_of(saves(), in_flight=[flying], pointers=[named]))
    assert found["pointer-trap"].level is INFO


@pytest.mark.parametrize(
    ("code", "alarm"),
    [
        ("auto-resume-trap", "pointer-trap"),
        ("mixed-runs", "mixed-runs"),
        ("order-disagrees", "run-finding"),
    ],
)
def test_findings_of_the_run(code: str, alarm: str) -> None:
    loud = Finding(code, Severity.WARNING, ROOT, "two jobs write here", "part them")
    quiet = Finding("cadence-gap", Severity.INFO, ROOT, "a gap", "look")
    found = alarms_of(run_of(saves())._replace(findings=(loud, quiet)))
    assert {a.message for a in found.values()} == {"two jobs write here"}
    assert list(found) == [alarm]


def test_warnings_of_the_resume_point() -> None:
    lossy = Finding("lossy-loader", Severity.WARNING, "", "drops the scheduler", "pass both")
    run = run_of([*saves(5), facts(900, age=0.0, findings=(lossy,))])
    found = alarms_of(run)
    assert found["resume-point-warned"].message == "the resume point, step 900: drops the scheduler"


def test_how_the_looking_goes() -> None:
    run = run_of(saves())
    found = alarms_of(run, hanging_since=906.0, hanging_path="/mnt/x")
    assert found["look-hangs"].message == "/mnt/x has not answered since 10:58 UTC"
    assert found["look-hangs"].level is CRITICAL
    assert alarms_of(run, look_error="EIO", last_look=950.0)["look-failed"].level is WARNING
    assert alarms_of(run, look_error="EIO", last_look=900.0)["look-failed"].level is CRITICAL
    assert alarms_of(run, error="no such directory")["root-unreadable"].level is CRITICAL
    unread = alarms_of(run, problems=(("/a", "denied"), ("/b", "denied")))
    assert unread["directory-unreadable"].message == "/a: denied (and 1 more)"
    assert alarms_of(run, remarks=(("/c", "ignored"),))["remark"].level is INFO


def test_nothing_is_said_of_a_checkpoint_that_is_looked_at_alone() -> None:
    assert alarms_of(run_of(saves(1, age=1e6)), single=True, free_bytes=1) == {}


def test_runs_that_were_put_aside_are_silent() -> None:
    lost = [facts(40, root=f"{ROOT}/run_1", met=False, took=None)]
    aside = run_of(lost, path=f"{ROOT}/run_1")
    assert alarms_of(run_of(saves()), aside) == {}
    assert alarms_of(aside)["nothing-to-resume"].level is CRITICAL


def test_a_level_above_ok_has_an_alarm_that_says_why() -> None:
    lossy = Finding("lossy-loader", Severity.WARNING, "", "drops it", "pass both")
    cases = [
        [*saves(), facts(700, met=False, took=None)],
        [*saves(), facts(700, roles=("model",))],
        [*saves(), facts(700, absent=(0,))],
        [*saves(5), facts(700, findings=(lossy,))],
        [facts(700, met=False, took=None)],
    ]
    for made in cases:
        run = run_of(made)
        assert run.level is not Level.OK
        assert max(a.level.loudness for a in alarms_of(run).values()) >= WARNING.loudness


def test_the_loudest_and_most_urgent_comes_first() -> None:
    made = [*saves(), facts(700, met=False, took=None)]
    seen = sight(run_of(made, pointers=[dangling()]), free_bytes=1, remarks=(("/c", "x"),))
    codes = [a.code.value for a in look_out(NOTHING_REMEMBERED, seen).alarms]
    assert codes == ["disk-full", "newest-failed", "pointer-trap", "remark"]


def test_a_step_of_the_clock_breaks_no_cadence() -> None:
    watch = Watch()
    watch.look(run_of([*saves(), facts(700, age=-300.0, took=100.0)]), seconds=300)
    watch.wall += 86400
    watch.look(seconds=60)
    assert watch.codes == []
    watch.look(seconds=1200)
    assert watch.codes == ["cadence-broken"]
    assert watch.wall > NOW
