"""How far a look is that takes long: what stands on the screen is not all there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import plural
from ckpt_tui.tui.answers.blocks import label, progress_bar
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, joined, line
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Reading
    from ckpt_tui.tui.view import View

BAR_CELLS = 21


def reading_line(view: View, width: int) -> Line:
    """A bar of what is read; nothing once the look is over."""
    reading = view.snapshot.reading
    if reading is None:
        return BLANK
    head = label(say("READING"), Tone.BUSY_BLOCK, width)
    count = _count(reading)
    order = line(say("newest first"))
    caution = line(say("verdicts below may still change"))
    levels = [
        (joined(((*head, *_bar(reading, BAR_CELLS), *count), order, caution)), BLANK),
        (joined(((*head, *_bar(reading, BAR_CELLS), *count), caution)), BLANK),
        (joined(((*head, *_bar(reading, BAR_CELLS // 2), *count), caution)), BLANK),
        (joined(((*head, *_bar(reading, BAR_CELLS // 2), *count), order)), BLANK),
        ((*head, *count), BLANK),
    ]
    return first_fit(levels, width)


def _count(reading: Reading) -> Line:
    found = say_sentence(plural(reading.recognised, "checkpoint"))
    if reading.searching:
        return line(say("{read} read, {found} found by now", read=reading.read, found=found))
    return line(say("{read} of {found}", read=reading.read, found=found))


def _bar(reading: Reading, cells: int) -> Line:
    if reading.searching or not reading.recognised:
        return BLANK
    return (*progress_bar(reading.read / reading.recognised, cells), *line(" "))
