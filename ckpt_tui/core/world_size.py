"""Whether a checkpoint fits a job of another world size: files alone prove nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import Severity

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts


OTHER_SIZE = "other size"
"""What stands in place of a verdict that a job of the asked world size can make no use of."""


class Fit(NamedTuple):
    """How a checkpoint fits a world size.

    Attributes:
        loads: False where nothing shows that the format can reshard to it.
        loses: Roles that are lost on the way.
        findings: What the operator has to know or to do.
    """

    loads: bool = True
    loses: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def fit_world_size(facts: CheckpointFacts, wanted: int | None) -> Fit:
    """Compares the writer's world size with that of the job; None asks for the writer's own."""
    if wanted is None or facts.world_size is None or wanted == facts.world_size:
        return Fit()
    writers = plural(facts.world_size, "rank")
    reshard = facts.reshard
    if reshard is None or reshard.possible is not True or wanted > (reshard.most_ranks or wanted):
        how = f" ({reshard.how})" if reshard and reshard.how else ""
        known = reshard is not None and reshard.possible is not None
        verb = f"{wanted} cannot load it" if known else f"nothing shows that {wanted} can load it"
        fewer = " or fewer" if reshard is not None and reshard.most_ranks else ""
        remedy = f"Restart with {writers}{fewer}."
        message = f"written by {writers}; {verb}{how}"
        return Fit(False, (), (_mismatch(Severity.ERROR, message, remedy),))
    if not reshard.converts:
        return Fit(True, reshard.loses)
    message = f"written by {writers}; {wanted} can load it only after a conversion"
    return Fit(True, reshard.loses, (_mismatch(Severity.WARNING, message, f"{reshard.how}."),))


def size_mismatch(checkpoint: Checkpoint) -> Finding | None:
    """The finding that says how it does not fit the size that was asked for, or None."""
    return next((f for f in checkpoint.findings if f.code == "world-size-mismatch"), None)


def mismatch_text(checkpoint: Checkpoint) -> str:
    """Why it does not fit that size; where nothing says so, why it has its verdict."""
    found = size_mismatch(checkpoint)
    return found.message if found is not None else checkpoint.why


def _mismatch(severity: Severity, message: str, remedy: str) -> Finding:
    return Finding("world-size-mismatch", severity, "", message, remedy[:1].upper() + remedy[1:])
