"""A judged checkpoint: its facts, the verdict, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import REQUIRED_ROLES, RESUMABLE, Commit, Verdict

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.findings import Finding


class Activity(NamedTuple):
    """Whether anything of a checkpoint still moves.

    Attributes:
        active: True while it grows, or was seen to grow less than the stall limit ago.
        evidence: How that is known ("grew 0.4 s ago", "by file times").
        seen: True where growth was seen between two looks, not told from file times.
    """

    active: bool
    evidence: str
    seen: bool = False


QUIET = Activity(active=False, evidence="nothing grows")


class Requirements(NamedTuple):
    """What the operator asks of a checkpoint.

    Attributes:
        roles: Roles that a resumed run needs.
        world_size: World size of the job that would resume; None for the writer's own.
    """

    roles: tuple[str, ...] = REQUIRED_ROLES
    world_size: int | None = None


LESSON_REQUIREMENTS = Requirements()


class RankProgress(NamedTuple):
    """A rank that is behind what it wrote last time.

    Attributes:
        size_bytes: Written so far.
        expected_bytes: Size of its shard in the run's last whole checkpoint.
        bytes_per_second: Rate over the last looks; 0 where nothing grew.
        eta_seconds: Time left at that rate; None where it stands still.
    """

    rank: int
    size_bytes: int
    expected_bytes: int
    bytes_per_second: float
    eta_seconds: float | None


class SaveProgress(NamedTuple):
    """A save in flight, as its growth shows.

    Attributes:
        size_bytes: Written so far.
        expected_bytes: Size of the run's last whole checkpoint; None where there is none.
        bytes_per_second: Rate over the last looks; None before two looks.
        eta_seconds: Time left at that rate; None where it cannot be told.
        silent_seconds: Time since anything grew.
        silent_ranks: Ranks whose shard is behind and has not grown for a while.
        ranks_silent_seconds: For how long at least each of them has not.
        ranks_behind: How many ranks have not written as much as last time, silent ones included.
        slowest: Ranks that take longest, the slowest first; a few, and none where nothing is known
            to compare with.
    """

    size_bytes: int
    expected_bytes: int | None
    bytes_per_second: float | None
    eta_seconds: float | None
    silent_seconds: float
    silent_ranks: tuple[int, ...] = ()
    ranks_silent_seconds: float = 0.0
    ranks_behind: int = 0
    slowest: tuple[RankProgress, ...] = ()

    @property
    def fraction(self) -> float | None:
        """Share of the expected bytes that is written, at most 1."""
        if not self.expected_bytes:
            return None
        return min(1.0, self.size_bytes / self.expected_bytes)

    @property
    def left_seconds(self) -> float | None:
        """Time left: that of all bytes at the rate of all, or that of the slowest rank.

        None while a rank is silent: nobody knows when it goes on.
        """
        if self.silent_ranks:
            return None
        slowest = self.slowest[0].eta_seconds if self.slowest else None
        return max((t for t in (self.eta_seconds, slowest) if t is not None), default=None)


class Checkpoint(NamedTuple):
    """One checkpoint with its verdict.

    Attributes:
        why: The rule that was applied and the evidence, in one sentence.
        findings: The reader's and the judge's, loudest first.
        missing_roles: Required roles that are absent, in the order of `Requirements.roles`.
        recoverable: The lesson's word: every required state, one ID, all shards, committed.
        resumable: A restart can go on from its step.
        watched: This process saw the whole save: `facts.save_seconds` is by its own clock.
    """

    facts: CheckpointFacts
    commit: Commit
    verdict: Verdict
    why: str
    findings: tuple[Finding, ...]
    missing_roles: tuple[str, ...]
    recoverable: bool
    resumable: bool
    progress: SaveProgress | None = None
    watched: bool = False

    @property
    def path(self) -> str:
        """Absolute path; the key of a row."""
        return self.facts.path

    @property
    def step(self) -> int | None:
        """Training iteration."""
        return self.facts.step

    @property
    def committed_at(self) -> float | None:
        """Seconds since the epoch of the commit; None for what was not committed."""
        if self.commit in (Commit.SAVING, Commit.UNCOMMITTED):
            return None
        return self.facts.commit.committed_at

    @property
    def present_shards(self) -> int | None:
        """Ranks whose shard is whole; None where the format has no shards."""
        if self.facts.expected_ranks is None:
            return None
        return sum(1 for shard in self.facts.shards if not shard.problem)

    @property
    def missing_ranks(self) -> tuple[int, ...]:
        """Expected ranks without a whole shard."""
        whole = {shard.rank for shard in self.facts.shards if not shard.problem}
        return tuple(rank for rank in self.facts.expected_ranks or () if rank not in whole)

    @property
    def is_of_other_size(self) -> bool:
        """Whether it is whole, but not for a job of the world size that was asked for."""
        return self.verdict in RESUMABLE and not self.resumable

    @property
    def counts_as_commit(self) -> bool:
        """Whether it is a commit of the job of its own: no export, no copy under a second name."""
        facts = self.facts
        return self.commit is Commit.COMMITTED and not facts.export and not facts.alias

    @property
    def moment(self) -> float:
        """Seconds since the epoch of the commit, else of the newest write; 0 where unknown."""
        committed_at = self.committed_at
        if committed_at:
            return committed_at
        return max((file.mtime_ns for file in self.facts.files), default=0) / 1e9

    @property
    def title(self) -> str:
        """What to call it: its step, else its count of saves or epochs, else its name."""
        if self.step is not None:
            return f"step {self.step}"
        ordinal = self.facts.ordinal
        return f"save {ordinal}" if ordinal is not None else self.facts.name

    @property
    def order(self) -> tuple[int, int, float]:
        """Sort key: step, then count of saves, then time of the commit. Never text order."""
        facts = self.facts
        return (
            facts.step if facts.step is not None else -1,
            facts.ordinal if facts.ordinal is not None else -1,
            facts.commit.committed_at or 0.0,
        )
