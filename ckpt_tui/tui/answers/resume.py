"""The answer that matters most: what a restart should load, and what a fault costs now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.fault_cost import fault_cost
from ckpt_tui.core.reasons import CHANGES_AFTER_COMMIT, changes_after_commit
from ckpt_tui.core.text import duration_text, plural
from ckpt_tui.core.vocabulary import Level, Verdict
from ckpt_tui.tui.answers.blocks import label
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, line, piece
from ckpt_tui.tui.rows.notes import ago_text, minutes_text, verdict_line

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.view import View

_CENTURY_MINUTES = 36_525 * 1440


def resume_line(view: View, width: int) -> Line:
    """The resume point with its age, or loudly that there is none."""
    if view.snapshot.error:
        head = label("CANNOT READ", Tone.BAD_BLOCK, width)
        return first_fit([((*head, piece(view.snapshot.error, Tone.BAD)), BLANK)], width)
    if view.first_look:
        head = label("LOOKING", Tone.BUSY_BLOCK, width)
        return first_fit([((*head, piece("the first look is under way")), BLANK)], width)
    if view.run is None or not view.run.checkpoints:
        return _nothing_yet(view, width)
    if view.run.resume is None and view.snapshot.reading is not None:
        head = label("SO FAR", Tone.BUSY_BLOCK, width)
        long, short = "none of those that are read can be resumed from", "none can be resumed from"
        return first_fit([((*head, piece(long)), BLANK), ((*head, piece(short)), BLANK)], width)
    if view.run.resume is None:
        return _nothing_to_resume(view.run, width)
    return _resume_from(view, view.run, view.run.resume, width)


def _resume_from(view: View, run: Run, resume: Checkpoint, width: int) -> Line:
    head = _resume_label(view, run, width)
    name = (*head, piece(resume.title, Tone.BOLD), piece("   "), *verdict_line(resume.verdict))
    long_age, short_age = BLANK, BLANK
    if resume.committed_at is not None:
        age = max(0.0, view.now - resume.committed_at)
        long_age = line(f"   committed {duration_text(age)} ago")
        short_age = line(f"   {ago_text(age)}")
    longest, middle, short = _costs(view, resume)
    levels = [
        ((*name, *long_age), longest),
        ((*name, *long_age), middle),
        ((*name, *short_age), middle),
        ((*name, *short_age), short),
        ((*name, *short_age), BLANK),
        (name, BLANK),
    ]
    return first_fit(levels, width)


def _resume_label(view: View, run: Run, width: int) -> Line:
    if view.snapshot.reading is not None:
        return label("SO FAR", Tone.BUSY_BLOCK, width)
    tone = Tone.OK_BLOCK if run.level is Level.OK else Tone.WARN_BLOCK
    return label("RESUME FROM" if width >= 50 else "RESUME", tone, width)


def _costs(view: View, resume: Checkpoint) -> tuple[Line, Line, Line]:
    """What a fault costs now, in three lengths."""
    rate = view.fault_rate_per_hour or 0.0
    cost = fault_cost(resume, view.now, view.reload_minutes, view.down_minutes, rate)
    if cost.total_minutes is None or cost.rollback_minutes is None:
        return BLANK, BLANK, BLANK
    total = piece(_minutes(cost.total_minutes), Tone.BOLD)
    parts = [
        f"{_minutes(minutes)} {word}"
        for minutes, word in (
            (cost.rollback_minutes, "rollback"),
            (cost.reload_minutes, "reload"),
            (cost.down_minutes, "down"),
        )
        if minutes or word == "rollback"
    ]
    return (
        line("a fault now costs  ", total, piece(f"  ({' + '.join(parts)}) ", Tone.DIM)),
        line("a fault now costs ", total, " "),
        line("fault now: ", total, " "),
    )


def _minutes(minutes: float) -> str:
    return minutes_text(minutes) if minutes < _CENTURY_MINUTES else "> 100 years"


def _nothing_to_resume(run: Run, width: int) -> Line:
    if run.level is Level.EMPTY:
        head = label("ONLY EXPORTS", Tone.WARN_BLOCK, width)
        text = piece("weights for use elsewhere: a start begins at step 0")
        return first_fit([((*head, text), BLANK)], width)
    loud = line(piece(" NOTHING TO RESUME FROM: a restart begins at step 0 ", Tone.BAD_BLOCK))
    short = line(piece(" NOTHING TO RESUME FROM ", Tone.BAD_BLOCK))
    count = f"{plural(len(run.checkpoints), 'checkpoint')}, none usable "
    if changes_after_commit(run):
        count = f"{CHANGES_AFTER_COMMIT} "
    elif all(c.verdict is Verdict.SAVING for c in run.attempts):
        count = "the first save is under way "
    elif all(c.verdict is Verdict.UNKNOWN for c in run.attempts):
        count = "none could be read "
    right = line(piece(count, Tone.BAD))
    return first_fit([(loud, right), (loud, BLANK), (short, BLANK)], width)


def _nothing_yet(view: View, width: int) -> Line:
    head = label("NOTHING YET", Tone.WARN_BLOCK, width)
    where = view.run.path if view.run is not None else view.snapshot.root
    long = (*head, piece(f"no checkpoint in {where}: a start begins at step 0"))
    short = (*head, piece("no checkpoint here: a start begins at step 0"))
    return first_fit([(long, BLANK), (short, BLANK)], width)
