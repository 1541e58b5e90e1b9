"""How a Lightning job loads one checkpoint by name."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import LoaderFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS
from ckpt_tui.formats.shared.problems import may_run_code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.lightning.trainer_state import TrainerState


def loader_of(
    files: CheckpointFiles, state: TrainerState | None, findings: Iterable[Finding]
) -> LoaderFacts:
    """The call; `weights_only=False` where the state names classes of the job's own.

    Args:
        files: The checkpoint.
        state: The Trainer's state; None where it could not be read.
        findings: What was found of its files.
    """
    trusted = state is not None and state.needs_trust and not may_run_code(findings)
    trust = ", weights_only=False" if trusted else ""
    return LoaderFacts(
        needs=frozenset({MODEL, OPTIMIZER, PROGRESS}),
        flag=f"Trainer.fit(ckpt_path={json.dumps(files.path)}{trust})",
        tag=files.name,
    )
