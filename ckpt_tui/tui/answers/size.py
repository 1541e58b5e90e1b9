"""The answer for a job of another world size, where one was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.asked_size import answer_for_size
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.tui.answers.blocks import label
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, first_fit, line, piece, width_of
from ckpt_tui.words import say, say_count, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.tui.view import View

_LEAST_HOW = 16
"""Cells from which on the beginning of a long explanation is worth showing."""

_TONES = {
    Severity.INFO: Tone.OK_BLOCK,
    Severity.WARNING: Tone.WARN_BLOCK,
    Severity.ERROR: Tone.BAD_BLOCK,
}


def size_line(view: View, width: int) -> Line:
    """For how many ranks the answers hold, how the resume point gets there, and what is lost."""
    wanted = view.snapshot.world_size
    if wanted is None:
        return BLANK
    if view.run is None or not view.run.checkpoints:
        return cut(label(_for_ranks(wanted), Tone.BUSY_BLOCK, width), width)
    answer = answer_for_size(view.run, wanted)
    head = label(_for_ranks(wanted), _TONES[answer.worst], width)
    text = (*head, piece(say_sentence(answer.text)))
    how, loss = BLANK, BLANK
    if answer.how:
        how = line(piece(say(": {how}", how=say_sentence(answer.how))))
    if answer.loss:
        loss = line(piece(say("; {loss}", loss=say_sentence(answer.loss)), Tone.WARN))
    hint = line(piece(f"{say('W asks for another')} ", Tone.DIM))
    room = width - width_of((*text, *loss))
    short = cut(how, room) if room >= _LEAST_HOW else BLANK
    levels = [((*text, *how, *loss), hint), ((*text, *short, *loss), BLANK)]
    return first_fit(levels, width)


def _for_ranks(count: int) -> str:
    return say_count(count, "FOR {count} RANK", "FOR {count} RANKS")
