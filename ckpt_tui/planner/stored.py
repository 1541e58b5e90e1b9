"""A run's checkpoints as a retention policy sees them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.planner.retention import Stored
from ckpt_tui.words import later

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

NO_LOSS_TOLD = later("no name tells a loss (such as val_loss=0.21), so none is the best by one")

# Lightning and others put the metric into the name: `epoch=3-val_loss=0.21.ckpt`.
_LOSS = re.compile(
    r"loss(=-?|_|)([0-9]{1,9}(?:\.[0-9]{1,30})?(?:e[-+]?[0-9]{1,2})?)(?!\.?[0-9])", re.IGNORECASE
)


def stored_of(run: Run) -> tuple[Stored, ...]:
    """What a policy decides on, newest first; at one step the resume point comes first.

    Exports and second names are not the job's own, and a save in flight, one without a step and
    one that could not be judged are left alone: they are neither kept nor freed.
    """
    own = [c for c in run.checkpoints if _is_decided(c)]
    own.sort(key=lambda c: (-(c.step or 0), c is not run.resume))
    return tuple(
        Stored(c.path, c.step or 0, c.facts.size_bytes, c.resumable, loss_in(c.facts.name))
        for c in own
    )


def loss_in(name: str) -> float | None:
    """The loss that a checkpoint's name tells, or None."""
    found = _LOSS.search(name)
    if found is None:
        return None
    return -float(found[2]) if found[1] == "=-" else float(found[2])


def _is_decided(checkpoint: Checkpoint) -> bool:
    facts = checkpoint.facts
    is_own = not facts.export and not facts.alias
    known = checkpoint.step is not None and checkpoint.verdict is not Verdict.UNKNOWN
    return is_own and known and checkpoint.progress is None
