"""What an operator should do with one checkpoint, as a headline and a few steps."""

from __future__ import annotations

import posixpath
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.text import words
from ckpt_tui.core.vocabulary import Effect, Severity, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.checkpoint import Checkpoint

MOST_STEPS = 3

_DO_NOT = "DO NOT RESUME from this"
_HEADLINES = {
    Verdict.UNKNOWN: "CANNOT SAY whether this can be resumed: it could not be read",
    Verdict.SAVING: "WAIT: this is still being written",
    Verdict.UNCOMMITTED: f"{_DO_NOT}: its save never finished",
    Verdict.CORRUPT: f"{_DO_NOT}: its bytes are damaged or cut off",
    Verdict.INCOMPLETE: f"{_DO_NOT}: a part that a restart needs is not there",
    Verdict.WEIGHTS_ONLY: f"{_DO_NOT}: weights only, without optimizer state",
}


def headline(checkpoint: Checkpoint) -> str:
    """The answer in one line: resume, do not, wait, or not known."""
    if checkpoint.resumable:
        return _good_news(checkpoint)
    other_size = next((f for f in checkpoint.findings if f.code == "world-size-mismatch"), None)
    if other_size is not None:
        return f"{_DO_NOT} at that world size: {other_size.message}"
    return _HEADLINES[checkpoint.verdict]


def steps(checkpoint: Checkpoint) -> tuple[str, ...]:
    """What to do, first things first; at most `MOST_STEPS` and the way to the other checkpoints."""
    if checkpoint.resumable:
        flag = checkpoint.facts.loader.flag
        load = (f"Load it by name: {flag}",) if flag else ("Give the job this path.",)
        return (*load, *_remedies(checkpoint))[:MOST_STEPS]
    remedies = tuple(_remedies(checkpoint))[:MOST_STEPS]
    if checkpoint.verdict is Verdict.SAVING:
        return remedies or ("Ask again when nothing grows any more.",)
    run = shlex.quote(posixpath.dirname(checkpoint.path))
    return (*remedies, f"Find the newest that can be resumed: ckpt-tui latest {run}")


def _good_news(checkpoint: Checkpoint) -> str:
    where = f"at {checkpoint.title}" if checkpoint.step is not None else f"({checkpoint.title})"
    if checkpoint.verdict is Verdict.EXACT:
        return f"YES, RESUME from this: training goes on {where}, every required role is there"
    partial = [role.role for role in checkpoint.facts.roles if role.missing_ranks]
    lacks = tuple(dict.fromkeys((*checkpoint.missing_roles, *partial)))
    without = f", without {words(lacks)}" if lacks else ""
    return f"YES, RESUME from this: training goes on {where}{without}"


def _remedies(checkpoint: Checkpoint) -> Iterator[str]:
    """Remedies of the findings that matter, each once: how to finish it comes first.

    What is short or missing in a save that never finished needs no remedy of its own.
    """
    finish = [f for f in checkpoint.findings if f.code == "finishable"]
    if checkpoint.verdict is Verdict.UNCOMMITTED:
        matter = [f for f in checkpoint.findings if f.code == "not-committed"]
    else:
        matter = [f for f in checkpoint.findings if f.effect is not Effect.NONE]
        matter += [f for f in checkpoint.findings if f.severity is not Severity.INFO]
    told: list[str] = []
    for finding in (*finish, *matter):
        core = finding.remedy.rstrip(".")
        if core and not any(text.startswith(core) for text in told):
            told.append(finding.remedy)
            yield finding.remedy
