"""A comparison as lines: two columns side by side, what differs first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from ckpt_tui.core.comparing.telling import told
from ckpt_tui.tui.lines import BLANK, Line, Tone, line, pad, piece, wrapped
from ckpt_tui.tui.rows.notes import note_of, state_line, utc_text
from ckpt_tui.words import say, say_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.comparing.checkpoints import Comparison
    from ckpt_tui.core.comparing.rows import Row, Section
    from ckpt_tui.core.comparing.telling import Told

_SIGN_TONES = {"+": Tone.OK, "-": Tone.WARN, "~": Tone.ACCENT}
_SIGN_CELLS = 2
_GAP = 2
_MOST_VALUE = 44
_LABEL_SHARE = 0.3
_LEAST_LABEL = 12


def compare_lines(comparison: Comparison, width: int) -> list[Line]:
    """All of it, for a width in cells."""
    said = told(comparison)
    columns = _Columns(width, _longest_label(said))
    lines = [*_heads(comparison, columns), BLANK, *_prose(said.distance, width, Tone.BOLD)]
    if comparison.tensors is None:
        lines += _prose(say("the headers are being read for the tensors …"), width, Tone.BUSY)
    if not said.sections:
        lines += [BLANK, *_prose(say("Nothing else differs in what was read."), width, Tone.OK)]
    for section in said.sections:
        lines += [BLANK, *_section(section, columns)]
    if said.same:
        lines += [BLANK, line(piece(say("equal"), Tone.BOLD))]
        for sentence in said.same:
            lines += _prose(f"= {sentence}", width, Tone.DIM)
    return lines


def _longest_label(said: Told) -> int:
    rows = (row for section in said.sections for row in section.rows if not row.note)
    return max((cell_len(row.label) for row in rows), default=0)


class _Columns:
    """Where label and values stand; a label has no more room than it needs."""

    def __init__(self, width: int, longest_label: int) -> None:
        self.label = max(_LEAST_LABEL, min(longest_label, int(width * _LABEL_SHARE)))
        room = (width - _SIGN_CELLS - self.label - 2 * _GAP) // 2
        self.value = max(1, min(_MOST_VALUE, room))
        self.width = width

    def row(self, sign: Line, label: Line, first: Line, second: Line) -> Line:
        gap = piece(" " * _GAP)
        head = (*pad(sign, _SIGN_CELLS), *pad(label, self.label))
        return (*head, gap, *pad(first, self.value), gap, *pad(second, self.value))


def _heads(comparison: Comparison, columns: _Columns) -> Iterator[Line]:
    """What the two columns are: step, name, state, why it is no better, time."""
    pair = (comparison.first, comparison.second)
    makers: tuple[Callable[[Checkpoint], Line], ...] = (
        lambda checkpoint: line(piece(checkpoint.title, Tone.BOLD)),
        lambda checkpoint: line(piece(checkpoint.facts.name, Tone.DIM)),
        state_line,
        lambda checkpoint: note_of(checkpoint, resume=False, named_by=()),
        lambda checkpoint: line(piece(utc_text(checkpoint.moment or None), Tone.DIM)),
    )
    for make in makers:
        first, second = (make(checkpoint) for checkpoint in pair)
        if first or second:
            yield columns.row(BLANK, BLANK, first, second)


def _section(section: Section, columns: _Columns) -> Iterator[Line]:
    count = f" ({section.total})" if section.total > 1 else ""
    yield from _prose(f"{section.title}{count}", columns.width, Tone.BOLD)
    for row in section.rows:
        yield from _row(row, columns)
    left = section.total - len(section.rows)
    more = (say_count(left, "and {count} more", "and {count} more"),) if left > 0 else ()
    for sentence in (*more, *section.more):
        yield from _prose(sentence, columns.width, Tone.DIM, _SIGN_CELLS)


def _row(row: Row, columns: _Columns) -> Iterator[Line]:
    """Sign, label, both values; a label that does not fit has a line of its own."""
    sign = line(piece(row.sign, _SIGN_TONES[row.sign]))
    first, second = (line(piece(value)) for value in (row.first, row.second))
    label = line(piece(row.label))
    if row.note:
        yield (*pad(sign, _SIGN_CELLS), *label)
        yield from _prose(row.note, columns.width, Tone.PLAIN, 2 * _SIGN_CELLS)
        return
    names = wrapped(row.label, columns.width - _SIGN_CELLS)
    if cell_len(row.label) <= columns.label:
        yield columns.row(sign, label, first, second)
        return
    for number, name in enumerate(names):
        yield (*pad(BLANK if number else sign, _SIGN_CELLS), piece(name))
    yield columns.row(BLANK, BLANK, first, second)


def _prose(text: str, width: int, tone: Tone, indent: int = 0) -> Iterator[Line]:
    for row in wrapped(text, width - indent):
        yield line(" " * indent, piece(row, tone))
