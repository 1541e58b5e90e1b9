"""How many good checkpoints a run keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint

TOO_FEW_GOOD = "too-few-good"


def last_one_findings(checkpoints: Sequence[Checkpoint], run_path: str) -> tuple[Finding, ...]:
    """A remark where one checkpoint is all that a run has to go on from.

    Nothing is said of a checkpoint that is looked at alone, nor of a run without any: that has
    louder findings.
    """
    good = [c for c in checkpoints if c.resumable]
    if len(good) != 1 or good[0].path == run_path:
        return ()
    return (
        Finding(
            TOO_FEW_GOOD,
            Severity.INFO,
            good[0].path,
            "the only checkpoint that can be resumed from",
            "Keep two or more: a save that overwrites it and dies would leave nothing.",
        ),
    )
