"""Builds checkpoints, runs and pictures from core values, and a feed without threads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.core.checkpoint import (
    LESSON_REQUIREMENTS,
    QUIET,
    Activity,
    Checkpoint,
    SaveProgress,
)
from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    FileFacts,
    LoaderFacts,
    RawPointer,
    Reshard,
    RoleFacts,
    ShardFacts,
    TensorFacts,
)
from ckpt_tui.core.pointers import judge_pointer, pointer_findings
from ckpt_tui.core.restarts import restarts_of
from ckpt_tui.core.runs import Run, in_order, resume_point, run_level
from ckpt_tui.core.siblings import Habits
from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ckpt_tui.core.checkpoint import Requirements
    from ckpt_tui.core.findings import Finding

NOW = 1_767_265_200.0
"""2026-01-01 11:00:00 UTC."""
ROOT = "/mnt/checkpoints/llama-70b"
MIB, GIB = 2**20, 2**30
GROWING = Activity(active=True, evidence="grew 0.4 s ago")


def facts(
    step: int | None,
    *,
    root: str = ROOT,
    name: str = "",
    roles: Sequence[str] = REQUIRED_ROLES,
    ranks: int | None = 4,
    absent: Collection[int] = (),
    broken: Collection[int] = (),
    met: bool | None = True,
    age: float = 600.0,
    size: int = 4 * GIB,
    took: float | None = 131.0,
    findings: tuple[Finding, ...] = (),
    tensors: tuple[TensorFacts, ...] = (),
    export: bool = False,
    ordinal: int | None = None,
    shard_bytes: int | None = None,
) -> CheckpointFacts:
    """Facts of a checkpoint like one of Megatron's, `age` seconds before `NOW`."""
    name = name or (f"iter_{step:07d}" if step is not None else "export")
    moment_ns = int((NOW - age) * 1e9)
    each = shard_bytes or size // max(1, ranks or 1)
    shards = tuple(_shards(range(ranks or 0), absent, broken, each, moment_ns))
    files = [
        FileFacts(path, shard.size_bytes, shard.mtime_ns, "model", shard.rank)
        for shard in shards
        for path in shard.paths
    ]
    files.append(FileFacts("common.pt", 24 * 1024, moment_ns, "progress"))
    if met:
        files.append(FileFacts("metadata.json", 312, moment_ns, "config"))
    return CheckpointFacts(
        path=f"{root}/{name}",
        name=name,
        format="megatron-dist",
        commit=CommitFacts(
            "metadata.json is written last",
            met,
            "" if met else "metadata.json",
            NOW - age if met else None,
        ),
        checkpoint_id=f"step-{step}",
        step=step,
        ordinal=ordinal,
        world_size=ranks,
        expected_ranks=None if ranks is None else tuple(range(ranks)),
        roles=tuple(_role(role, size, step, shards) for role in roles),
        shards=shards,
        files=tuple(files),
        findings=findings,
        loader=LoaderFacts(flag=f"--load {root} --ckpt-step {step}"),
        reshard=Reshard(True, "natively", ("rng",)),
        export=export,
        save_mode="async",
        not_checked=("the bytes of tensors",),
        started_at=NOW - age - (took or 0),
        save_seconds=took,
        size_bytes=size,
        tensors=tensors,
        tensors_total=len(tensors),
    )


def _shards(
    ranks: range, absent: Collection[int], broken: Collection[int], size: int, moment_ns: int
) -> list[ShardFacts]:
    return [
        ShardFacts(
            rank,
            None,
            size // 3 if rank in broken else size,
            (f"distcp/__{rank}_0.distcp",),
            "short" if rank in broken else "",
            moment_ns,
        )
        for rank in ranks
        if rank not in absent
    ]


def _role(role: str, size: int, step: int | None, shards: tuple[ShardFacts, ...]) -> RoleFacts:
    part = {"model": 3, "optimizer": 6}.get(role)
    return RoleFacts(
        role,
        None if part is None else size * part // 9,
        len(shards) if part else 1,
        f"key `{role}` in .metadata" if part else "key in common.pt",
        identity="" if step is None else f"step-{step}",
    )


def saving(made: CheckpointFacts, progress: SaveProgress | None = None) -> Checkpoint:
    """A checkpoint in flight."""
    return judge(made, activity=GROWING)._replace(progress=progress)


def run_of(
    made: Sequence[CheckpointFacts],
    *,
    in_flight: Sequence[Checkpoint] = (),
    pointers: Sequence[RawPointer] = (),
    path: str = ROOT,
    requirements: Requirements = LESSON_REQUIREMENTS,
) -> Run:
    """A run that is judged as the store judges it."""
    judged = [judge(f, requirements, QUIET, Habits(made).siblings_of(f)) for f in made]
    ordered = in_order([*judged, *in_flight])
    named = [judge_pointer(raw, ordered) for raw in pointers]
    resume = resume_point(ordered, frozenset(p.target for p in named if p.target))
    findings = pointer_findings(named, resume)
    return Run(
        path,
        path.rpartition("/")[2],
        "megatron-dist",
        ordered,
        resume,
        tuple(named),
        findings,
        restarts_of(ordered),
        run_level(ordered, resume, findings),
    )


def snapshot_of(*runs: Run, root: str = ROOT, version: int = 1, **others: Any) -> Snapshot:
    """A picture taken at `NOW`."""
    return Snapshot(root, runs, NOW, version)._replace(**others)


class StubStatus(NamedTuple):
    """How a stub feed watches."""

    mode: str = "inotify"
    reason: str = "local file system"
    last_look_monotonic: float | None = 999.6
    error: str | None = None
    hanging_since_monotonic: float | None = None
    hanging_path: str = ""
    calls_per_second: float = 0.0
    rest_seconds: float | None = None


LIVE = StubStatus()


class FrozenClock:
    """A clock that moves only when a test says so."""

    def __init__(self, wall: float = NOW, monotonic: float = 1000.0) -> None:
        self.seconds_wall = wall
        self.seconds_monotonic = monotonic

    def wall(self) -> float:
        return self.seconds_wall

    def monotonic(self) -> float:
        return self.seconds_monotonic

    def advance(self, seconds: float) -> None:
        self.seconds_wall += seconds
        self.seconds_monotonic += seconds


class StubFeed:
    """A feed that a test feeds by hand."""

    def __init__(self, picture: Snapshot, status: StubStatus = LIVE) -> None:
        self.picture = picture
        self.watch_status = status
        self.refreshed = 0
        self.sizes_asked: list[int | None] = []
        self.stopped = False
        self._on_change: Callable[[object], None] | None = None

    def snapshot(self) -> Snapshot:
        return self.picture

    def status(self) -> StubStatus:
        return self.watch_status

    def refresh(self) -> None:
        self.refreshed += 1

    def ask_world_size(self, world_size: int | None) -> None:
        self.sizes_asked.append(world_size)

    def start(self, on_change: Callable[[object], None]) -> None:
        self._on_change = on_change

    def stop(self) -> None:
        self.stopped = True

    def send(self, picture: Snapshot) -> None:
        """A new picture, announced as a feed does."""
        self.picture = picture
        if self._on_change is not None:
            self._on_change(picture)
