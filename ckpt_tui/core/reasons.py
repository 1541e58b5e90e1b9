"""Why a checkpoint is no better, in a few words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import first_with_effect
from ckpt_tui.core.text import duration_text, ranks_text, words
from ckpt_tui.core.vocabulary import Effect, Verdict

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

FAULTY = frozenset(
    {Verdict.UNKNOWN, Verdict.UNCOMMITTED, Verdict.CORRUPT, Verdict.INCOMPLETE},
)

_EFFECTS = {
    Verdict.UNKNOWN: Effect.UNKNOWN,
    Verdict.CORRUPT: Effect.CORRUPT,
    Verdict.INCOMPLETE: Effect.INCOMPLETE,
}


def reason_of(checkpoint: Checkpoint) -> str:
    """Why it is not exact, in a few words; "" where it is."""
    verdict = checkpoint.verdict
    if verdict is Verdict.SAVING:
        return _saving_reason(checkpoint)
    if verdict is Verdict.UNCOMMITTED:
        missing = checkpoint.facts.commit.missing
        return f"never finished: {missing} is missing" if missing else "never finished"
    if verdict is Verdict.INEXACT:
        return f"no {words(_absent(checkpoint), 'or')}" if _absent(checkpoint) else ""
    if verdict is Verdict.WEIGHTS_ONLY:
        return "no optimizer"
    finding = first_with_effect(checkpoint.findings, _EFFECTS.get(verdict, Effect.NONE))
    if verdict in _EFFECTS:
        return finding.message if finding else checkpoint.why.split("; rule: ")[0]
    if not checkpoint.resumable and checkpoint.findings:
        return checkpoint.findings[0].message
    return ""


def _absent(checkpoint: Checkpoint) -> list[str]:
    parts = [
        f"{role.role} of {ranks_text(role.missing_ranks)}"
        for role in checkpoint.facts.roles
        if role.missing_ranks
    ]
    return [*checkpoint.missing_roles, *parts]


def _saving_reason(checkpoint: Checkpoint) -> str:
    progress = checkpoint.progress
    if progress is None:
        return ""
    if progress.silent_ranks:
        return f"{ranks_text(progress.silent_ranks)} silent"
    if progress.left_seconds is not None:
        return f"{duration_text(progress.left_seconds)} left"
    return ""


CHANGES_AFTER_COMMIT = "what was committed changes: damaged, or saved over"
"""Said where nothing else is there to go on from."""


def changes_after_commit(run: Run) -> bool:
    """Whether something that carries its commit mark counts as being saved."""
    return any(c.verdict is Verdict.SAVING and c.facts.commit.met is True for c in run.attempts)
