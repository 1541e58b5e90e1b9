"""The answer that matters most: what a restart should load, and what a fault costs now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.fault_cost import fault_cost
from ckpt_tui.core.order import younger_job_of
from ckpt_tui.core.reasons import CHANGES_AFTER_COMMIT, changes_after_commit
from ckpt_tui.core.text import duration_text
from ckpt_tui.core.verified_findings import is_finite, newest_finite
from ckpt_tui.core.vocabulary import Level, Verdict
from ckpt_tui.core.world_size import size_mismatch
from ckpt_tui.tui.answers.blocks import filled, label
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, line, piece
from ckpt_tui.tui.rows.notes import ago_text, minutes_text, verdict_line
from ckpt_tui.words import say, say_count, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.view import View

_CENTURY_MINUTES = 36_525 * 1440


def resume_line(view: View, width: int) -> Line:
    """The resume point with its age, or loudly that there is none."""
    if view.snapshot.error:
        head = label(say("CANNOT READ"), Tone.BAD_BLOCK, width)
        error = piece(say_sentence(view.snapshot.error), Tone.BAD)
        return first_fit([((*head, error), BLANK)], width)
    if view.first_look:
        head = label(say("LOOKING"), Tone.BUSY_BLOCK, width)
        return first_fit([((*head, piece(say("the first look is under way"))), BLANK)], width)
    if view.run is None or not view.run.checkpoints:
        return _nothing_yet(view, width)
    if view.run.resume is None and view.snapshot.reading is not None:
        head = label(say("SO FAR"), Tone.BUSY_BLOCK, width)
        long = say("none of those that are read can be resumed from")
        short = say("none can be resumed from")
        return first_fit([((*head, piece(long)), BLANK), ((*head, piece(short)), BLANK)], width)
    if view.run.resume is None:
        return _nothing_to_resume(view.run, width)
    younger = younger_job_of(view.run)
    if younger is not None and view.snapshot.reading is None:
        return _which_job(view, view.run.resume, younger, width)
    return _resume_from(view, view.run, view.run.resume, width)


def _which_job(view: View, older: Checkpoint, younger: Checkpoint, width: int) -> Line:
    """Two jobs share the directory: nobody but their owner knows which is meant."""
    head = label(say("WHICH JOB?"), Tone.WARN_BLOCK, width)
    first, second = _named(view, older), _named(view, younger)
    joint, short_joint = piece(f"   {say('or the younger:')} "), piece(f" {say('or')} ")
    bare = line(*head, piece(older.title), short_joint, piece(younger.title))
    levels = [(*head, *first, joint, *second), (*head, *first, short_joint, *second), bare]
    return first_fit([(each, BLANK) for each in levels], width)


def _named(view: View, checkpoint: Checkpoint) -> Line:
    title = piece(checkpoint.title, Tone.BOLD)
    if checkpoint.committed_at is None:
        return line(title, " ", *verdict_line(checkpoint.verdict))
    age = ago_text(max(0.0, view.now - checkpoint.committed_at))
    return line(title, " ", *verdict_line(checkpoint.verdict), f" {age}")


def _resume_from(view: View, run: Run, resume: Checkpoint, width: int) -> Line:
    head = _resume_label(view, run, width)
    name = (*head, piece(resume.title, Tone.BOLD), piece("   "), *verdict_line(resume.verdict))
    long_age, short_age = BLANK, BLANK
    if resume.committed_at is not None:
        age = max(0.0, view.now - resume.committed_at)
        long_age = line(f"   {say('committed {age} ago', age=duration_text(age))}")
        short_age = line(f"   {ago_text(age)}")
    costs = _costs(view, resume)
    longest, short = costs[0], costs[-1]
    ages = (long_age, short_age)
    doubt = _not_finite(run, resume)
    brief = line(piece(f"   ⚠ {say('not finite')}", Tone.WARN)) if doubt else BLANK
    doubtful = [((*name, *doubt, *age), cost) for age in ages for cost in (longest, short)]
    name = (*name, *brief)
    levels = [
        *(doubtful if doubt else ()),
        *(((*name, *age), cost) for cost in costs[:-1] for age in ages),
        ((*name, *short_age), short),
        ((*name, *short_age), BLANK),
        (name, BLANK),
    ]
    return first_fit(levels, width)


def _not_finite(run: Run, resume: Checkpoint) -> Line:
    """That the checkpoint holds NaN or infinity, and what to take instead."""
    if is_finite(resume.facts) is not False:
        return BLANK
    newest = newest_finite(run.checkpoints)
    told = say("NaN or infinity in it")
    if newest is not None:
        told = say("NaN or infinity in it, the newest without is {title}", title=newest.title)
    return line(piece(f"   ⚠ {told}", Tone.WARN))


def _resume_label(view: View, run: Run, width: int) -> Line:
    if view.snapshot.reading is not None:
        return label(say("SO FAR"), Tone.BUSY_BLOCK, width)
    if run.resume is not None and size_mismatch(run.resume) is not None:
        return label(say("CONVERT"), Tone.WARN_BLOCK, width)
    tone = Tone.OK_BLOCK if run.level is Level.OK else Tone.WARN_BLOCK
    return label(say("RESUME FROM" if width >= 50 else "RESUME"), tone, width)


def _costs(view: View, resume: Checkpoint) -> list[Line]:
    """What a fault costs now, from long to short; all but the shortest say what is assumed."""
    rate = view.fault_rate_per_hour or 0.0
    cost = fault_cost(resume, view.now, view.reload_minutes, view.down_minutes, rate)
    if cost.total_minutes is None or cost.rollback_minutes is None:
        return [BLANK, BLANK]
    assumed = view.reload_assumed and bool(cost.reload_minutes)
    total = piece(f"{'~' if assumed else ''}{_minutes(cost.total_minutes)}", Tone.BOLD)
    parts = [say("{time} rollback", time=_minutes(cost.rollback_minutes))]
    reload_time = _minutes(cost.reload_minutes)
    if assumed:
        parts.append(say("assumed {time} reload", time=reload_time))
    elif cost.reload_minutes:
        parts.append(say("{time} reload", time=reload_time))
    if cost.down_minutes:
        parts.append(say("{time} down", time=_minutes(cost.down_minutes)))
    summands = piece(f"  ({' + '.join(parts)}) ", Tone.DIM)
    longest = line(*filled(say("a fault now costs  {total}"), total=total), summands)
    middle = filled(say("a fault now costs {total}"), total=total)
    short = filled(say("fault now: {total}"), total=total)
    if not assumed:
        return [longest, line(*middle, " "), line(*short, " ")]
    note = piece(f" ({say('{time} assumed', time=reload_time)}) ", Tone.DIM)
    return [longest, line(*middle, note), line(*short, note), line(*short, " ")]


def _minutes(minutes: float) -> str:
    return minutes_text(minutes) if minutes < _CENTURY_MINUTES else say("> 100 years")


def _nothing_to_resume(run: Run, width: int) -> Line:
    if run.level is Level.EMPTY:
        head = label(say("ONLY EXPORTS"), Tone.WARN_BLOCK, width)
        text = piece(say("weights for use elsewhere: a start begins at step 0"))
        return first_fit([((*head, text), BLANK)], width)
    loud = _loud(say("NOTHING TO RESUME FROM: only a start from step 0 is left"))
    short = _loud(say("NOTHING TO RESUME FROM"))
    right = line(piece(f"{_why_nothing(run)} ", Tone.BAD))
    return first_fit([(loud, right), (loud, BLANK), (short, BLANK)], width)


def _loud(text: str) -> Line:
    return line(piece(f" {text} ", Tone.BAD_BLOCK))


def _why_nothing(run: Run) -> str:
    if changes_after_commit(run):
        return say_sentence(CHANGES_AFTER_COMMIT)
    if all(c.verdict is Verdict.SAVING for c in run.attempts):
        return say("the first save is under way")
    if all(c.verdict is Verdict.UNKNOWN for c in run.attempts):
        return say("none could be read")
    count = len(run.checkpoints)
    return say_count(count, "{count} checkpoint, none usable", "{count} checkpoints, none usable")


def _nothing_yet(view: View, width: int) -> Line:
    head = label(say("NOTHING YET"), Tone.WARN_BLOCK, width)
    where = view.run.path if view.run is not None else view.snapshot.root
    long = say("no checkpoint in {place}: a start begins at step 0", place=where)
    short = say("no checkpoint here: a start begins at step 0")
    levels = [((*head, piece(text)), BLANK) for text in (long, short)]
    return first_fit(levels, width)
