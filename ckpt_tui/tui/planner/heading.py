"""The panel's first line: whose plan it is and the keys, or what is wrong with a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.actions.planner import FILL_KEY
from ckpt_tui.tui.lines import Line, Piece, Tone, cut, line, piece, width_of, wrapped
from ckpt_tui.words import later, say, say_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.planner.fields import FieldError

_KEYS = (
    later("enter edit · tab next field · up/down step · {fill} directory · esc leave"),
    later("enter edit · tab next · {fill} directory · esc leave"),
    later("tab next · {fill} directory · esc leave"),
    "",
)


def heading_lines(run_name: str, errors: Sequence[FieldError], width: int) -> list[Line]:
    """A rule with name and keys; in its place the first error, as long as there is one."""
    if errors:
        return _error_lines(errors, width)
    head = line(piece("── ", Tone.DIM), piece(say("Planner"), Tone.BOLD))
    if run_name:
        head = (*head, piece(say(" for {run}", run=run_name)))
    for keys in _KEYS:
        tail = line(piece(f" {say(keys, fill=FILL_KEY)} ──", Tone.DIM)) if keys else ()
        rule = width - width_of(head) - width_of(tail) - 1
        if rule > 0:
            return [(*head, Piece(" "), piece("─" * rule, Tone.DIM), *tail)]
    return [cut(head, width)]


def _error_lines(errors: Sequence[FieldError], width: int) -> list[Line]:
    text = f"✗ {errors[0].said}"
    if len(errors) > 1:
        more = len(errors) - 1
        text += say_count(more, ", and {count} more field", ", and {count} more fields")
    text += say("; below is the last good plan")
    return [line(" ", piece(row, Tone.BAD)) for row in wrapped(text, width - 2)]
