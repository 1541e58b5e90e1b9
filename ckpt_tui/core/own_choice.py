"""What the framework would load if it were told nothing, compared with the resume point."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import OwnChoice
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import PointerState, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Pointer

_LAST_NUMBER = re.compile(r"(\d{1,18})(?!.*\d)")


class Takes(StrEnum):
    """What a job does that is told nothing."""

    RESUME_POINT = "resume-point"
    OTHER = "other"
    NOTHING = "nothing"
    BROKEN_POINTER = "broken-pointer"
    UNTOLD = "untold"


class OwnWay(NamedTuple):
    """What a job does by itself when it is started again.

    Attributes:
        takes: NOTHING is a start from step 0; UNTOLD where the framework has to be given a path,
            or what it would take is not known.
        checkpoint: What it takes, where that is another than the resume point.
        pointer: The pointer that it follows, where it follows one.
    """

    takes: Takes
    checkpoint: Checkpoint | None = None
    pointer: Pointer | None = None


def own_way(
    checkpoints: Sequence[Checkpoint], pointers: Sequence[Pointer], resume: Checkpoint | None
) -> OwnWay:
    """What the framework does by its own rule, compared with the resume point."""
    final = _final(checkpoints)
    own = _own(final)
    choice = _choice(own)
    pointer = next((each for each in pointers if each.default), None)
    if choice is not OwnChoice.POINTER:
        picked = _picked(own, choice)
        starts_anew = choice is OwnChoice.HIGHEST_COMMITTED and bool(own) and resume is None
        nothing = Takes.NOTHING if starts_anew else Takes.UNTOLD
        return _compared(picked, resume) if picked is not None else OwnWay(nothing)
    if pointer is None:
        return OwnWay(Takes.NOTHING)
    followed = next((c for c in final if c.path == pointer.target), None)
    if followed is None:
        return OwnWay(Takes.BROKEN_POINTER, pointer=pointer)
    return _compared(followed, resume)._replace(pointer=pointer)


def _compared(picked: Checkpoint, resume: Checkpoint | None) -> OwnWay:
    if resume is not None and _is_as_good(picked, resume):
        return OwnWay(Takes.RESUME_POINT)
    if picked.verdict is Verdict.SAVING:
        return OwnWay(Takes.UNTOLD)
    return OwnWay(Takes.OTHER, picked)


def own_choice_findings(
    checkpoints: Sequence[Checkpoint], pointers: Sequence[Pointer], resume: Checkpoint | None
) -> tuple[Finding, ...]:
    """A finding where the framework's own choice would not be the resume point.

    A broken pointer has findings of its own; here it counts only where there is none at all.
    """
    way = own_way(checkpoints, pointers, resume)
    if resume is None:
        broken = way.checkpoint
        if broken is not None and _is_fixed(broken) and broken.verdict is not Verdict.UNKNOWN:
            return (_trap(broken, None),)
        final = _final(checkpoints)
        return _nothing_to_take(final, pointers, _choice(_own(final)))
    if way.takes is Takes.NOTHING:
        return (_starts_from_zero(resume),)
    told_elsewhere = way.pointer is not None and way.pointer.state is not PointerState.OK
    if way.checkpoint is None or told_elsewhere:
        return ()
    return (_trap(way.checkpoint, resume),)


def _final(checkpoints: Sequence[Checkpoint]) -> list[Checkpoint]:
    return [c for c in checkpoints if not c.facts.export and not c.facts.staging]


def _own(final: Sequence[Checkpoint]) -> Sequence[Checkpoint]:
    """Without copies under another name, where there are others."""
    return [c for c in final if not c.facts.alias] or final


def _choice(own: Sequence[Checkpoint]) -> OwnChoice:
    """The framework's rule, where all agree; what was cut may not show whose it is."""
    if any(map(_is_fixed, own)):
        return OwnChoice.FIXED_NAME
    told = [c for c in own if c.facts.commit.met is not False] or own
    choices = {c.facts.loader.own_choice for c in told}
    if OwnChoice.HIGHEST_NAME in choices:
        choices.discard(OwnChoice.NONE)  # those whose name the framework does not look at
    return choices.pop() if len(choices) == 1 else OwnChoice.NONE


