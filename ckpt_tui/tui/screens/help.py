"""The help screen: keys from the registry, icons, letters, and where the numbers come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.tensors_query import TENSOR_QUERY_HELP
from ckpt_tui.tui.actions.dashboard import GROUPS
from ckpt_tui.tui.details.ranks import RANK_LOOKS
from ckpt_tui.tui.icons import RESUME_MARK, ROLE_LETTERS, VERDICT_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, flowed, line, pad, piece, wrapped
from ckpt_tui.tui.rows.filter_help import FILTER_HELP
from ckpt_tui.tui.rows.notes import minutes_text
from ckpt_tui.tui.screens.text import TextScreen
from ckpt_tui.words import say, say_sentence

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
        lines.append(_title(say(group)))
        for action in actions:
            if action.group == group:
                lines += _entry(piece(action.shown, Tone.ACCENT), 11, say(action.help), width)
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
    lines = [_title(say("States"))]
    for verdict, look in VERDICT_LOOKS.items():
        word = piece(f"{look.icon} {say_sentence(verdict.value)}", look.tone)
        lines += _entry(word, 15, say(look.meaning), width)
    lines += _entry(piece(RESUME_MARK, Tone.OK), 15, say("the resume point"), width)
    lines += [BLANK, _title(say("Roles"))]
    letters = [
        line(piece(letter, Tone.ACCENT), f" {say_sentence(role)}")
        for role, letter in ROLE_LETTERS.items()
    ]
    lines += _indented(flowed(letters, width - 2, "  "))
    lines += _prose(say("lower case: not for every rank; ·: missing; D: data loader too"), width)
    lines += [BLANK, _title(say("Ranks"))]
    ranks = [
        line(piece(icon, tone), f" {say(state.value)}")
        for state, (icon, tone) in RANK_LOOKS.items()
    ]
    lines += _indented(flowed(ranks, width - 2, "  "))
    lines += [BLANK, _title(say("Filter: all words must hold"))]
    for sign, meaning in FILTER_HELP:
        lines += _entry(piece(sign, Tone.ACCENT), 15, say(meaning), width)
    lines += [BLANK, _title(say("In the list of tensors"))]
    for sign, meaning in TENSOR_QUERY_HELP:
        lines += _entry(piece(sign, Tone.ACCENT), 15, say(meaning), width)
    lines += [BLANK, _title(say("What a fault costs"))]
    lines += _prose(
        say(
            "The rollback is the work since the resume point's save began."
            " Reload ({reload}) and down time"
            " ({down}) are not measured: --reload-minutes and"
            " --down-minutes set them; without these they are the planner's defaults, 8 and 0,"
            " and the reload is called assumed."
            " The chance of a fault before the next save is complete goes by the planner's fault"
            " rate ({rate} an hour at first). What is changed there"
            " counts here at once.",
            reload=minutes_text(options.reload_minutes),
            down=minutes_text(options.down_minutes),
            rate=f"{options.fault_rate_per_hour:g}",
        ),
        width,
    )
    lines += [BLANK, _title(say("Terminal"))]
    lines += _prose(
        say(
            "The clipboard is the terminal's own (OSC 52); some terminals refuse it, and none says"
            " so. tmux hands it on with `set -g set-clipboard on`, or with"
            " `set -g allow-passthrough on`. What C marks with x, or O, is printed when you quit:"
            " that works everywhere."
            " To select text with the mouse hold Shift (Option on a Mac), or start with --no-mouse."
            " If the terminal stays odd after a crash: reset."
        ),
        width,
    )
    return lines


def _indented(lines: Sequence[Line]) -> list[Line]:
    return [(piece("  "), *text) for text in lines]


def _prose(text: str, width: int) -> list[Line]:
    return [line(piece(f"  {row}", Tone.DIM)) for row in wrapped(text, width - 2)]


def help_screen(actions: Sequence[Action], options: DashboardOptions) -> TextScreen:
    """Closes with esc, q or ?."""
    return TextScreen(say("keys and signs"), lambda width: help_lines(actions, options, width))
