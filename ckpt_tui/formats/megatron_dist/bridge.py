"""What Megatron-Bridge adds to a checkpoint once its data is committed.

`train_state.pt` holds the step that its loader goes on from. `run_config.yaml`, written after the
trackers, holds what Megatron-LM keeps as `args`; without either its loader stops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import CONFIG, PROGRESS
from ckpt_tui.formats.megatron.train_state import TRAIN_STATE, step_of_train_state
from ckpt_tui.formats.shared.problems import finding_of_error, missing_file, truncated_file

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

RUN_CONFIG = "run_config.yaml"


class BridgeFiles(NamedTuple):
    """What the two files say.

    Attributes:
        there: At least one of them is there.
        step: The step and where it was read.
    """

    there: bool = False
    roles: tuple[RoleFacts, ...] = ()
    step: tuple[int, str] | None = None
    findings: tuple[Finding, ...] = ()


def read_bridge_files(files: CheckpointFiles, has_arguments: bool) -> BridgeFiles:
    """Reads them.

    Args:
        files: The checkpoint.
        has_arguments: Whether its common state holds Megatron-LM's `args`.
    """
    state, config = files.tree.get(TRAIN_STATE), files.tree.get(RUN_CONFIG)
    roles: list[RoleFacts] = []
    findings: list[Finding] = []
    step = None
    if config is not None and config.size_bytes:
        roles.append(RoleFacts(CONFIG, config.size_bytes, 1, RUN_CONFIG, paths=(RUN_CONFIG,)))
    elif config is not None:
        findings.append(truncated_file(RUN_CONFIG, "is empty")._replace(code="empty-file"))
    elif state is not None and not has_arguments:
        why = "the loader takes the parallel sizes from it; it is written after the trackers"
        findings.append(missing_file(RUN_CONFIG, why))
    if state is not None:
        step = _read_step(files, findings)
    if step is not None:
        evidence = f"key `step` in {TRAIN_STATE}"
        roles.append(RoleFacts(PROGRESS, None, 1, evidence, paths=(TRAIN_STATE,)))
    return BridgeFiles(state is not None or config is not None, tuple(roles), step, tuple(findings))


def _read_step(files: CheckpointFiles, findings: list[Finding]) -> tuple[int, str] | None:
    try:
        with files.open(TRAIN_STATE) as source:
            step = step_of_train_state(source, files.limits)
    except ArtifactError as error:
        findings.append(finding_of_error(error, TRAIN_STATE))
        return None
    return (step, f"key `step` in {TRAIN_STATE}") if step is not None else None
