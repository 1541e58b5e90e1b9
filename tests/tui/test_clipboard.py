"""OSC 52: what is sent under which terminal; honest words; what cannot be sent is told."""

from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.tui.clipboard import MOST_BYTES, clipboard_sequence, path_word, why_not_sent

XTERM = {"TERM": "xterm-256color"}
TMUX = {"TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"}
SCREEN = {"TERM": "screen.xterm-256color", "STY": "1.pts-0.host"}
PLAIN = re.compile(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\a")
NAMES = st.text(st.characters(exclude_categories=["Cs"])) | st.just("\udcff\udc80/x")


def _decoded(sequence: str) -> bytes:
    found = PLAIN.fullmatch(sequence)
    assert found is not None, sequence
    return base64.b64decode(found[1])


@given(NAMES)
def test_a_terminal_gets_the_bytes_of_the_text(text: str) -> None:
    assert _decoded(clipboard_sequence(text, XTERM)) == text.encode("utf-8", "surrogateescape")


@given(NAMES)
@pytest.mark.parametrize("environ", [TMUX, {"TERM": "tmux"}, {"TERM": "screen", "TMUX": "x"}])
def test_tmux_gets_it_plain_and_to_hand_on(environ: dict[str, str], text: str) -> None:
    plain, _, wrapped = clipboard_sequence(text, environ).partition("\x1bPtmux;")
    assert wrapped.endswith("\x1b\\")
    inside = wrapped.removesuffix("\x1b\\")
    assert "\x1b" not in inside.replace("\x1b\x1b", "")
    assert inside.replace("\x1b\x1b", "\x1b") == plain
    assert _decoded(plain) == text.encode("utf-8", "surrogateescape")


@given(st.text("ab/", max_size=4000))
@pytest.mark.parametrize("environ", [SCREEN, {"TERM": "screen"}])
def test_screen_gets_pieces_that_it_does_not_cut(environ: dict[str, str], text: str) -> None:
    pieces = re.findall(r"\x1bP(.*?)\x1b\\", clipboard_sequence(text, environ), re.DOTALL)
    assert all(len(piece) + len("\x1bP\x1b\\") <= 768 for piece in pieces)
    assert _decoded("".join(pieces)) == text.encode()


@pytest.mark.parametrize("terminal", ["linux", "dumb", "vt100"])
def test_terminals_without_a_clipboard_are_named(terminal: str) -> None:
    assert why_not_sent("x", {"TERM": terminal}) == (
        f"this terminal (TERM={terminal}) has no clipboard"
    )


def test_the_limit_counts_bytes() -> None:
    assert why_not_sent("x" * MOST_BYTES, XTERM) == ""
    assert why_not_sent("é" * (MOST_BYTES // 2 + 1), XTERM) == (
        "it is too long for a terminal's clipboard (74002 of at most 74000 bytes)"
    )


@pytest.mark.parametrize(
    ("path", "word"),
    [("/a b/检", "/a b/检"), ("/a\nb'\\", "$'/a\\x0ab\\'\\\\'"), ("/\udcff", "$'/\\xff'")],
)
def test_paths_that_are_no_text_become_shell_words(path: str, word: str) -> None:
    assert path_word(path) == word
