"""In a real terminal: exit codes, signals, stops, and a terminal that is left as it was found."""

from __future__ import annotations

import signal

import pytest

from ckpt_tui.tui.options import DEFAULT_OPTIONS
from ckpt_tui.tui.run import run_dashboard
from tests.tui import situations
from tests.tui.builders import StubFeed
from tests.tui.pseudo_terminal import (
    LEAVES_SCREEN,
    MOUSE_OFF,
    MOUSE_ON,
    SHOWS_CURSOR,
    Ended,
    Terminal,
)


@pytest.mark.parametrize(
    ("act", "code"),
    [("q", 0), ("\x03", 130), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["q", "ctrl+c", "int", "term", "hup"],
)
def test_the_terminal_is_left_clean(act: str | signal.Signals, code: int) -> None:
    with Terminal() as terminal:
        terminal.wait_for("RESUME FROM")
        if isinstance(act, str):
            terminal.type(act)
        else:
            terminal.process.send_signal(act)
        ended = terminal.end()
        assert ended.code == code
        for sequence in (LEAVES_SCREEN, SHOWS_CURSOR, MOUSE_OFF):
            assert sequence in ended.output
        assert ended.output.rstrip().endswith("stopped=True")


@pytest.mark.parametrize("by", ["\x1a", signal.SIGTSTP], ids=["ctrl+z", "tstp"])
@pytest.mark.parametrize("over", ["", "?"], ids=["table", "help"])
def test_all_is_drawn_again_after_a_stop(by: str | signal.Signals, over: str) -> None:
    with Terminal() as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.type(over)
        if over:
            terminal.wait_for("keys and signs")
        if isinstance(by, str):
            terminal.type(by)
        else:
            terminal.process.send_signal(by)
        terminal.stop_and_continue()
        terminal.wait_for("keys and signs" if over else "weights-only")
        terminal.type("qq" if over else "q")
        assert terminal.end().code == 0


def test_what_was_marked_is_printed_after_the_screen_was_left() -> None:
    with Terminal() as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.type("O")
        terminal.wait_for("will be printed")
        terminal.type("q")
        ended = terminal.end()
        assert ended.code == 0
        assert ended.after.split() == ["/mnt/checkpoints/llama-70b/iter_0012500", "stopped=True"]


def _ended_after_a_path_was_copied(**environ: str) -> Ended:
    with Terminal(environ=environ) as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.type("y")
        terminal.wait_for("was sent")
        terminal.type("q")
        return terminal.end()


def test_the_clipboard_is_asked_between_two_frames() -> None:
    assert "\x1b]52;c;" in _ended_after_a_path_was_copied().output
    wrapped = _ended_after_a_path_was_copied(TMUX="/tmp/x,1,0", TERM="tmux-256color").output
    assert "\x1bPtmux;\x1b\x1b]52;c;" in wrapped


def test_without_the_mouse_the_terminal_keeps_its_selection() -> None:
    with Terminal("--no-mouse") as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.type("q")
        assert MOUSE_ON not in terminal.end().output


def test_a_theme_that_is_not_there_is_refused() -> None:
    options = DEFAULT_OPTIONS._replace(theme="no-such")
    with pytest.raises(ValueError, match=r"no theme 'no-such'; there are auto, ansi, .*-light"):
        run_dashboard(StubFeed(situations.empty()), options)


def test_a_crash_is_told_after_the_terminal_is_clean() -> None:
    with Terminal() as terminal:
        terminal.wait_for("RESUME FROM")
        terminal.type("r")
        ended = terminal.end()
        assert ended.code == 70
        assert "a fault of our own" in ended.output.partition(LEAVES_SCREEN)[2]
