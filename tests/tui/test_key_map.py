"""Keys that configuration gives to actions: what cannot be, what the screen then shows and does."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from textual.binding import Binding

import ckpt_tui.tui
from ckpt_tui.tui.actions.dashboard import ACTIONS
from ckpt_tui.tui.actions.key_map import (
    for_replay,
    mappable,
    remapped,
    textual_keymap,
    wrong_keys,
)
from ckpt_tui.tui.lines import text_of
from ckpt_tui.tui.screens.text import TextScreen
from tests.tui import situations
from tests.tui.app_tests import dashboard


@pytest.mark.parametrize(
    ("key_map", "told"),
    [
        ({}, []),
        ({"quit": ("Q",), "move.down": ("n", "down"), "help": ("?",)}, []),
        ({"quit": ("+", ",", "f2", "ctrl+x", "shift+tab+x")}, ["'shift+tab+x' is no key"]),
        ({"quti": ("Q",)}, ["is no action whose keys can change; did you mean quit?"]),
        ({"planner.leave": ("Q",)}, ["is no action whose keys can change"]),
        ({"quit": ("ctlr+x",)}, ["'ctlr+x' is no key; did you mean ctrl+x?"]),
        ({"quit": ("pagedwon",)}, ["'pagedwon' is no key; did you mean pagedown?"]),
        ({"quit": ("a,b",)}, ["'a,b' is no key"]),
        ({"quit": ("j",)}, ["j would be move.down, too (dashboard)"]),
        ({"quit": ("?",)}, ["question_mark would be help, too (dashboard)"]),
        ({"quit": ("j",), "move.down": ("n",)}, []),
        ({"quit": ("Q",), "help": ("Q",)}, ["Q would be"]),
        ({"text.close": ("j",)}, ["j would be text.down, too (texts)"]),
        ({"replay.play": ("q",)}, []),
    ],
)
def test_what_cannot_be(key_map: dict[str, tuple[str, ...]], told: list[str]) -> None:
    found = [wrong.text for wrong in wrong_keys(key_map)]
    assert len(found) == len(told)
    for text, begin in zip(found, told, strict=True):
        assert text.startswith(begin)


def test_the_keys_of_a_replay_come_before_those_below_it() -> None:
    key_map = {"quit": ("x",), "open": ("o",), "replay.faster": ("o",), "replay.next": ("v",)}
    assert set(for_replay(key_map)) == {"quit", "replay.faster", "replay.next"}
    assert set(for_replay({"quit": ("x",)})) == set()


def test_how_keys_are_shown() -> None:
    (action,) = remapped([ACTIONS[0]], {ACTIONS[0].id: ("pagedown", ",", "?")})
    assert (action.keys, action.shown) == ("pagedown,comma,?", "pgdn ,")
    assert textual_keymap({"quit": ("a", ",")}) == {"quit": "a,comma"}


def test_every_action_that_may_be_named_is_bound_by_its_id() -> None:
    bound = set()
    for module in pkgutil.walk_packages(ckpt_tui.tui.__path__, "ckpt_tui.tui."):
        for value in vars(importlib.import_module(module.name)).values():
            bindings = getattr(value, "BINDINGS", ()) if isinstance(value, type) else ()
            bound |= {each.id for each in bindings if isinstance(each, Binding)}
    assert {action.id for actions in mappable().values() for action in actions} <= bound


async def test_the_screen_does_and_shows_what_is_configured() -> None:
    key_map = {"help": ("f6",), "move.down": ("n",), "grid.next": ("m",), "quit": ("Q",)}
    async with dashboard(situations.mixed(), keymap=key_map) as board:
        before = board.cursor()
        await board.press("j")
        assert board.cursor() == before
        await board.press("n")
        assert board.cursor() != before
        bar = board.text().splitlines()[-1]
        assert "f6 help" in bar
        assert "Q quit" in bar
        await board.press("f6")
        assert isinstance(board.app.screen, TextScreen)
        lines = [text_of(row) for row in board.app.screen.text.lines]
        assert any(row.startswith("  n  ") and "down one line" in row for row in lines)
        assert any(row.startswith("  m  ") and "next rank in trouble" in row for row in lines)
        await board.press("escape", "Q")
        assert board.app.return_code == 0


async def test_columns_and_order_are_those_of_the_configuration() -> None:
    columns, sort = ("size", "state", "committed"), ("size", "-step")
    async with dashboard(situations.mixed(), columns=columns, sort=sort) as board:
        title = next(row for row in board.text().splitlines() if "size▲1" in row)
        assert title.index("size▲1") < title.index("state") < title.index("committed")
        assert "age" not in title
        await board.press("w")
        wide = next(row for row in board.text().splitlines() if "size▲1" in row)
        assert wide.index("size") < wide.index("state") < wide.index("committed")
        assert wide.index("committed") < wide.index("age")
