"""Under the resume point: how to pass it, and what a job takes that is told nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.nearest import nearest_to_whole
from ckpt_tui.core.order import younger_job_of
from ckpt_tui.core.own_choice import OwnWay, Takes, own_way
from ckpt_tui.core.per_object import per_object
from ckpt_tui.core.text import ranks_text
from ckpt_tui.core.world_size import size_mismatch
from ckpt_tui.tui.answers.blocks import label
from ckpt_tui.tui.lines import BLANK, Line, Tone, first_fit, line, piece, short_path
from ckpt_tui.tui.rows.notes import verdict_line
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.view import View

_END = piece(" ")
_SHORT_PATHS = (1000, 40, 24, 12)
"""Cells for a path in the flag, while the line does not fit."""


def by_itself_line(view: View, width: int) -> Line:
    """The flag of the resume point, and the way that the framework would go without it."""
    run = view.run
    if run is None or view.snapshot.reading is not None or not run.attempts:
        return BLANK
    way = _way_of(run)
    if run.resume is None:
        return _without(run, way, width)
    told = _told(way)
    converted = size_mismatch(run.resume) is not None
    flag = "" if converted else run.resume.facts.loader.flag
    if not flag:
        silent = way.takes in (Takes.RESUME_POINT, Takes.UNTOLD)
        return BLANK if silent else first_fit([(BLANK, text) for text in told], width)
    # Of two jobs in one directory it is the older whose flag this is.
    head = label(say("WITH" if younger_job_of(run) is None else "OLDER: WITH"), Tone.BOLD, width)
    flags = [line(*head, piece(_shortened(flag, run.resume, room))) for room in _SHORT_PATHS]
    levels = [(each, text) for text in told for each in flags]
    if way.takes in (Takes.RESUME_POINT, Takes.UNTOLD):
        levels = [(each, text) for each in flags for text in told]
    return first_fit([*levels, (flags[-1], BLANK)], width)


@per_object
def _way_of(run: Run) -> OwnWay:
    return own_way(run.checkpoints, run.pointers, run.resume)


def _without(run: Run, way: OwnWay, width: int) -> Line:
    """Where nothing can be resumed from: what could be mended, and what a job does all the same."""
    nearest = nearest_to_whole(run)
    if nearest is not None:
        title, count = nearest.checkpoint.title, len(nearest.missing_ranks)
        text = say(
            "{title} lacks at least {ranks}: look for its files elsewhere",
            title=title,
            ranks=say_sentence(ranks_text(nearest.missing_ranks)),
        )
        short = say("{title} lacks {count} of its ranks", title=title, count=count)
        head = label(say("NEAREST"), Tone.BOLD, width)
        left, short_left = line(*head, piece(text)), line(*head, piece(short))
    elif way.checkpoint is not None:
        left = short_left = label("", Tone.PLAIN, width)
    else:
        return BLANK
    texts = (BLANK,) if way.takes is Takes.UNTOLD else _told(way)
    pairs = [(each, text) for each in (left, short_left) for text in texts]
    return first_fit([*pairs, (short_left, BLANK)], width)


def _told(way: OwnWay) -> tuple[Line, ...]:
    """What a job does that is told nothing, the longest first."""
    match way.takes:
        case Takes.RESUME_POINT:
            texts = (say("asked for the latest, a job takes it, too"), say("the latest, too"))
            return tuple(line(piece(f"{text} ", Tone.DIM)) for text in (*texts, ""))
        case Takes.OTHER if way.checkpoint is not None:
            title, state = way.checkpoint.title, verdict_line(way.checkpoint.verdict)
            return (
                (
                    *_warned(say("asked for the latest, a job takes {title}", title=title)),
                    *state,
                    _END,
                ),
                (*_warned(say("asked for the latest: {title}", title=title)), *state, _END),
                _warned(say("latest: {title}", title=title)),
            )
        case Takes.NOTHING:
            long, short = (
                say("asked for the latest, a job starts from step 0"),
                say("latest: step 0"),
            )
            return _warned(long), _warned(short)
        case Takes.BROKEN_POINTER if way.pointer is not None:
            name = os.path.basename(way.pointer.path)
            long = say(
                "asked for the latest, a job follows {name} and fails or starts anew", name=name
            )
            short = say("latest: broken {name}", name=name)
            return _warned(long), _warned(short), _warned(say("latest: a broken pointer"))
        case _:
            text = say("what a job takes as the latest is not known")
            return (line(piece(f"{text} ", Tone.DIM)), BLANK)


def _warned(text: str) -> Line:
    return line(piece(f"⚠ {text} ", Tone.WARN))


def _shortened(flag: str, resume: Checkpoint, cells: int) -> str:
    """The flag with a shorter path in it; the keys that copy give the whole."""
    paths = (resume.path, os.path.dirname(resume.path))
    held = next((path for path in paths if path in flag), "")
    return flag.replace(held, short_path(held, cells)) if held else flag
