"""Findings that the verdict rules add to those of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.core.text import ranks_text, words
from ckpt_tui.core.vocabulary import DATALOADER, PROGRESS, Effect, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ckpt_tui.core.facts import CheckpointFacts, RoleFacts
    from ckpt_tui.core.siblings import Siblings

_WITHOUT = {
    "scheduler": "the learning rate schedule starts anew",
    "rng": "random numbers differ, so the run is not reproduced",
    "dataloader": "data may repeat or be skipped",
    "optimizer": "the optimizer would start from nothing",
    "model": "there is nothing to load",
    "progress": "the step cannot be restored",
}


def missing_role(role: str, *, fatal: bool, loads: bool = False) -> Finding:
    """A required role is absent.

    Args:
        role: Which.
        fatal: Whether training cannot go on without it.
        loads: Whether the framework's loader does not need it: only a restart does.
    """
    effect = _WITHOUT.get(role, "it was asked for")
    if loads and role == PROGRESS:
        effect = "nothing in it says the step, though the rest may load"
    remedy = "Resume from a checkpoint that has it."
    if not fatal:
        remedy = f"Save the {role} state too, if an exact continuation matters."
    elif loads:
        remedy = (
            f"Resume from a checkpoint that has it, and save the {role} too; a job that does not"
            " need it leaves it out of `require` (configuration) or `--require`."
        )
    severity = Severity.ERROR if fatal else Severity.INFO
    return Finding("missing-role", severity, "", f"no {role}: {effect}", remedy)


def partial_role(role: RoleFacts, fatal: bool) -> Finding:
    """A role is absent for some ranks; fatal where the loader cannot go on without them.

    A data loader whose state some ranks lost repeats data without a word: that is a warning.
    """
    tolerated = Severity.WARNING if role.role == DATALOADER else Severity.INFO
    return Finding(
        "missing-role",
        Severity.ERROR if fatal else tolerated,
        role.paths[0] if role.paths else "",
        f"{role.role} is not there for {ranks_text(role.missing_ranks)}",
        "Resume from a checkpoint that has it for every rank."
        if fatal
        else f"Save the {role.role} state of every rank, if an exact continuation matters.",
    )


def weights_only() -> Finding:
    """Whole, but without optimizer state."""
    return Finding(
        "weights-only",
        Severity.WARNING,
        "",
        "weights only: no optimizer state, so it loads a model but does not continue the run",
        "Use it to start anew or to export; resume from a checkpoint with optimizer state.",
    )


def not_like_siblings(facts: CheckpointFacts, siblings: Siblings, lost: Iterable[str]) -> Finding:
    """Roles that every other checkpoint of the run has are absent here."""
    names = {plain_name(file.path) for file in facts.files}
    cut_removal = siblings.oldest and bool(siblings.housekeeping - names)
    what = f"no {words(sorted(lost))}, which the run's other checkpoints have"
    if cut_removal:
        return Finding(
            "partly-deleted",
            Severity.WARNING,
            "",
            f"{what}; the oldest, and files besides are gone: a removal was cut half-way",
            "Safe to delete; resume from a younger checkpoint.",
            Effect.INCOMPLETE,
        )
    return Finding(
        "missing-role",
        Severity.ERROR,
        "",
        what,
        "Resume from another checkpoint, or bring the missing files back.",
        Effect.INCOMPLETE,
    )


def perhaps_removed() -> Finding:
    """The oldest of the run is not whole, while younger ones are."""
    return Finding(
        "partly-deleted",
        Severity.INFO,
        "",
        "older than every whole checkpoint of the run: a removal that was cut leaves this, too",
        "Safe to delete once no job writes it.",
    )


def lacks_file(names: Sequence[str]) -> Finding:
    """Files that the loader opens in every other checkpoint of the run are absent here."""
    lacks = f"{names[0]} is missing" if len(names) == 1 else f"{words(names)} are missing"
    return Finding(
        "missing-shard",
        Severity.ERROR,
        names[0],
        f"{lacks}: the run's other checkpoints have it, and the loader stops without",
        "Resume from another checkpoint, or bring the missing files back.",
        Effect.INCOMPLETE,
    )


def not_committed(facts: CheckpointFacts, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The commit rule is not met; says how to finish by hand where the content is whole."""
    whole = all(finding.effect is Effect.NONE for finding in findings)
    finishable = bool(facts.commit.finish) and whole
    removable = "" if finishable else "; this one can be removed once no job writes it"
    made = [
        Finding(
            "not-committed",
            Severity.WARNING,
            "",
            f"the save never finished: {facts.commit.missing or 'its end mark'} is missing"
            f" ({facts.commit.rule})",
            f"Resume from an older checkpoint{removable}.",
        )
    ]
    if finishable:
        made.append(
            Finding(
                "finishable",
                Severity.WARNING,
                "",
                "its content is whole; only the commit is missing",
                f"To complete it by hand, once no job writes it: {facts.commit.finish}",
            )
        )
    return tuple(made)
