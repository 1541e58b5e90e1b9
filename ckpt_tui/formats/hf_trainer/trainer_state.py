"""`trainer_state.json` of the Hugging Face Trainer: the step, and what it says of the run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import NeighbourFacts, RoleFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import PROGRESS, Effect, Severity
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.json_files import read_json_object
from ckpt_tui.formats.shared.problems import finding_of_error, unopened
from ckpt_tui.fs.paths import is_there

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles

TRAINER_STATE = "trainer_state.json"


class TrainerState(NamedTuple):
    """What the file says.

    Attributes:
        there: The file exists under its name, whole or not.
        whole: It could be read.
        step: `global_step`.
        epoch: `epoch`, with a fraction.
        role: Progress, where the file holds a step.
        neighbours: The best checkpoint, which is looked for beside this one.
    """

    there: bool
    whole: bool
    step: int | None = None
    role: RoleFacts | None = None
    epoch: float | None = None
    findings: tuple[Finding, ...] = ()
    neighbours: tuple[NeighbourFacts, ...] = ()


def read_trainer_state(files: CheckpointFiles) -> TrainerState:
    """Reads the file that the Trainer writes last."""
    entry = files.tree.get(TRAINER_STATE)
    if entry is None:
        return TrainerState(False, False)
    if entry.kind is not Kind.FILE:
        found = unopened(entry, "the Trainer takes the step from it")
        return TrainerState(True, False, findings=(found,))
    try:
        document = read_json_object(files, TRAINER_STATE)
    except ArtifactError as error:
        found = finding_of_error(error, TRAINER_STATE, role=PROGRESS)
        return TrainerState(True, False, findings=(found,))
    found_step = document.get("global_step")
    # The loader counts on with it: a float, even a whole one, raises.
    step = whole_number(found_step) if isinstance(found_step, int) else None
    best = document.get("best_model_checkpoint")
    neighbours = _best_beside(files.path, best)
    findings = _best_model(files.path, best, any(found.there for found in neighbours))
    if step is None:
        findings = (*findings, _without_step())
        return TrainerState(True, True, findings=findings, neighbours=neighbours)
    evidence = f"key `global_step` in {TRAINER_STATE}"
    role = RoleFacts(PROGRESS, entry.size_bytes, 1, evidence, paths=(TRAINER_STATE,))
    epoch = _number(document.get("epoch"))
    return TrainerState(True, True, step, role, epoch, findings, neighbours)


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) else None


def _without_step() -> Finding:
    return Finding(
        "missing-role",
        Severity.ERROR,
        TRAINER_STATE,
        f"{TRAINER_STATE} has no `global_step`: the Trainer would begin at step 0",
        "Resume from another checkpoint.",
        Effect.INCOMPLETE,
    )


def _best_beside(checkpoint: str, recorded: object) -> tuple[NeighbourFacts, ...]:
    """The best checkpoint's name, as it is looked for beside this one.

    Only its name is looked for: a path in a file must not lead elsewhere.
    """
    name = os.path.basename(os.path.normpath(recorded)) if isinstance(recorded, str) else ""
    if name in ("", ".", ".."):
        return ()
    path = os.path.join(os.path.dirname(checkpoint), name)
    return (NeighbourFacts(path, is_there(path)),)


def _best_model(checkpoint: str, recorded: object, beside: bool) -> tuple[Finding, ...]:
    """The best checkpoint's recorded path; a run that was moved may still have it beside.

    A relative path is relative to where the job was started, which nobody knows here.
    """
    if not isinstance(recorded, str) or not recorded:
        return ()
    run = os.path.dirname(checkpoint)
    place = os.path.dirname(os.path.normpath(recorded))
    if beside and (place == run or not os.path.isabs(recorded)):
        return ()
    hint = "; one of that name is" if beside else ""
    return (
        Finding(
            "best-model-dangling",
            Severity.INFO if beside else Severity.WARNING,
            TRAINER_STATE,
            f"`best_model_checkpoint` names {recorded[:200]!r}, which is not beside it{hint}",
            "Some versions stop at the end of training, and keep one checkpoint too many: correct"
            f" the path in {TRAINER_STATE}.",
        ),
    )
