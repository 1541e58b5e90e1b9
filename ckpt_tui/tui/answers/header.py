"""The lines that answer first: what to resume from, what is being saved, what needs a look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.tui.answers.by_itself import by_itself_line
from ckpt_tui.tui.answers.look import look_line, restart_line
from ckpt_tui.tui.answers.reading import reading_line
from ckpt_tui.tui.answers.resume import resume_line
from ckpt_tui.tui.answers.saving import saving_line
from ckpt_tui.tui.answers.size import size_line
from ckpt_tui.tui.answers.where import where_line

if TYPE_CHECKING:
    from ckpt_tui.tui.lines import Line
    from ckpt_tui.tui.view import View

_TOP_TO_BOTTOM = (
    where_line,
    reading_line,
    resume_line,
    by_itself_line,
    size_line,
    saving_line,
    look_line,
    restart_line,
)
_BY_IMPORTANCE = (
    reading_line,
    resume_line,
    size_line,
    look_line,
    saving_line,
    where_line,
    by_itself_line,
    restart_line,
)


def answer_lines(view: View, width: int, most: int = 7) -> list[Line]:
    """The header, top to bottom; empty answers take no line.

    Args:
        view: The moment that is shown.
        width: Cells on a line; each answer is as long as that allows.
        most: Lines there is room for; the most important stay.
    """
    made = {answer: answer(view, width) for answer in _TOP_TO_BOTTOM}
    kept = [answer for answer in _BY_IMPORTANCE if made[answer]][: max(1, most)]
    return [made[answer] for answer in _TOP_TO_BOTTOM if answer in kept]