def _picked(own: Sequence[Checkpoint], choice: OwnChoice) -> Checkpoint | None:
    """What the framework takes by the names alone; None where it is not known."""
    if choice is OwnChoice.HIGHEST_NAME:
        seen = [c for c in own if c.facts.loader.own_choice is choice]
        return max(seen, key=_number, default=None)
    if choice is OwnChoice.HIGHEST_COMMITTED:
        committed = [c for c in own if c.facts.commit.met is not False]
        return max(committed, key=_number, default=None)
    fixed = [c for c in own if _is_fixed(c)]
    return fixed[0] if len(fixed) == 1 else None


def _is_fixed(checkpoint: Checkpoint) -> bool:
    return checkpoint.facts.loader.own_choice is OwnChoice.FIXED_NAME


def _is_as_good(picked: Checkpoint, resume: Checkpoint) -> bool:
    """Itself, or another of the same step that can be resumed from."""
    known = 1 if resume.step is not None else 2
    same = picked.resumable and picked.order[:known] == resume.order[:known]
    return picked.path == resume.path or same


def _trap(picked: Checkpoint, resume: Checkpoint | None) -> Finding:
    name = os.path.basename(picked.path)
    if resume is None:
        remedy = f"Move {name} away before the job is started: it is taken as long as it is there."
    elif _is_fixed(picked):
        remedy = (
            f"Move {name} away, which is taken whatever else is loaded, and name the resume point"
            f" yourself: {how_to_load(resume)}"
        )
    else:
        remedy = f"Name the resume point yourself: {how_to_load(resume)}"
    return Finding(
        "auto-resume-trap",
        Severity.WARNING,
        picked.path,
        f"told to find the latest by itself, the framework takes {name} ({picked.verdict})",
        remedy,
    )


def how_to_load(resume: Checkpoint) -> str:
    """What to pass to the framework so that it takes just this one."""
    return resume.facts.loader.flag or resume.path


def _starts_from_zero(resume: Checkpoint) -> Finding:
    return Finding(
        "starts-from-zero",
        Severity.WARNING,
        os.path.dirname(resume.path),
        "no pointer names a checkpoint: a job that is told nothing starts from step 0 silently",
        f"Name the resume point yourself: {how_to_load(resume)}",
    )


def _nothing_to_take(
    own: Sequence[Checkpoint], pointers: Sequence[Pointer], choice: OwnChoice
) -> tuple[Finding, ...]:
    """Nothing can be resumed from: does the framework say so, or begin at step 0 in silence?"""
    if not own or any(c.verdict in (Verdict.SAVING, Verdict.UNKNOWN) for c in own):
        return ()
    unnamed = choice is OwnChoice.POINTER and not any(pointer.default for pointer in pointers)
    skipped = [c for c in own if c.verdict is Verdict.UNCOMMITTED and _is_skipped(c, choice)]
    if not unnamed and len(skipped) < len(own):
        return ()
    newest = max(own, key=lambda c: c.order)
    reason = "no pointer names one" if unnamed else "what is not committed is passed over"
    return (
        Finding(
            "starts-from-zero",
            Severity.ERROR,
            os.path.dirname(newest.path),
            f"there is no good checkpoint, and {reason}: each restart begins at step 0 silently",
            _before_a_restart(own),
        ),
    )


def _is_skipped(checkpoint: Checkpoint, choice: OwnChoice) -> bool:
    return checkpoint.facts.commit.skipped or choice is OwnChoice.HIGHEST_COMMITTED


def _before_a_restart(own: Sequence[Checkpoint]) -> str:
    whole = [c for c in own if any(f.code == "finishable" for f in c.findings)]
    if not whole:
        return "Do not start the job unless it is meant to begin anew."
    best = max(whole, key=lambda c: c.order)
    name = os.path.basename(best.path)
    return f"{name} is whole: once no job writes it, {best.facts.commit.finish}"


def _number(checkpoint: Checkpoint) -> int:
    found = _LAST_NUMBER.search(checkpoint.facts.name)
    return int(found.group(1)) if found else -1
