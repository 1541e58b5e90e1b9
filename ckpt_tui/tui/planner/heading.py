"""The panel's first line: whose plan it is and the keys, or what is wrong with a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import plural
from ckpt_tui.tui.actions.planner import FILL_KEY
from ckpt_tui.tui.lines import Line, Piece, Tone, cut, line, piece, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.planner.fields import FieldError

_KEYS = (
    f"enter edit · tab next field · up/down step · {FILL_KEY} directory · esc leave",
    f"enter edit · tab next · {FILL_KEY} directory · esc leave",
    f"tab next · {FILL_KEY} directory · esc leave",
    "",
)


def heading_lines(run_name: str, errors: Sequence[FieldError], width: int) -> list[Line]:
    """A rule with name and keys; in its place the first error, as long as there is one."""
    if errors:
        return _error_lines(errors, width)
    head = line(piece("── ", Tone.DIM), piece("Planner", Tone.BOLD))
    if run_name:
        head = (*head, piece(f" for {run_name}"))
    for keys in _KEYS:
        tail = line(piece(f" {keys} ──", Tone.DIM)) if keys else ()
        rule = width - width_of(head) - width_of(tail) - 1
        if rule > 0:
            return [(*head, Piece(" "), piece("─" * rule, Tone.DIM), *tail)]
    return [cut(head, width)]


def _error_lines(errors: Sequence[FieldError], width: int) -> list[Line]:
    text = f"✗ {errors[0].message}"
    if len(errors) > 1:
        text += f", and {plural(len(errors) - 1, 'more field')}"
    text += "; below is the last good plan"
    return [line(" ", piece(row, Tone.BAD)) for row in wrapped(text, width - 2)]
