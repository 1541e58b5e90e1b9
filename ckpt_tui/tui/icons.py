"""Icon, word and tone of each state, and the ASCII stand-ins of every symbol that is drawn."""

from __future__ import annotations

from typing import NamedTuple

from rich.cells import cell_len

from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Severity, Verdict
from ckpt_tui.tui.lines import Tone
from ckpt_tui.words import later


class Look(NamedTuple):
    """How a state looks; the icon alone, the word alone and the tone alone each tell it."""

    icon: str
    tone: Tone
    meaning: str


VERDICT_LOOKS = {
    Verdict.EXACT: Look("✔", Tone.OK, later("continues exactly from its step")),
    Verdict.INEXACT: Look("≈", Tone.FAIR, later("goes on, but lacks scheduler or rng")),
    Verdict.WEIGHTS_ONLY: Look("○", Tone.DIM, later("a model only: no continuation")),
    Verdict.SAVING: Look("◐", Tone.BUSY, later("being written now")),
    Verdict.UNCOMMITTED: Look("⊘", Tone.WARN, later("never finished, nothing moves")),
    Verdict.INCOMPLETE: Look("✗", Tone.BAD, later("a rank, file or role is missing")),
    Verdict.CORRUPT: Look("‼", Tone.BAD, later("bytes that cannot be right")),
    Verdict.UNKNOWN: Look("?", Tone.WARN, later("could not be read")),
}

SEVERITY_LOOKS = {
    Severity.ERROR: Look("✗", Tone.BAD, later("error")),
    Severity.WARNING: Look("⚠", Tone.WARN, later("warning")),
    Severity.INFO: Look("·", Tone.DIM, later("remark")),
}

ROLE_LETTERS = {role: role[0].upper() for role in REQUIRED_ROLES}
"""M O S R P, as the roles column shows them."""

RESUME_MARK = "▶"
CURSOR_MARK = "▌"
MARKED_SIGN = "*"
WARNING_MARK = "⚠"

_ASCII = {
    "✔": "+", "≈": "~", "○": "o", "◐": "%", "⊘": "/", "✗": "X", "‼": "!", "⚠": "!",
    "▶": ">", "▌": "|", "·": "-", "…": "~", "–": "-", "─": "-", "│": "|", "×": "x", "≥": ">",
    "≤": "<", "±": "~",
    "↻": "@", "◔": "-", "█": "#", "░": ".", "▪": "=", "▲": "^", "▼": "v",
    "»": ">", "→": ">", "←": "<", "↓": "v", "↑": "^",
}  # fmt: skip


def to_ascii(text: str) -> str:
    """The same text in ASCII and of the same width; letters of other scripts become `?`."""
    if text.isascii():
        return text
    return "".join(
        char if char.isascii() else _ASCII.get(char, "?" * cell_len(char)) for char in text
    )
