"""Compares two checkpoints: state, roles, ranks, findings, files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.comparing.files import FileChanges, compare_files, without_step
from ckpt_tui.core.vocabulary import ALL_ROLES
from ckpt_tui.core.world_size import OTHER_SIZE

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.comparing.tensors import TensorChanges
    from ckpt_tui.core.facts import RoleFacts
    from ckpt_tui.core.findings import Finding


class FactChange(NamedTuple):
    """One plain fact of both; None where it is unknown.

    Attributes:
        name: `state`, `step`, …, as in `compare_checkpoints`.
    """

    name: str
    first: str | float | None
    second: str | float | None

    @property
    def differs(self) -> bool:
        """Whether it is another."""
        return self.first != self.second


class RoleChange(NamedTuple):
    """A role that one of them lacks, or that is there for other ranks."""

    role: str
    first: RoleFacts | None
    second: RoleFacts | None


class RankChange(NamedTuple):
    """What one rank wrote; None where it has no whole shard, or is no rank of that job."""

    rank: int
    first: int | None
    second: int | None


class Comparison(NamedTuple):
    """Two checkpoints side by side.

    Attributes:
        facts: Plain facts, those that are equal included.
        roles: Roles that differ.
        same_roles: Roles that both have for the same ranks.
        ranks: Ranks of which only one has a whole shard.
        same_ranks: How many ranks have one in both.
        only_first: Findings of the first alone.
        only_second: Findings of the second alone.
        both: Findings that both have.
        tensors: None while they are not read.
    """

    first: Checkpoint
    second: Checkpoint
    facts: tuple[FactChange, ...]
    roles: tuple[RoleChange, ...]
    same_roles: tuple[str, ...]
    ranks: tuple[RankChange, ...]
    same_ranks: int
    only_first: tuple[Finding, ...]
    only_second: tuple[Finding, ...]
    both: tuple[Finding, ...]
    files: FileChanges
    tensors: TensorChanges | None = None

    @property
    def steps_apart(self) -> int | None:
        """Steps from the first to the second; None where one has no step."""
        if self.first.step is None or self.second.step is None:
            return None
        return self.second.step - self.first.step

    @property
    def seconds_apart(self) -> float | None:
        """Seconds from the first's commit, or last write, to the second's; None where unknown."""
        first, second = self.first.moment, self.second.moment
        return second - first if first and second else None

    @property
    def alike(self) -> bool:
        """Whether they hold the same things: format, world size, roles, ranks and tensors."""
        built = [fact for fact in self.facts if fact.name in ("format", "ranks") and fact.differs]
        tensors_differ = self.tensors is not None and self.tensors.differ
        return not (built or self.roles or self.ranks or tensors_differ)


def compare_checkpoints(first: Checkpoint, second: Checkpoint) -> Comparison:
    """All but the tensors; the order of the two is kept."""
    old, new = _findings(first), _findings(second)
    pairs = _role_pairs(first, second)
    ranks = _rank_pairs(first, second)
    return Comparison(
        first,
        second,
        _facts(first, second),
        tuple(pair for pair in pairs if _differs(pair)),
        tuple(pair.role for pair in pairs if not _differs(pair)),
        tuple(pair for pair in ranks if None in pair),
        sum(1 for pair in ranks if None not in pair),
        tuple(found for kind, found in old.items() if kind not in new),
        tuple(found for kind, found in new.items() if kind not in old),
        tuple(found for kind, found in new.items() if kind in old),
        compare_files(first.facts, second.facts),
    )


def _findings(checkpoint: Checkpoint) -> dict[tuple[str, str], Finding]:
    """Findings by what they say of which file, whatever the step in its name."""
    step = checkpoint.step
    return {(found.code, without_step(found.path, step)): found for found in checkpoint.findings}


def _facts(first: Checkpoint, second: Checkpoint) -> tuple[FactChange, ...]:
    old, new = _plain(first), _plain(second)
    return tuple(FactChange(name, value, new[name]) for name, value in old.items())


def _plain(checkpoint: Checkpoint) -> dict[str, str | float | None]:
    facts = checkpoint.facts
    state = OTHER_SIZE if checkpoint.is_of_other_size else checkpoint.verdict.value
    expected = facts.expected_ranks
    return {
        "state": state,
        "commit": checkpoint.commit.value,
        "resumable": "yes" if checkpoint.resumable else "no",
        "step": facts.step,
        "written": checkpoint.moment or None,
        "size": facts.size_bytes,
        "files": len(facts.files),
        "took": facts.save_seconds,
        "ranks": facts.world_size,
        "shards": None if expected is None else f"{checkpoint.present_shards}/{len(expected)}",
        "format": facts.format,
    }


def _role_pairs(first: Checkpoint, second: Checkpoint) -> list[RoleChange]:
    names = first.facts.role_names() | second.facts.role_names()
    ordered = [role for role in ALL_ROLES if role in names] + sorted(names - {*ALL_ROLES})
    return [RoleChange(role, first.facts.role(role), second.facts.role(role)) for role in ordered]


def _differs(pair: RoleChange) -> bool:
    if pair.first is None or pair.second is None:
        return True
    return pair.first.missing_ranks != pair.second.missing_ranks


def _rank_pairs(first: Checkpoint, second: Checkpoint) -> list[RankChange]:
    old, new = _whole_shards(first), _whole_shards(second)
    wanted = {*(first.facts.expected_ranks or ()), *(second.facts.expected_ranks or ())}
    pairs = (RankChange(rank, old.get(rank), new.get(rank)) for rank in sorted(wanted))
    return [pair for pair in pairs if (pair.first, pair.second) != (None, None)]


def _whole_shards(checkpoint: Checkpoint) -> dict[int, int]:
    return {shard.rank: shard.size_bytes for shard in checkpoint.facts.shards if not shard.problem}
