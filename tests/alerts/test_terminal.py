"""Sequences for a terminal: the right one, wrapped where needed, with nothing hostile in it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.alerts.message import title_and_text
from ckpt_tui.alerts.terminal import notification
from tests.alerts.events import EVENT, HOSTILE

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("environ", "sequence"),
    [
        (XTERM, "\x1b]9;T: a, b\a"),
        ({**XTERM, "VTE_VERSION": "7600"}, "\x1b]777;notify;T;a, b\a"),
        ({"TERM": "rxvt-unicode"}, "\x1b]777;notify;T;a, b\a"),
        ({"TERM": "tmux-256color", "TMUX": "/x"}, "\x1bPtmux;\x1b\x1b]9;T: a, b\a\x1b\\"),
        ({"TERM": "screen", "STY": "1.x"}, "\x1bP\x1b]9;T: a, b\a\x1b\\"),
        ({"TERM": "linux"}, ""),
        ({"TERM": "dumb"}, ""),
        ({}, ""),
    ],
)
def test_which_sequence(environ: dict[str, str], sequence: str) -> None:
    assert notification("T", "a; b", environ) == sequence


@given(st.text(max_size=400), st.text(max_size=400))
def test_no_text_ends_the_sequence_or_begins_another(title: str, text: str) -> None:
    found = re.fullmatch("\x1b]9;([^;]*)\a", notification(title, text, XTERM))
    assert found is not None
    assert found[1].isprintable()
    assert len(found[1].encode()) < 768 * 2


def test_hostile_names() -> None:
    title, text = title_and_text(HOSTILE)
    assert title == "ckpt-tui critical"
    assert text.isprintable()
    assert "\\x1b[2J" in text
    assert title_and_text(EVENT)[1] == "llama: nothing to resume from"
