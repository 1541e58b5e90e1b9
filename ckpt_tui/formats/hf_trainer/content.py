"""What a Trainer checkpoint holds: the Trainer's own files, and the parts of its backend."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import words
from ckpt_tui.core.vocabulary import (
    EXPORT,
    MODEL,
    OPTIMIZER,
    PROGRESS,
    RNG,
    SCHEDULER,
    Effect,
    Severity,
)
from ckpt_tui.formats.deepspeed.content import DeepSpeedContent, read_deepspeed
from ckpt_tui.formats.deepspeed.latest import tag_by_latest, told_apart
from ckpt_tui.formats.hf_trainer.model_files import ModelFiles, read_model_files
from ckpt_tui.formats.hf_trainer.saves_apart import deepspeed_apart, files_apart
from ckpt_tui.formats.hf_trainer.state_files import (
    dcp_directories,
    processes_of_arguments,
    read_dcp_part,
    read_optimizer,
    read_rng,
    read_scheduler,
)
from ckpt_tui.formats.hf_trainer.trainer_state import TrainerState, read_trainer_state
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.nested import (
    nested_files,
    outer_findings,
    outer_marks,
    outer_roles,
)
from ckpt_tui.formats.shared.problems import missing_file
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.state_file import NO_STATE, StatePart
from ckpt_tui.formats.shared.weight_file import read_weight_file

if TYPE_CHECKING:
    from ckpt_tui.core.facts import ParallelAxis, RoleFacts, ShardFacts, TensorFacts
    from ckpt_tui.formats.base import CheckpointFiles

_FSDP_MODEL = "pytorch_model_fsdp"
_FSDP_MODEL_BEFORE = "pytorch_model_"  # accelerate before 0.24
_DEEPSPEED = "global_step"


class TrainerContent(NamedTuple):
    """Everything that the files of one Trainer checkpoint say.

    Attributes:
        state: `trainer_state.json`.
        roles: Roles by content.
        findings: What is missing, damaged, empty or foreign.
        marks: Role and rank of files, by relative path.
        backend: "deepspeed", "fsdp" or "".
        deepspeed: The DeepSpeed part, or None.
        adapter: The model is an adapter's weights.
        world_size: Number of processes, where any file tells it.
    """

    state: TrainerState
    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    backend: str = ""
    deepspeed: DeepSpeedContent | None = None
    adapter: bool = False
    world_size: int | None = None
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0

    @property
    def shards(self) -> tuple[ShardFacts, ...]:
        """What each rank wrote, where DeepSpeed partitions state."""
        return self.deepspeed.shards if self.deepspeed else ()

    @property
    def axes(self) -> tuple[ParallelAxis, ...]:
        """How the job was split over the ranks that have shards."""
        return self.deepspeed.axes if self.deepspeed else ()

    @property
    def expected_ranks(self) -> tuple[int, ...] | None:
        """Ranks that must have a shard, or None."""
        return self.deepspeed.expected_ranks if self.deepspeed else None


class _Backend(NamedTuple):
    """Where model and optimizer come from on a resume."""

    name: str
    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    world_size: int | None = None
    deepspeed: DeepSpeedContent | None = None
    optimizer: StatePart = NO_STATE


def read_trainer(files: CheckpointFiles) -> TrainerContent:
    """Reads a checkpoint; what is wrong with it comes back as findings."""
    state = read_trainer_state(files)
    model = read_model_files(files)
    backend = _read_backend(files, model)
    scheduler = read_scheduler(files)
    processes = backend.world_size or processes_of_arguments(files)
    rng = read_rng(files, processes)
    world_size = max(processes or 0, rng.world_size or int(state.whole)) or None
    roles = merge_roles(
        role for role in (*backend.roles, scheduler.role, rng.role, state.role) if role is not None
    )
    findings = (
        *state.findings,
        *backend.findings,
        *scheduler.findings,
        *rng.findings,
        *(_coupling(roles) if state.whole else ()),
        *deepspeed_apart(state, backend.deepspeed),
        *files_apart(state, backend.optimizer, scheduler, world_size or 1),
    )
    return TrainerContent(
        state=state,
        roles=roles,
        findings=findings,
        marks=model.marks | backend.marks | scheduler.marks | rng.marks,
        backend=backend.name,
        deepspeed=backend.deepspeed,
        adapter="adapter_model." in model.chosen,
        world_size=world_size,
        tensors=model.tensors,
        tensors_total=model.tensors_total,
    )


def _read_backend(files: CheckpointFiles, model: ModelFiles) -> _Backend:
    tags = [
        entry.path
        for entry in files.tree.entries
        if entry.kind is Kind.DIRECTORY
        and "/" not in entry.path
        and entry.path.startswith(_DEEPSPEED)
    ]
    if tags:
        return _deepspeed(files, model, tags)
    optimizer = read_optimizer(files)
    sharded = [*dcp_directories(files, _FSDP_MODEL), *dcp_directories(files, _FSDP_MODEL_BEFORE)]
    fsdp = [*sharded, *_file(files, f"{_FSDP_MODEL}.bin")]
    fsdp_optimizer = dcp_directories(files, "optimizer") or _file(files, "optimizer.bin")
    if fsdp or fsdp_optimizer:
        return _fsdp(files, model, optimizer, fsdp)
    roles = tuple(role for role in (model.role, optimizer.role) if role is not None)
    findings = (*model.findings, *optimizer.findings)
    return _Backend("", roles, findings, optimizer.marks, optimizer=optimizer)


def _deepspeed(files: CheckpointFiles, model: ModelFiles, tags: list[str]) -> _Backend:
    """DeepSpeed loads the directory that `latest` inside the checkpoint names, and no other."""
    plain = [tag for tag in tags if not tag.endswith("_universal")]
    highest = max(plain or tags, key=lambda tag: (step_of_name(tag) or -1, tag))
    tag, lost = tag_by_latest(files, tags, highest)
    content = read_deepspeed(nested_files(files, tag))
    whole = all(finding.effect is Effect.NONE for finding in content.findings)
    # The Trainer takes random states and the step from its own files only.
    roles = (role for role in content.roles if role.role not in (RNG, PROGRESS))
    return _Backend(
        "deepspeed",
        outer_roles(tag, roles),
        (
            *told_apart(lost, tag, whole),
            *outer_findings(tag, content.findings),
            *_unloaded(model),
        ),
        outer_marks(tag, content.marks)
        | dict.fromkeys(model.marks, Mark(EXPORT, None, "not read on a resume")),
        content.world_size,
        content,
    )


def _fsdp(
    files: CheckpointFiles, model: ModelFiles, optimizer: StatePart, fsdp: list[str]
) -> _Backend:
    """FSDP keeps model and optimizer in DCP directories, or each whole in one file."""
    if not fsdp:
        why = f"the optimizer is FSDP's ({words(sorted(optimizer.marks)[:1])}), so is the model"
        part = StatePart(None, (missing_file(f"{_FSDP_MODEL}.bin", why),), {})
    elif fsdp[0].endswith(".bin"):
        part = _whole_model(files, fsdp[0])
    else:
        part = read_dcp_part(files, fsdp[0], MODEL)
    roles = tuple(role for role in (part.role, optimizer.role) if role is not None)
    return _Backend(
        "fsdp",
        roles,
        (*part.findings, *optimizer.findings, *_unloaded(model)),
        dict.fromkeys(model.marks, Mark(EXPORT, None, "not read on a resume"))
        | part.marks
        | optimizer.marks,
        max(part.world_size or 0, optimizer.world_size or 0) or None,
        optimizer=optimizer,
    )


def _whole_model(files: CheckpointFiles, path: str) -> StatePart:
    weights = read_weight_file(files, path)
    return StatePart(weights.role, weights.findings, {path: Mark(MODEL)})


def _file(files: CheckpointFiles, name: str) -> list[str]:
    entry = files.tree.get(name)
    return [name] if entry is not None and entry.kind in (Kind.FILE, Kind.LINK) else []


def _unloaded(model: ModelFiles) -> tuple[Finding, ...]:
    """The weights beside a backend's own are an export: a resume does not read them."""
    return tuple(
        finding._replace(
            severity=Severity.WARNING,
            effect=Effect.NONE,
            message=f"{finding.message} (an export; a resume does not read it)",
        )
        for finding in model.findings
    )


def _coupling(roles: tuple[RoleFacts, ...]) -> tuple[Finding, ...]:
    have = {role.role for role in roles}
    lacks = [role for role in (OPTIMIZER, SCHEDULER) if role not in have]
    if not lacks or MODEL not in have:
        return ()
    return (
        Finding(
            "lossy-loader",
            Severity.WARNING,
            "",
            f"no {words(lacks)}: the Trainer restores optimizer and scheduler together or, without"
            " a word, neither, and goes on with fresh ones",
            "Do not resume from it; start a new run from its weights, or take another checkpoint.",
        ),
    )
