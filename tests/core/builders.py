"""Facts and checkpoints for tests of the pure rules: whole unless a test changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, RoleFacts, ShardFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Effect, Severity

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

COMMITTED = CommitFacts("the marker is renamed into place last", True, committed_at=1000.0)
UNCOMMITTED = CommitFacts("the marker is renamed into place last", False, missing="marker")
NO_RULE = CommitFacts("no commit rule: end marks decide", None, committed_at=1000.0)


def roles(*names: str, missing_ranks: tuple[int, ...] = ()) -> tuple[RoleFacts, ...]:
    return tuple(
        RoleFacts(name, 10, 1, f"key `{name}`", missing_ranks, paths=(f"{name}.pt",))
        for name in names
    )


def facts(step: int | None = 10, **changes: Any) -> CheckpointFacts:
    whole = CheckpointFacts(
        path=f"/run/step-{step}",
        name=f"step-{step}",
        format="torch-file",
        commit=COMMITTED,
        checkpoint_id=f"step-{step}",
        step=step,
        roles=roles(*REQUIRED_ROLES),
    )
    return whole._replace(**changes)


def shard(rank: int, **changes: Any) -> ShardFacts:
    return ShardFacts(rank, None, 100)._replace(**changes)


def finding(effect: Effect, code: str = "truncated-file") -> Finding:
    return Finding(code, Severity.ERROR, "model.pt", f"{code} of model.pt", "resume", effect)


def checkpoint(step: int | None = 10, **changes: Any) -> Checkpoint:
    return judge(facts(step, **changes))
