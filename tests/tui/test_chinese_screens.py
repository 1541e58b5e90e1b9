"""Header, help, log and menus in Chinese: nothing is too wide, and no English sentence is left."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import pytest

from ckpt_tui import words
from ckpt_tui.alerts.message import json_body, said_title_and_text, title_and_text
from ckpt_tui.core.alarms.values import NO_RUN, AlarmLevel, Event, EventCode, EventKind
from ckpt_tui.core.checkpoint import RankProgress, Requirements, SaveProgress
from ckpt_tui.core.facts import LoaderFacts, OwnChoice, Reshard
from ckpt_tui.core.snapshot import Reading
from ckpt_tui.tui.answers.blocks import LABEL_CELLS, label
from ckpt_tui.tui.answers.header import answer_lines
from ckpt_tui.tui.leaving.tables import all_rows, table_csv, table_markdown
from ckpt_tui.tui.lines import Tone, text_of, width_of, wrapped
from ckpt_tui.tui.screens.event_lines import EVENT_WORDS
from ckpt_tui.tui.widgets.line_view import ScrollingText
from ckpt_tui.words import say
from tests.tui import situations
from tests.tui.app_tests import dashboard
from tests.tui.builders import (
    GIB,
    NOW,
    ROOT,
    StubStatus,
    facts,
    run_of,
    saving,
    snapshot_of,
)
from tests.tui.test_answers import view_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.tui.screens.text import ScrollingScreen
    from ckpt_tui.tui.view import View
    from tests.tui.app_tests import Dashboard

WIDTHS = (60, 80, 120)
PROSE = re.compile(r"\b[a-z]{2,}(?: [a-z]{2,})+\b")
ALLOWED = {
    "set -g set-clipboard on": "a setting of tmux, as it is typed",
    "set -g allow-passthrough on": "a setting of tmux, as it is typed",
    "world size": "stays as it is",
    "two words": "what a filter may hold",
    "not red": "the name of a hostile checkpoint",
}
HANGING = StubStatus(hanging_since_monotonic=906.0, hanging_path=f"{ROOT}/step-5/.metadata")
SLOW = StubStatus(mode="poll", calls_per_second=120.4, rest_seconds=40.0)
FAILED = StubStatus(error="[Errno 5] EIO", last_look_monotonic=900.0)
STARTING = StubStatus(mode="poll", last_look_monotonic=None)
DECIDING = SaveProgress(GIB, 4 * GIB, GIB, 3.0, 1.0, slowest=(RankProgress(7, 1, 2, 1.0, 130.0),))
BY_NUMBER = LoaderFacts(flag="--resume /x", own_choice=OwnChoice.HIGHEST_NAME)


@pytest.fixture(autouse=True)
def chinese() -> Iterator[None]:
    words.use("zh")
    yield
    words.use("en")


def english_in(text: str) -> list[str]:
    """Words of sentences, without what has a reason to be there."""
    for allowed in ALLOWED:
        text = text.replace(allowed, "")
    return PROSE.findall(text)


def flying(progress: SaveProgress) -> Snapshot:
    made = saving(facts(200, met=False, age=1.0, took=None), progress)
    return snapshot_of(run_of([facts(100)], in_flight=[made]))


def asked(world_size: int) -> Snapshot:
    how = (
        "by conversion with ds_to_universal, then `checkpoint.load_universal: true`; as it is,"
        " only the writer's world size loads it"
    )
    converting = Reshard(True, how, ("rng",), converts=True)
    made = [facts(step)._replace(reshard=converting) for step in (10, 20)]
    run = run_of(made, requirements=Requirements(world_size=world_size))
    return snapshot_of(run, world_size=world_size)


def late(minutes: int) -> Snapshot:
    return snapshot_of(run_of([facts(n, age=60.0 * (minutes + 50 - 10 * n)) for n in range(1, 6)]))


def by_number(*, broken: bool) -> Snapshot:
    made = [facts(300, met=False, took=None), facts(200)] if broken else [facts(200)]
    return snapshot_of(run_of([each._replace(loader=BY_NUMBER) for each in made]))


def views() -> dict[str, View]:
    """Every situation that the header has words for."""
    healthy, nothing = situations.healthy(), situations.nothing_resumable()
    made = {name: view_of(make()) for name, make in situations.ALL.items()}
    return made | {
        "paused": view_of(healthy, paused_for=12.0),
        "hanging": view_of(healthy, HANGING),
        "slow server": view_of(healthy, SLOW),
        "failed look": view_of(healthy, FAILED),
        "first look": view_of(snapshot_of()._replace(looked_at=0.0), STARTING),
        "unreadable": view_of(snapshot_of(error="[Errno 13] EACCES")),
        "searching": view_of(healthy._replace(reading=Reading(3, 1200, True))),
        "reading": view_of(nothing._replace(reading=Reading(700, 2000, False))),
        "chance": view_of(healthy, now=NOW - 300, fault_rate_per_hour=0.6),
        "beyond reason": view_of(healthy, fault_rate_per_hour=1e6),
        "written": view_of(flying(SaveProgress(GIB, None, None, None, 0.0))),
        "deciding rank": view_of(flying(DECIDING)),
        "first save": view_of(snapshot_of(run_of([], in_flight=[saving(facts(1, met=False))]))),
        "exports": view_of(snapshot_of(run_of([facts(None, export=True, roles=("model",))]))),
        "nearest": view_of(snapshot_of(run_of([facts(300, absent=(2,))]))),
        "by number": view_of(by_number(broken=False)),
        "wrong by itself": view_of(by_number(broken=True)),
        "full disk": view_of(snapshot_of(run_of([facts(100)]), free_bytes=10 * GIB)),
        "larger": view_of(asked(8)),
        "as large": view_of(asked(4)),
        "none to fit": view_of(situations.empty()._replace(world_size=8)),
        **{f"late by {minutes}": view_of(late(minutes)) for minutes in (3, 10, 18, 25, 1440)},
    }


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", views())
def test_the_header(name: str, width: int) -> None:
    lines = answer_lines(views()[name], width)
    assert max(map(width_of, lines)) <= width
    assert english_in("\n".join(map(text_of, lines))) == []


def test_the_header_says_the_same_in_chinese() -> None:
    view = view_of(situations.mixed())
    text = "\n".join(text_of(each) for each in answer_lines(view, 160))
    assert "从此恢复      step 12400   ✔ 精确可续   14m 02s 前提交" in text
    assert "此刻故障损失  29m  (回退 16m + 重载 8m + 停机 5m)" in text
    assert "inotify · 0.4 s 前查看 · 8 个检查点" in text


@pytest.mark.parametrize(
    "text", ["RESUME FROM", "WITH", "SAVING", "SAVES", "READING", "SO FAR", "NEAREST", "LOOKING"]
)
def test_labels_are_as_wide_as_in_english(text: str) -> None:
    assert width_of(label(say(text), Tone.BOLD, 80)) == width_of(label(text, Tone.BOLD, 80))
    assert width_of(label(say(text), Tone.BOLD, 80)) == LABEL_CELLS + 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("key", ["question_mark", "L"])
async def test_help_and_log(key: str, width: int) -> None:
    async with dashboard(situations.mixed(), size=(width, 30)) as it:
        await it.press(key)
        screen = cast("ScrollingScreen", it.app.screen)
        await _drawn(it, screen.text)
        shown = [text_of(each) for each in screen.text.lines]
        assert max(map(width_of, screen.text.lines)) <= screen.text.size.width
        frame = f"{screen.text.border_title}\n{screen.text.border_subtitle}"
        assert english_in("\n".join([*shown, frame])) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("key", ["C", "e"])
async def test_menus_of_what_can_be_taken(key: str, width: int) -> None:
    async with dashboard(situations.mixed(), size=(width, 30)) as it:
        await it.press(key)
        text = it.app.screen.query_one("#choice", ScrollingText)
        await _drawn(it, text)
        lines = text.lines
        shown, _, _of_the_row = "\n".join(map(text_of, lines)).partition("整行 JSON")
        assert max(map(width_of, lines)) <= text.size.width
        assert english_in(f"{shown}\n{text.border_title}\n{text.border_subtitle}") == []


async def test_messages_that_pop_up() -> None:
    async with dashboard(situations.mixed()) as it:
        await it.press("y", "O", "O", "u", "r")
        told = it.toasts()
        assert len(told) == 5
        assert english_in("\n".join(told)) == []


def test_a_table_for_people_is_chinese_and_one_for_programs_is_not() -> None:
    rows = all_rows(situations.mixed().runs)
    assert english_in(table_markdown(rows)) == []
    assert "| 检查点 |" in table_markdown(rows)
    assert table_csv(rows).startswith("run,format,checkpoint,step,verdict,")
    assert "exact,committed" in table_csv(rows)


async def _drawn(it: Dashboard, text: ScrollingText) -> None:
    """What opens is drawn once its width is known."""
    for _ in range(100):
        if text.lines:
            return
        await it.pilot.pause()
    raise AssertionError(it.text())


def test_every_event_has_its_word() -> None:
    assert {code: code.value.replace("-", " ") for code in EventCode} == EVENT_WORDS


def test_programs_get_english_and_a_person_does_not() -> None:
    kind, level = EventKind.RAISED, AlarmLevel.CRITICAL
    message = "no save for 2.5 intervals"
    event = Event(NOW, kind, "cadence-broken", level, message, NO_RUN)
    assert title_and_text(event) == ("ckpt-tui critical", message)
    assert "ckpt-tui critical: no save for 2.5 intervals" in json_body(event, ROOT).decode()
    assert said_title_and_text(event) == ("ckpt-tui 严重", "已 2.5 个间隔没有保存")


@pytest.mark.parametrize("width", [20, 33, 60])
def test_chinese_lines_begin_with_no_stop(width: int) -> None:
    text = "llama-70b: rank 1187 已 1m 34s 没有写入，另有 23 个仍在写（step 12500），其余已完成。"
    rows = wrapped(text, width)
    assert "".join("".join(rows).split()) == "".join(text.split())
    assert not any(row.startswith(tuple("，。：；）")) or row.endswith("（") for row in rows)
