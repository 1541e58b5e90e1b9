"""What an operator should do with one checkpoint: a headline, and steps with their commands."""

from __future__ import annotations

import posixpath
import shlex
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import plural, ranks_text, words
from ckpt_tui.core.verified_findings import not_finite_text
from ckpt_tui.core.vocabulary import Effect, Severity, Verdict
from ckpt_tui.core.world_size import mismatch_text, size_mismatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.findings import Finding

MOST_REMEDIES = 3

_DO_NOT = "DO NOT RESUME from this"
_HEADLINES = {
    Verdict.UNKNOWN: "CANNOT SAY whether this can be resumed: it could not be read",
    Verdict.SAVING: "WAIT: this is still being written",
    Verdict.UNCOMMITTED: f"{_DO_NOT}: its save never finished",
    Verdict.INCOMPLETE: f"{_DO_NOT}: a part that a restart needs is not there",
    Verdict.WEIGHTS_ONLY: f"{_DO_NOT}: weights only, without optimizer state",
}
_FINISHABLE = "NOT YET: all data is there, but the save stopped before its commit. Do not delete it"


class Step(NamedTuple):
    """One thing to do.

    Attributes:
        text: What, as a sentence.
        command: What to type or to pass, in one piece; "" where there is nothing to copy.
    """

    text: str
    command: str = ""


def headline(checkpoint: Checkpoint) -> str:
    """The answer in one line: resume, do not, wait, or not known."""
    if checkpoint.resumable:
        return _good_news(checkpoint)
    if checkpoint.is_of_other_size:
        return f"DO NOT RESUME at that world size: {mismatch_text(checkpoint)}"
    if _finish(checkpoint):
        return _FINISHABLE
    if checkpoint.verdict is Verdict.CORRUPT:
        return f"{_DO_NOT}: {_damage(checkpoint)}"
    return _HEADLINES[checkpoint.verdict]


def steps(checkpoint: Checkpoint, world_size: int | None = None) -> tuple[Step, ...]:
    """What to do, first things first.

    Args:
        checkpoint: The checkpoint.
        world_size: Of the job that was asked for; it goes into the commands.
    """
    if checkpoint.resumable:
        conversion = size_mismatch(checkpoint)
        convert = (Step(conversion.remedy),) if conversion is not None else ()
        others = (step for step in _remedies(checkpoint) if step not in convert)
        return (*convert, _load(checkpoint), *others)
    older = _older(checkpoint, world_size)
    if _finish(checkpoint):
        finish = "To keep this one, make sure that no job writes it, then type, and check it again:"
        safe = older._replace(text="The safe way is an older one, the newest that can be resumed:")
        return (safe, Step(finish, _command(checkpoint)))
    remedies = tuple(_remedies(checkpoint))
    if checkpoint.is_of_other_size:
        return (*remedies, _load(checkpoint), older)
    if checkpoint.verdict is Verdict.SAVING:
        return remedies or (Step("Ask again when nothing grows any more."),)
    return (*remedies, older)


def _good_news(checkpoint: Checkpoint) -> str:
    if size_mismatch(checkpoint) is not None:
        return f"NOT AS IT IS at that world size: {mismatch_text(checkpoint)}"
    verified = checkpoint.facts.verified
    if verified is not None and verified.not_finite:
        return f"YES, it loads, but it holds NaN or infinity ({not_finite_text(verified)})"
    if checkpoint.step is None:
        return f"YES, RESUME from this: training goes on ({checkpoint.title}){_but(checkpoint)}"
    return f"YES, RESUME from this: training goes on at {checkpoint.title}{_but(checkpoint)}"


def _but(checkpoint: Checkpoint) -> str:
    """What is not as it was, or that all is."""
    if checkpoint.verdict is Verdict.EXACT:
        return ", every required role is there"
    roles = checkpoint.facts.roles
    partial = [f"{r.role} of {ranks_text(r.missing_ranks)}" for r in roles if r.missing_ranks]
    lacks = (*checkpoint.missing_roles, *partial)
    if lacks:
        return f", but not bit for bit the same (no {words(lacks)})"
    return ", but not bit for bit the same"


def _damage(checkpoint: Checkpoint) -> str:
    """Which files are bad, and how that came about where it shows."""
    damage = [f for f in checkpoint.findings if f.effect is Effect.CORRUPT]
    bad = tuple(dict.fromkeys(f.path for f in damage if f.path))
    if bad and all(f.code == "checksum-mismatch" for f in damage):
        return f"bytes of {bad[0]} are not those that were written"
    cut = _cut_off(bad)
    if checkpoint.facts.commit.rewritten:
        return f"a later save began to overwrite it and died ({cut})"
    return f"{cut} or damaged"


def _cut_off(paths: tuple[str, ...]) -> str:
    if not paths:
        return "its bytes are cut off"
    if len(paths) == 1:
        return f"{paths[0]} is cut off"
    return f"{paths[0]} and {plural(len(paths) - 1, 'file')} more are cut off"


def _load(checkpoint: Checkpoint) -> Step:
    facts = checkpoint.facts
    flag = facts.loader.flag
    fixed = facts.reshard is not None and facts.reshard.possible is False and facts.world_size
    ranks = f"Restart with exactly {plural(facts.world_size or 0, 'rank')}. " if fixed else ""
    if not flag or flag == facts.path:
        return Step(f"{ranks}Give the job this path, by its own option for resuming:", facts.path)
    if "(" in flag:
        return Step(f"{ranks}In the job's script:", flag)
    return Step(f"{ranks}Add to the command that starts the job:", flag)


def _older(checkpoint: Checkpoint, world_size: int | None) -> Step:
    run = shlex.quote(posixpath.dirname(checkpoint.path))
    size = f" --world-size {world_size}" if world_size is not None else ""
    return Step("Find the newest that can be resumed:", f"ckpt-tui latest {run}{size}")


def _finish(checkpoint: Checkpoint) -> bool:
    return bool(_with_code(checkpoint, "finishable"))


def _command(checkpoint: Checkpoint) -> str:
    """The command that completes the save; a reader's own finding has it in its remedy."""
    own = _with_code(checkpoint, "finishable")[0].remedy
    return checkpoint.facts.commit.finish or own.partition(": ")[2] or own


def _with_code(checkpoint: Checkpoint, code: str) -> list[Finding]:
    return [finding for finding in checkpoint.findings if finding.code == code]


def _remedies(checkpoint: Checkpoint) -> Iterator[Step]:
    """Remedies of the findings that matter, each once.

    What is short or missing in a save that never finished needs no remedy of its own.
    """
    if checkpoint.verdict is Verdict.UNCOMMITTED:
        matter = _with_code(checkpoint, "not-committed")
    else:
        matter = [f for f in checkpoint.findings if f.effect is not Effect.NONE]
        matter += [f for f in checkpoint.findings if f.severity is not Severity.INFO]
    told: list[str] = []
    for finding in matter:
        core = finding.remedy.rstrip(".")
        if core and not any(text.startswith(core) for text in told):
            told.append(finding.remedy)
    yield from map(Step, told[:MOST_REMEDIES])
