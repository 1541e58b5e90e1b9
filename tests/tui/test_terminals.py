"""Which colours are sent to which terminal, as they arrive in a pseudo terminal."""

from __future__ import annotations

import pytest

from ckpt_tui.tui.colours import ANSI, DARK, LIGHT, is_without_colour, theme_for
from tests.tui.pseudo_terminal import PATIENCE_SECONDS, Terminal, renditions

COLOURS = {"16", "256", "true"}
ESCAPE = "\x1b[27u"
"""The key as terminals with kitty's protocol send it: no key that follows makes it alt+key."""
TOUR = (
    ("?", "keys and signs", "q"),
    ("L", "alarms and events", "q"),
    ("t", "saves", "q"),
    ("C", "resume flag", "q"),
    ("e", "write to a file", "q"),
    (":", "ommand", ESCAPE),
)
"""Keys that open a screen over the dashboard, what it says, and what closes it."""


def _sent(*arguments: str, **environ: str) -> set[str]:
    """Kinds of renditions that a tour of the screens sends."""
    with Terminal(*arguments, environ=environ, size=(120, 40)) as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.type("jj2\t")
        for key, text, close in TOUR:
            terminal.type(key)
            terminal.wait_for(text)
            terminal.type(close)
        terminal.wait_for("uncommitted")  # the palette covers it, and is slow to go
        terminal.type("q")
        ended = terminal.end()
    assert ended.code == 0
    return renditions(ended.output)


@pytest.mark.parametrize("name", ["xterm", "screen", "linux"])
def test_terminals_of_sixteen_colours_get_their_own(name: str) -> None:
    sent = _sent(TERM=name)
    assert sent & COLOURS == {"16"}
    assert "reverse" in sent


def test_a_theme_of_many_colours_is_brought_down_to_sixteen() -> None:
    assert _sent("--theme=textual-dark", TERM="xterm") & COLOURS == {"16"}


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm-256color"}, {"256"}),
        ({"TERM": "screen-256color"}, {"256"}),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, {"true"}),
        ({"TERM": "dumb"}, set()),
    ],
    ids=["256", "screen-256", "truecolor", "dumb"],
)
def test_other_terminals_get_what_they_say(environ: dict[str, str], colours: set[str]) -> None:
    assert _sent(**environ) & COLOURS == colours


def test_no_color_means_none() -> None:
    sent = _sent(COLORTERM="truecolor", NO_COLOR="1")
    assert sent <= {"reset", "bold", "underline", "reverse", "italic"}
    assert {"bold", "reverse"} <= sent


@pytest.mark.parametrize(
    ("environ", "theme"),
    [
        ({"TERM": "xterm"}, ANSI),
        ({}, ANSI),
        ({"TERM": "dumb"}, ANSI),
        ({"TERM": "xterm-256color"}, DARK),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, LIGHT),
        ({"TERM": "rxvt-256color", "COLORFGBG": "0;default;7"}, LIGHT),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;0"}, DARK),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, DARK),
        ({"TERM": "xterm", "COLORFGBG": "0;15"}, ANSI),
    ],
)
def test_the_theme_that_suits_a_terminal(environ: dict[str, str], theme: str) -> None:
    assert theme_for(environ) == theme


@pytest.mark.parametrize(
    ("environ", "without"),
    [
        ({}, False),
        ({"NO_COLOR": ""}, False),
        ({"NO_COLOR": "0"}, True),
        ({"TERM": "dumb"}, True),
    ],
)
def test_where_no_colour_is_sent(environ: dict[str, str], without: bool) -> None:
    assert is_without_colour(environ) is without


def test_a_terminal_that_is_resized_is_drawn_in_its_new_size() -> None:
    with Terminal(size=(120, 40)) as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.resize((60, 20))
        terminal.wait_for("RESUME FROM")
        terminal.type("q")
        assert terminal.end().code == 0


def test_a_terminal_that_vanishes_ends_the_program() -> None:
    with Terminal() as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.vanish()
        terminal.process.wait(PATIENCE_SECONDS)
