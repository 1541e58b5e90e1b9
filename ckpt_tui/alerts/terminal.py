"""Escape sequences that ask a terminal for a notification of the desktop.

Terminals that know none ignore them. Which one is understood is told by the environment, because
some terminals know two and would show both:
OSC 9 (iTerm2, kitty, WezTerm, Ghostty, Windows Terminal) and OSC 777 (rxvt, VTE, Konsole).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.printable import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

BELL = "\a"
_ESCAPE = "\x1b"
_LONGEST_TITLE = 60
_LONGEST_TEXT = 200
"""GNU screen takes at most 768 bytes at once; a character may have four."""


def notification(title: str, text: str, environ: Mapping[str, str]) -> str:
    """The sequence for a terminal; "" for one that would print it.

    Inside tmux it is wrapped so that it reaches the terminal outside, which tmux allows only with
    `allow-passthrough on`, and else drops it; the same for GNU screen.

    Args:
        title: One line.
        text: One line.
        environ: Environment variables.
    """
    if environ.get("TERM", "") in ("", "dumb", "linux", "vt100", "vt220"):
        return ""
    title, text = _plain(title)[:_LONGEST_TITLE], _plain(text)[:_LONGEST_TEXT]
    if environ.get("VTE_VERSION") or environ.get("TERM", "").startswith("rxvt"):
        sequence = f"{_ESCAPE}]777;notify;{title};{text}{BELL}"
    else:
        # A text that began with "4;" would be a progress bar to some.
        sequence = f"{_ESCAPE}]9;{title}: {text}{BELL}"
    if environ.get("TMUX"):
        return f"{_ESCAPE}Ptmux;{sequence.replace(_ESCAPE, 2 * _ESCAPE)}{_ESCAPE}\\"
    if environ.get("STY"):
        return f"{_ESCAPE}P{sequence}{_ESCAPE}\\"
    return sequence


def _plain(text: str) -> str:
    """Nothing that could end the sequence or separate its fields."""
    return printable(text).replace(";", ",")
