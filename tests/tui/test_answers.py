"""The header answers at every width, in every situation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.alarms.look_out import NOTHING_REMEMBERED, look_out
from ckpt_tui.core.alarms.sight import Sight
from ckpt_tui.core.alarms.values import AlarmLevel
from ckpt_tui.core.cadence import recent_interval_seconds
from ckpt_tui.core.checkpoint import RankProgress, SaveProgress
from ckpt_tui.core.facts import LoaderFacts, OwnChoice, RawPointer
from ckpt_tui.core.snapshot import Reading
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.answers.header import answer_lines
from ckpt_tui.tui.answers.look import alarms_to_show
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.view import View, primary_run
from tests.tui import situations
from tests.tui.builders import GIB, LIVE, NOW, StubStatus, facts, run_of, saving, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot


RANK = RankProgress(7, 1, 2, 1.0, 130.0)


def view_of(picture: Snapshot, status: StubStatus = LIVE, **others: Any) -> View:
    view = View(picture, primary_run(picture), status, NOW, 1000.0, 8.0, 5.0)._replace(**others)
    sight = Sight(
        picture,
        view.now,
        view.monotonic,
        view.status.error or "",
        view.status.last_look_monotonic,
        view.status.hanging_since_monotonic,
        view.status.hanging_path,
    )
    return view._replace(alarms=look_out(NOTHING_REMEMBERED, sight).alarms)


def header(picture: Snapshot, width: int = 120, **others: Any) -> str:
    return "\n".join(text_of(text) for text in answer_lines(view_of(picture, **others), width))


@pytest.mark.parametrize("name", situations.ALL)
@pytest.mark.parametrize("width", [20, 40, 59, 60, 79, 80, 100, 120, 200])
def test_no_line_is_wider_than_the_screen(name: str, width: int) -> None:
    for text in answer_lines(view_of(situations.ALL[name]()), width):
        assert width_of(text) <= width


def test_a_save_in_flight_above_a_good_checkpoint() -> None:
    text = header(situations.mixed(), 160)
    assert "RESUME FROM   step 12400   ✔ exact   committed 14m 02s ago" in text
    assert "a fault now costs  29m  (16m rollback + 8m reload + 5m down)" in text
    assert "step 12500" in text
    assert "71 %  912 GiB of ~1.25 TiB  9.80 GiB/s  waits for rank 1187" in text
    wrote = "rank 1187 has written nothing for 1m 34s, 23 others still write (step 12500)"
    assert f"3 need a look: ⚠ {wrote}" in text
    assert "disk: room for 3.1 saves" in text


def test_a_reload_that_nobody_has_told_is_called_assumed() -> None:
    def cost(width: int) -> str:
        text = header(situations.growing(), width, reload_assumed=True, down_minutes=0.0)
        return text.splitlines()[1].rpartition("ago")[2].strip()

    assert cost(120) == "a fault now costs  ~24m  (16m rollback + assumed 8m reload)"
    assert cost(90) == "a fault now costs ~24m (8m assumed)"
    assert cost(80) == "fault now: ~24m (8m assumed)"
    assert cost(70) == "fault now: ~24m"
    told = header(situations.growing(), reload_assumed=True, reload_minutes=0.0)
    assert "a fault now costs  21m  (16m rollback + 5m down)" in told


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_the_age_of_the_picture_is_always_there(width: int) -> None:
    assert "looked 0.4 s ago" in header(situations.mixed(), width)
    assert "looked 0.4 s ago" in header(situations.several_runs(), width)


def test_nothing_to_resume_from_is_said_loudly() -> None:
    for width in (60, 80, 120):
        text = header(situations.nothing_resumable(), width)
        assert "NOTHING TO RESUME FROM: only a start from step 0 is left" in text
    assert "3 checkpoints, none usable" in text
    assert "RESUME FROM " not in text.replace("NOTHING TO RESUME FROM: ", "")


def test_the_first_save_and_unreadable_ones_are_told_apart() -> None:
    first = facts(100, met=False, age=0.5, took=None)
    text = header(snapshot_of(run_of([], in_flight=[saving(first)])))
    assert "the first save is under way" in text
    assert "SAVING" in text


def test_exports_alone_are_no_alarm() -> None:
    made = [facts(None, export=True, roles=("model",))]
    assert "ONLY EXPORTS" in header(snapshot_of(run_of(made)))


def test_an_empty_directory_and_one_that_cannot_be_read() -> None:
    assert "NOTHING YET" in header(situations.empty())
    assert "a start begins at step 0" in header(situations.empty())
    broken = snapshot_of(error="[Errno 13] Permission denied", root="/mnt/x")
    assert "CANNOT READ   [Errno 13] Permission denied" in header(broken)


def test_before_the_first_look_nothing_is_claimed() -> None:
    waiting = snapshot_of()._replace(looked_at=0.0)
    text = header(waiting, status=StubStatus(mode="starting", last_look_monotonic=None))
    assert "the first look is under way" in text
    assert "NOTHING" not in text


def test_a_hanging_look_says_where_and_since_when() -> None:
    hung = "/mnt/checkpoints/llama-70b/step-5/.metadata"
    status = StubStatus(hanging_since_monotonic=906.0, hanging_path=hung)
    text = header(situations.healthy(), status=status, width=200)
    assert f"{hung} has not answered for 1m 34s" in text
    assert f"{hung} has not answered since 10:58 UTC" in text
    narrow = header(situations.healthy(), status=status, width=80)
    assert "…/.metadata has not answered for 1m 34s" in narrow


def test_a_look_that_hangs_nowhere_in_particular_names_what_is_watched() -> None:
    status = StubStatus(hanging_since_monotonic=906.0)
    text = header(situations.healthy(), status=status)
    assert "/mnt/checkpoints/llama-70b has not answered since 10:58 UTC" in text


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (80, "slow: looks every 40 s · looked 0.4 s ago"),
        (160, "poll · server slow: looks every 40 s · 120 calls/s · looked 0.4 s ago · 12 check"),
    ],
)
def test_polling_says_what_it_costs_and_when_it_backs_off(width: int, shown: str) -> None:
    status = StubStatus(mode="poll", calls_per_second=120.4, rest_seconds=40.0)
    assert shown in header(situations.healthy(), status=status, width=width)
    usual = StubStatus(mode="poll", calls_per_second=3.21)
    assert "poll · 3.2 calls/s · looked" in header(situations.healthy(), status=usual, width=160)
    assert "calls/s" not in header(situations.healthy(), width=160)


def test_a_failed_look_says_why_and_how_old_the_picture_is() -> None:
    status = StubStatus(error="[Errno 5] Input/output error", last_look_monotonic=900.0)
    text = header(situations.healthy(), status=status)
    assert "look failed" in text
    assert "looked 1m 40s ago" in text
    assert "the last look failed: [Errno 5] Input/output error" in text


def test_a_paused_picture_says_how_old_it_is() -> None:
    assert "PAUSED  this picture is 12 s old" in header(situations.healthy(), paused_for=12.0)


def test_a_restart_says_what_was_lost() -> None:
    text = header(situations.with_restarts())
    assert "after the restart at 10:50 UTC the job went on from step 1200" in text
    assert "100 steps were lost" in text


def test_all_is_well() -> None:
    text = header(situations.healthy())
    assert "✔ nothing needs a look" in text
    assert "usually every 10m 00s" in text
    assert "room for" not in text


def test_another_run_with_nothing_left_is_named() -> None:
    picture = situations.several_runs()
    assert "sft-8b (3 of 3)" in header(picture)
    assert "dpo-8b: nothing to resume from" in header(picture)


@pytest.mark.parametrize(
    ("minutes_ago", "says"),
    [
        (3, "next save in 7m 00s if it runs"),
        (10, "next save due now"),
        (14, "next save due now"),
        (18, "next save late by 8m 00s"),
        (25, "⚠ no save for 2.5 intervals: 25m 00s, usually every 10m 00s"),
        (60 * 24, "last save 1d 0h ago"),
    ],
)
def test_when_the_next_save_is_due(minutes_ago: int, says: str) -> None:
    made = [facts(100 * n, age=60.0 * (minutes_ago + 10 * (5 - n))) for n in range(1, 6)]
    run = run_of(made)
    assert recent_interval_seconds(run.attempts) == pytest.approx(600)
    assert says in header(snapshot_of(run))


def test_too_few_saves_show_no_interval() -> None:
    assert (
        recent_interval_seconds(run_of([facts(100, age=700), facts(200, age=100)]).attempts) is None
    )


@pytest.mark.parametrize(
    ("progress", "says"),
    [
        (SaveProgress(GIB, None, None, None, 0.0), "1.00 GiB written"),
        (SaveProgress(GIB, 4 * GIB, None, None, 0.0), "25 %"),
        (SaveProgress(GIB, 4 * GIB, GIB, 3.0, 1.0), "3.0 s left"),
        (
            SaveProgress(GIB, 4 * GIB, GIB, 3.0, 1.0, slowest=(RANK,)),
            "2m 10s left (rank 7 decides)",
        ),
        (
            SaveProgress(GIB, 4 * GIB, None, None, 1.0, slowest=(RANK,)),
            "2m 10s left (rank 7 decides)",
        ),
        (SaveProgress(GIB, 4 * GIB, GIB, 129.0, 1.0, slowest=(RANK,)), "2m 10s left "),
        (SaveProgress(GIB, 4 * GIB, 0.0, None, 30.0), "⚠ step 200: nothing has grown for 30 s"),
    ],
)
def test_what_a_save_in_flight_says(progress: SaveProgress, says: str) -> None:
    flying = saving(facts(200, met=False, age=1.0, took=None), progress)
    assert says in header(snapshot_of(run_of([facts(100)], in_flight=[flying])))


@pytest.mark.parametrize(
    ("free", "says"),
    [
        (3, "✗ the disk has room for less than one save"),
        (10, "⚠ the disk has room for 2 more saves: 10.0 GiB free, a save has 4.00 GiB"),
        (79, "disk: room for 19.8 saves"),
    ],
)
def test_a_disk_that_fills_up(free: int, says: str) -> None:
    picture = snapshot_of(run_of([facts(100)]), free_bytes=free * GIB)
    assert says in header(picture)
    assert header(picture).count("room") == 1


def test_directories_that_could_not_be_listed_need_a_look() -> None:
    picture = snapshot_of(run_of([facts(100)]), problems=(("/mnt/x", "permission denied"),))
    assert "/mnt/x: permission denied" in header(picture)


def test_alarms_above_the_resume_point_come_first() -> None:
    made = [facts(300, met=False, took=None), facts(200), facts(150), facts(100, absent=(1,))]
    found = alarms_to_show(view_of(snapshot_of(run_of(made))))
    assert [alarm.message[:11] for alarm in found] == ["step 300: n", "step 100 is"]
    assert [alarm.level for alarm in found] == [AlarmLevel.WARNING, AlarmLevel.INFO]
    text = header(snapshot_of(run_of(made)))
    assert "2 need a look: ⚠ step 300: never finished" in text


def test_what_another_line_says_is_not_said_twice() -> None:
    text = header(situations.nothing_resumable())
    assert text.lower().count("nothing to resume from") == 1
    assert "✗" not in text


def test_a_pointer_to_a_save_in_flight_is_named_as_such() -> None:
    flying = saving(facts(200, met=False, age=1.0, took=None))
    named = RawPointer("/x/latest", "text", "iter_0000200", (flying.path,))
    run = run_of([facts(100)], in_flight=[flying], pointers=[named])
    assert "latest names iter_0000200, which is still being written" in header(snapshot_of(run))


@pytest.mark.parametrize(("most", "starts"), [(1, "RESUME"), (2, "RESUME"), (3, "RESUME"), (4, "")])
def test_a_low_screen_keeps_the_answer(most: int, starts: str) -> None:
    lines = answer_lines(view_of(situations.mixed()), 80, most)
    assert len(lines) == most
    assert text_of(lines[0]).strip().startswith(starts)


def test_the_chance_of_a_fault_before_the_next_save_is_complete() -> None:
    halfway = NOW - 300
    for width in (120, 200):
        text = header(situations.healthy(), width, now=halfway, fault_rate_per_hour=0.6)
        assert "fault before then: 4.9 %" in text
    assert "(MTBF 1h 40m)" in text
    for rate in (None, 0.0):
        text = header(situations.healthy(), 200, now=halfway, fault_rate_per_hour=rate)
        assert "fault before then" not in text


def test_an_overdue_save_has_no_chance() -> None:
    text = header(situations.healthy(), 200, now=NOW + 480, fault_rate_per_hour=0.6)
    assert "late" in text
    assert "fault before then" not in text


def test_a_save_in_flight_counts_to_its_own_end() -> None:
    often = 3600 / 38 * 0.6931
    text = header(situations.growing(), 200, fault_rate_per_hour=often)
    assert "fault before then: 50.0 %" in text
    assert "38 s left" in text


def test_nobody_knows_when_a_silent_rank_goes_on() -> None:
    text = header(situations.mixed(), 200)
    assert "waits for rank 1187" in text
    assert " left" not in text


def test_a_fault_rate_beyond_reason_breaks_no_line() -> None:
    text = header(situations.healthy(), 200, fault_rate_per_hour=1e6)
    assert "> 100 years" in text


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("reading", [Reading(3, 1200, True), Reading(700, 2000, False)])
def test_an_unfinished_look_promises_nothing(width: int, reading: Reading) -> None:
    for picture in (situations.healthy(), situations.nothing_resumable()):
        text = header(picture._replace(reading=reading), width)
        assert "READING" in text
        assert "SO FAR" in text
        assert "RESUME FROM" not in text
        assert "NOTHING TO RESUME" not in text
        assert "nothing needs a look" not in text
        assert all(len(line) <= width for line in text.splitlines())


def test_how_far_a_look_is() -> None:
    searching = header(situations.healthy()._replace(reading=Reading(3, 1200, True)))
    assert "3 read, 1200 checkpoints found by now" in searching
    half = header(situations.healthy()._replace(reading=Reading(1000, 2000, False)))
    assert "██████████░░░░░░░░░░░ 1000 of 2000 checkpoints" in half
    assert "verdicts below may still change" in half


def test_what_changes_after_its_commit_is_no_first_save() -> None:
    damaged = saving(facts(100, met=True, age=0.5))
    damaged = damaged._replace(verdict=Verdict.SAVING, resumable=False)
    text = header(snapshot_of(run_of([], in_flight=[damaged])))
    assert "what was committed changes: damaged, or saved over" in text
    assert "first save" not in text


def test_under_the_resume_point_stands_how_to_take_it() -> None:
    text = header(situations.mixed(), 160)
    assert "WITH          --load /mnt/checkpoints/llama-70b --ckpt-step 12400" in text
    narrow = header(situations.mixed(), 60)
    assert "--load …/llama-70b --ckpt-step 12400" in narrow


def test_a_job_that_would_take_another_is_warned_of() -> None:
    by_number = LoaderFacts(flag="--resume /x", own_choice=OwnChoice.HIGHEST_NAME)
    made = [facts(300, met=False, took=None), facts(200)]
    run = run_of([each._replace(loader=by_number) for each in made])
    text = header(snapshot_of(run), 120)
    assert "⚠ asked for the latest, a job takes step 300 ⊘ uncommitted" in text
    alone = header(snapshot_of(run_of([made[1]._replace(loader=by_number)])), 120)
    assert "asked for the latest, a job takes it, too" in alone


def test_without_a_resume_point_the_nearest_is_named() -> None:
    text = header(snapshot_of(run_of([facts(300, absent=(2,)), facts(200, absent=(0, 1))])), 120)
    assert "NEAREST       step 300 lacks at least rank 2: look for its files elsewhere" in text
