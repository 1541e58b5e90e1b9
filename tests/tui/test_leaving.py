"""What can be taken of a checkpoint, where it can go, and what is printed after the screen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.facts import LoaderFacts, Reshard
from ckpt_tui.core.verdict import judge
from ckpt_tui.tui.actions.leaving import TAKE_ACTIONS
from ckpt_tui.tui.leaving.forms import FLAG, TAG, flag_form, forms_of
from ckpt_tui.tui.leaving.on_exit import OnExit
from ckpt_tui.tui.leaving.take_screen import TakeScreen
from tests.tui import situations
from tests.tui.app_tests import dashboard, says
from tests.tui.builders import facts, run_of, snapshot_of

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.facts import CheckpointFacts

GOOD = "--load /mnt/checkpoints/llama-70b --ckpt-step 1200"


def test_the_flag_is_what_check_and_latest_say() -> None:
    for run in situations.mixed().runs:
        for checkpoint in run.checkpoints:
            document = json.loads(forms_of(checkpoint)[-1].text)
            assert (flag_form(checkpoint).text or None) == document["load"]


@pytest.mark.parametrize(
    ("made", "why_not"),
    [
        (facts(1, met=False, absent=(1,), took=None), "it is uncommitted: never finished"),
        (facts(1, roles=("model",)), "it is weights-only: no optimizer"),
        (facts(1)._replace(loader=LoaderFacts()), "it is loaded by its path"),
        (facts(1)._replace(loader=LoaderFacts(flag="--load 'a\nb'")), "not safe to paste"),
    ],
    ids=["uncommitted", "weights", "no-flag", "newline"],
)
def test_where_there_is_no_flag_it_says_why(made: CheckpointFacts, why_not: str) -> None:
    form = flag_form(judge(made))
    assert form.text == ""
    assert why_not in form.why_not


def test_a_conversion_that_is_needed_first_is_told_in_place_of_the_flag() -> None:
    reshard = Reshard(True, "after a conversion", ("rng",), converts=True)
    made = judge(facts(1)._replace(reshard=reshard), Requirements(world_size=9))
    form = flag_form(made)
    assert form.text == ""
    assert form.why_not


def test_a_tag_is_offered_where_the_framework_takes_one() -> None:
    made = judge(facts(1)._replace(loader=LoaderFacts(flag="--load x", tag="global_step1")))
    assert [form.text for form in forms_of(made) if form.name == TAG] == ["global_step1"]
    assert not [form for form in forms_of(judge(facts(1))) if form.name == TAG]


def test_marks_are_kept_in_order_and_let_go(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    on_exit = OnExit()
    assert [on_exit.toggle(text) for text in ("b", "a\udcff", "c", "b")] == [True] * 3 + [False]
    on_exit.print_all()
    assert capfdbinary.readouterr().out == b"a\xff\nc\n"


async def test_the_flag_goes_to_the_clipboard() -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press("u")
        assert board.app.clipboard == GOOD
        (told,) = board.toasts()
        assert told.startswith("The resume flag was sent to the terminal's clipboard.")
        assert "copied" not in told


async def test_no_flag_of_what_cannot_be_resumed_from() -> None:
    async with dashboard(situations.nothing_resumable()) as board:
        await board.press("u")
        assert board.app.clipboard == ""
        (told,) = board.toasts()
        assert told.startswith("No resume flag: nothing can go on from it, it is uncommitted")


async def test_the_resume_point_is_named_where_the_cursor_is_on_another_row() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.press("u")
        (told,) = board.toasts()
        assert told.endswith("it is saving: rank 1187 silent. The resume point is step 12400.")


async def test_print_on_exit_is_marked_and_let_go() -> None:
    async with dashboard(situations.healthy()) as board:
        await board.press("O")
        assert board.app.on_exit.texts == ("/mnt/checkpoints/llama-70b/iter_0001200",)
        assert board.toasts() == ["The path will be printed when you quit."]
        await board.press("O")
        assert board.app.on_exit.texts == ()


async def test_the_list_shows_texts_and_reasons_and_gives_them_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with dashboard(situations.healthy(), (80, 24)) as board:
        await board.press("C")
        await says(board, GOOD)
        await board.press("j", "x")
        assert board.app.on_exit.texts == (GOOD,)
        await board.press("C")
        await says(board, "printed on exit")
        await board.press("j", "j", "w")
        (made,) = tmp_path.iterdir()
        assert json.loads(made.read_text())["load"] == GOOD
        await board.press("C", "enter")
        assert board.app.clipboard == "/mnt/checkpoints/llama-70b/iter_0001200"
        await board.press("C", "escape")
        assert board.app.screen is board.main


async def test_where_several_runs_are_shown_a_message_names_the_run() -> None:
    good = [facts(step, root="/mnt/gpt") for step in (100, 200)]
    broken = facts(300, root="/mnt/gpt", met=False, absent=(1,), took=None)
    other = run_of([facts(40, root="/mnt/dpo")], path="/mnt/dpo")
    picture = snapshot_of(run_of([*good, broken], path="/mnt/gpt"), other, root="/mnt")
    async with dashboard(picture) as board:
        board.main.table.move_cursor(broken.path)
        await board.press("u")
        assert board.toasts()[-1].endswith("The resume point is gpt: step 200.")


async def test_the_list_of_a_broken_checkpoint_says_why_not() -> None:
    async with dashboard(situations.nothing_resumable()) as board:
        await board.press("C")
        await says(board, "none: nothing can go on from it, it is uncommitted")
        await board.press("j", "enter")
        assert board.toasts()[-1].startswith(f"No {FLAG}")


async def test_without_a_checkpoint_the_keys_do_nothing() -> None:
    async with dashboard(situations.empty()) as board:
        await board.press("u", "C", "O", "y")
        assert board.toasts() == []
        assert board.app.screen is board.main


def test_every_key_of_the_list_is_carried_out() -> None:
    for action in TAKE_ACTIONS:
        owner, _, name = action.call.partition("(")[0].rpartition(".")
        assert owner == "app" or callable(getattr(TakeScreen, f"action_{name}"))


async def test_a_terminal_without_a_clipboard_is_told_of_the_other_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "linux")
    async with dashboard(snapshot_of(run_of([facts(1)]))) as board:
        await board.press("y")
        assert board.app.clipboard == ""
        assert board.toasts() == [
            "The path was not sent: this terminal (TERM=linux) has no clipboard."
            " C offers a file, or to print it on exit."
        ]


async def test_a_message_hands_no_sequence_to_the_terminal() -> None:
    async with dashboard(situations.healthy()) as board:
        board.main.notify("not \x1b]2;OWNED\x1b\\ [bold]there\nsecond")
        await board.pilot.pause()
        (told,) = board.app._notifications
        assert told.message == r"not \x1b]2;OWNED\x1b\ [bold]there" + "\nsecond"
        assert told.markup is False
