"""The help screen: keys from the registry, icons, letters, and where the numbers come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.actions.dashboard import GROUPS
from ckpt_tui.tui.details.ranks import RANK_LOOKS
from ckpt_tui.tui.icons import RESUME_MARK, ROLE_LETTERS, VERDICT_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, flowed, line, pad, piece, wrapped
from ckpt_tui.tui.rows.notes import minutes_text
from ckpt_tui.tui.rows.query import FILTER_HELP
from ckpt_tui.tui.screens.text import TextScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.tui.actions.action import Action
    from ckpt_tui.tui.options import DashboardOptions

_TWO_COLUMNS = 100
_GAP = 4


def help_lines(actions: Sequence[Action], options: DashboardOptions, width: int) -> list[Line]:
    """All of the help; two columns where there is room."""
    if width < _TWO_COLUMNS:
        return [*_keys(actions, width), *_legend(options, width)]
    half = (width - _GAP) // 2
    keys, legend = _keys(actions, half), _legend(options, half)
    count = max(len(keys), len(legend))
    left = keys + [BLANK] * (count - len(keys))
    right = legend + [BLANK] * (count - len(legend))
    return [(*pad(a, half + _GAP), *b) for a, b in zip(left, right, strict=True)]


def _keys(actions: Sequence[Action], width: int) -> list[Line]:
    lines: list[Line] = []
    for group in dict.fromkeys((*GROUPS, *(action.group for action in actions))):
        lines.append(_title(group))
        for action in actions:
            if action.group == group:
                lines += _entry(piece(action.shown, Tone.ACCENT), 11, action.help, width)
        lines.append(BLANK)
    return lines


def _title(text: str) -> Line:
    return line(piece(text, Tone.BOLD))


def _entry(head: Piece, cells: int, text: str, width: int) -> list[Line]:
    """A sign and what it means, broken where it is too long."""
    rows = wrapped(text, width - cells - 2)
    first = (piece("  "), *pad((head,), cells), piece(rows[0]))
    return [first, *(line(" " * (cells + 2), row) for row in rows[1:])]


def _legend(options: DashboardOptions, width: int) -> list[Line]:
    lines = [_title("States")]
    for verdict, look in VERDICT_LOOKS.items():
        word = piece(f"{look.icon} {verdict.value}", look.tone)
        lines += _entry(word, 15, look.meaning, width)
    lines += _entry(piece(RESUME_MARK, Tone.OK), 15, "the resume point", width)
    lines += [BLANK, _title("Roles")]
    letters = [
        line(piece(letter, Tone.ACCENT), f" {role}") for role, letter in ROLE_LETTERS.items()
    ]
    lines += _indented(flowed(letters, width - 2, "  "))
    lines += _prose("lower case: not for every rank; ·: missing; D: data loader too", width)
    lines += [BLANK, _title("Ranks")]
    ranks = [
        line(piece(icon, tone), f" {state.value}") for state, (icon, tone) in RANK_LOOKS.items()
    ]
    lines += _indented(flowed(ranks, width - 2, "  "))
    lines += [BLANK, _title("Filter: all words must hold")]
    for sign, meaning in FILTER_HELP:
        lines += _entry(piece(sign, Tone.ACCENT), 15, meaning, width)
    lines += [BLANK, _title("What a fault costs")]
    lines += _prose(
        "The rollback is the work since the resume point's save began."
        f" Reload ({minutes_text(options.reload_minutes)}) and down time"
        f" ({minutes_text(options.down_minutes)}) are not measured: --reload-minutes and"
        " --down-minutes set them; without these they are the planner's defaults, 8 and 0."
        " The chance of a fault before the next save is complete goes by the planner's fault rate"
        f" ({options.fault_rate_per_hour:g} an hour at first). What is changed there"
        " counts here at once.",
        width,
    )
    lines += [BLANK, _title("Terminal")]
    lines += _prose(
        "The clipboard is the terminal's own (OSC 52); some terminals refuse it."
        " To select text with the mouse hold Shift (Option on a Mac), or start with --no-mouse."
        " If the terminal stays odd after a crash: reset.",
        width,
    )
    return lines


def _indented(lines: Sequence[Line]) -> list[Line]:
    return [(piece("  "), *text) for text in lines]


def _prose(text: str, width: int) -> list[Line]:
    return [line(piece(f"  {row}", Tone.DIM)) for row in wrapped(text, width - 2)]


def help_screen(actions: Sequence[Action], options: DashboardOptions) -> TextScreen:
    """Closes with esc, q or ?."""
    return TextScreen("keys and signs", lambda width: help_lines(actions, options, width))
