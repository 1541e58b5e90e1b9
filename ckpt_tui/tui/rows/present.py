"""From a checkpoint to the cells of its row: pure, without clock or widget."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.query import Candidate
from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.text import bytes_text
from ckpt_tui.core.vocabulary import DATALOADER, REQUIRED_ROLES, Level, Verdict
from ckpt_tui.tui.icons import ROLE_LETTERS
from ckpt_tui.tui.lines import Line, Tone, joined, line, piece, text_of
from ckpt_tui.tui.rows.notes import (
    note_of,
    said_age,
    state_line,
    took_text,
    utc_text,
    verdict_line,
)
from ckpt_tui.tui.rows.order import raw_values
from ckpt_tui.words import ENGLISH, language, say, say_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot


class RowValue(NamedTuple):
    """All that a row is drawn from; equal values draw equal rows.

    Attributes:
        run: Key of the run it belongs to.
        run_name: The run's name, as its heading has it.
        resume: True for the run's resume point.
        named_by: Names of the pointers that name it.
    """

    checkpoint: Checkpoint
    run: str
    run_name: str
    resume: bool
    named_by: tuple[str, ...]


class Row(NamedTuple):
    """A row as it is drawn; its age is added when it is.

    Attributes:
        cells: Column key to text.
        candidate: The same for a filter.
        raw: Column key to what rows are sorted by; None where it is unknown.
    """

    value: RowValue
    cells: Mapping[str, Line]
    candidate: Candidate
    raw: Mapping[str, float | None]

    @property
    def moment(self) -> float | None:
        """Epoch seconds that the age counts from; None where unknown."""
        return self.candidate.moment


def run_key(run: Run) -> str:
    """Tells runs apart, also two formats in one directory. No path looks like it."""
    return f"\0{run.path}\0{run.format}"


def row_values(snapshot: Snapshot, last: Mapping[str, RowValue]) -> dict[str, RowValue]:
    """One value per checkpoint, keyed by path, in the order of the runs.

    Args:
        snapshot: The picture.
        last: The values of the last one; what did not change is the same object.
    """
    values: dict[str, RowValue] = {}
    for run in snapshot.runs:
        named: dict[str, tuple[str, ...]] = {}
        for pointer in run.pointers:
            if pointer.target is not None:
                name = posixpath.basename(pointer.path)
                named[pointer.target] = (*named.get(pointer.target, ()), name)
        resume = run.resume.path if run.resume else None
        key = run_key(run)
        for checkpoint in run.checkpoints:
            path = checkpoint.path
            rest = (key, run.name or run.path, path == resume, named.get(path, ()))
            known = last.get(path)
            if known is None or known.checkpoint is not checkpoint or known[1:] != rest:
                known = RowValue(checkpoint, *rest)
            values[path] = known
    return values


def present(value: RowValue) -> Row:
    """The row of one checkpoint."""
    checkpoint = value.checkpoint
    facts = checkpoint.facts
    cells: dict[str, Line] = {
        "state": state_line(checkpoint),
        "step": _step(checkpoint, value.resume),
        "size": line(bytes_text(facts.size_bytes)),
        "roles": roles_cell(checkpoint),
        "shards": shards_cell(checkpoint),
        "took": took_cell(checkpoint),
        "note": note_of(checkpoint, value.resume, value.named_by),
        "committed": line(piece(utc_text(checkpoint.committed_at), Tone.DIM)),
        "ranks": line("–" if facts.world_size is None else str(facts.world_size)),
        "format": line(piece(facts.format, Tone.DIM)),
        "name": line(piece(facts.name, Tone.DIM)),
    }
    run_name = value.run_name.lower()
    shown = (text_of(cell).lower() for cell in cells.values())
    text = " ".join((run_name, *shown, *_english_words(checkpoint)))
    candidate = Candidate(checkpoint, run_name, text, checkpoint.moment or None)
    return Row(value, cells, candidate, raw_values(candidate))


def _english_words(checkpoint: Checkpoint) -> tuple[str, ...]:
    """What a filter finds beside the words on the screen, where these are of another language."""
    if language() == ENGLISH:
        return ()
    return (checkpoint.verdict.value, reason_of(checkpoint).lower())


def _step(checkpoint: Checkpoint, resume: bool) -> Line:
    tone = Tone.BOLD if resume else Tone.PLAIN
    if checkpoint.step is not None:
        return line(piece(str(checkpoint.step), tone))
    return line(piece(checkpoint.title, tone))


def roles_cell(checkpoint: Checkpoint) -> Line:
    """A letter for each required role: upper case whole, lower case for some ranks, `·` none."""
    pieces = []
    for role in REQUIRED_ROLES:
        facts = checkpoint.facts.role(role)
        if facts is None:
            pieces.append(piece("·", Tone.DIM))
        elif facts.missing_ranks:
            pieces.append(piece(ROLE_LETTERS[role].lower(), Tone.WARN))
        else:
            pieces.append(piece(ROLE_LETTERS[role]))
    if checkpoint.facts.role(DATALOADER) is not None:
        pieces.append(piece("D"))
    return tuple(pieces)


def shards_cell(checkpoint: Checkpoint) -> Line:
    """Whole shards of those that there should be."""
    present_shards = checkpoint.present_shards
    if present_shards is None:
        return line(piece("–", Tone.DIM))
    expected = len(checkpoint.facts.expected_ranks or ())
    tone = Tone.PLAIN
    if present_shards < expected:
        tone = Tone.BUSY if checkpoint.verdict is Verdict.SAVING else Tone.BAD
    return line(piece(f"{present_shards}/{expected}", tone))


def took_cell(checkpoint: Checkpoint) -> Line:
    """Time of the save; `≥` where the times show only a lower bound."""
    text = took_text(checkpoint, "≥")
    return line(text) if text else line(piece("–", Tone.DIM))


def age_cell(row: Row, now: float) -> Line:
    """The age at this moment."""
    if row.value.checkpoint.verdict is Verdict.SAVING:
        return line(piece(say("now"), Tone.BUSY))
    if row.moment is None:
        return line(piece("–", Tone.DIM))
    return line(said_age(now - row.moment))


def heading_of(run: Run) -> Line:
    """The heading above a run's rows, where there are several runs."""
    resume = run.resume
    if resume is not None:
        origin = say("resume from {title} ", title=resume.title)
        answer = line(origin, *verdict_line(resume.verdict))
    elif run.level is Level.EMPTY and run.checkpoints:
        answer = line(piece(say("exports only"), Tone.DIM))
    elif run.checkpoints:
        answer = line(piece(say("nothing to resume from"), Tone.BAD))
    else:
        answer = line(piece(say("no checkpoint yet"), Tone.DIM))
    count = say_count(len(run.checkpoints), "{count} checkpoint", "{count} checkpoints")
    return joined(
        (
            line(piece(run.name or run.path, Tone.ACCENT)),
            line(piece(run.format, Tone.DIM)),
            answer,
            line(piece(count, Tone.DIM)),
        )
    )
