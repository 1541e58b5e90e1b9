r"""The terminal's clipboard: OSC 52, wrapped where tmux or screen stand between.

`OSC 52 ; c ; base64 BEL` is xterm's "Manipulate Selection Data". A terminal never answers: whether
it took the text cannot be known, and nothing here says "copied".

- tmux takes the plain sequence with `set -g set-clipboard on`, and hands on what is wrapped in
  `ESC P tmux; … ESC \` (each ESC inside doubled) with `set -g allow-passthrough on`. Both are sent.
- screen hands on `ESC P … ESC \`, which it cuts at 768 bytes, so that pieces are sent.
"""

from __future__ import annotations

import base64
import os
from typing import TYPE_CHECKING

from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_BYTES = 74_000
"""Longer texts are dropped by common terminals (xterm, older tmux)."""

_PIECE_BYTES = 700
_WITHOUT_CLIPBOARD = ("linux", "dumb", "unknown", "vt100", "vt220")
_ESCAPE, _BELL, _END = "\x1b", "\a", "\x1b\\"


def path_word(path: str) -> str:
    r"""The path itself; where it holds characters that are no text, as a shell's `$'…'`."""
    if path.isprintable():
        return path
    return "$'" + "".join(_quoted(char) for char in path) + "'"


def _quoted(char: str) -> str:
    if char in "\\'":
        return "\\" + char
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(char))


def why_not_sent(text: str, environ: Mapping[str, str]) -> str:
    """Why a text cannot be sent to the clipboard; "" where it can."""
    terminal = environ.get("TERM", "")
    if terminal in _WITHOUT_CLIPBOARD:
        return say("this terminal (TERM={terminal}) has no clipboard", terminal=terminal)
    size_bytes = len(_bytes_of(text))
    if size_bytes > MOST_BYTES:
        return say(
            "it is too long for a terminal's clipboard ({size} of at most {most} bytes)",
            size=size_bytes,
            most=MOST_BYTES,
        )
    return ""


def clipboard_sequence(text: str, environ: Mapping[str, str]) -> str:
    """What is written to the terminal to put a text on its clipboard.

    Args:
        text: The text.
        environ: Environment variables: they tell of tmux and screen.
    """
    plain = f"{_ESCAPE}]52;c;{base64.b64encode(_bytes_of(text)).decode('ascii')}{_BELL}"
    terminal = environ.get("TERM", "")
    if environ.get("TMUX") or terminal.startswith("tmux"):
        inside = plain.replace(_ESCAPE, _ESCAPE * 2)
        return f"{plain}{_ESCAPE}Ptmux;{inside}{_END}"
    if environ.get("STY") or terminal.startswith("screen"):
        return "".join(
            f"{_ESCAPE}P{plain[start : start + _PIECE_BYTES]}{_END}"
            for start in range(0, len(plain), _PIECE_BYTES)
        )
    return plain


def _bytes_of(text: str) -> bytes:
    """Bytes of a name that is no UTF-8 go out as they are on disk."""
    return text.encode("utf-8", "surrogateescape")
