"""What a DeepSpeed step holds, and what is missing: shared by the formats that have one inside.

DeepSpeed writes every file in place, without a barrier before `latest` and without a commit mark.
A step is whole when each file's end mark is, and when every rank's files are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.facts import Reshard, ShardFacts
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, RNG
from ckpt_tui.formats.deepspeed.agreement import files_apart, lacking_keys
from ckpt_tui.formats.deepspeed.axes import axes_of_parts
from ckpt_tui.formats.deepspeed.bf16_stage_zero import unloaded_partitions
from ckpt_tui.formats.deepspeed.elastic import stepless_partitions
from ckpt_tui.formats.deepspeed.experts import expert_gaps, expert_optimizer_gaps
from ckpt_tui.formats.deepspeed.layers import layer_gaps
from ckpt_tui.formats.deepspeed.layout import Layout, layout_of
from ckpt_tui.formats.deepspeed.names import PartKind, file_name
from ckpt_tui.formats.deepspeed.parts import Part, Parts, read_parts
from ckpt_tui.formats.deepspeed.roles import roles_of_parts
from ckpt_tui.formats.shared.bounds import MOST_RANKS, MOST_TENSORS, too_many_ranks
from ckpt_tui.formats.shared.end_mark import not_read
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.node_local import node_local_part
from ckpt_tui.formats.shared.problems import capped, extra_shard, missing_file
from ckpt_tui.formats.shared.shards import shard_of

if TYPE_CHECKING:
    from ckpt_tui.core.facts import ParallelAxis, RoleFacts, TensorFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.deepspeed.names import PartName


CONVERT_AGAIN = "Remove it and convert its source again with ds_to_universal, or load the source."
"""Remedy for a universal checkpoint that is not whole: it is a copy in another form."""

_ZERO_RESHARD = Reshard(
    True,
    "by conversion with ds_to_universal, then `checkpoint.load_universal: true`; as it is, only"
    " the writer's world size loads it",
    (RNG,),
    converts=True,
)
_PLAIN_RESHARD = Reshard(True, "natively: the optimizer is whole in the model file", (RNG,))


class DeepSpeedContent(NamedTuple):
    """Everything that the files of one step say.

    Attributes:
        parts: The files, read one by one.
        layout: Who had to write what.
        step: `global_steps` of the model files.
        roles: Roles by content.
        shards: One per writer; empty below ZeRO stage 1, where nothing is partitioned.
        expected_ranks: Writers that must have a shard, or None.
        findings: What is missing, damaged, foreign or of another save.
        marks: Role and rank of every file, by relative path.
    """

    parts: Parts
    layout: Layout
    step: int | None
    roles: tuple[RoleFacts, ...]
    shards: tuple[ShardFacts, ...]
    expected_ranks: tuple[int, ...] | None
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0

    @property
    def has_scheduler(self) -> bool:
        """Whether the configuration asks for a scheduler: the loader then wants its state."""
        configs = (part.value.get("ds_config") for part in self.parts.parts)
        return any(isinstance(found, Mapping) and found.get("scheduler") for found in configs)

    @property
    def world_size(self) -> int | None:
        """Number of processes; None where no file says anything of ranks."""
        return self.layout.world_size if self.parts.parts else None

    @property
    def axes(self) -> tuple[ParallelAxis, ...]:
        """How the job was split over the ranks that have shards."""
        return axes_of_parts(self.parts, self.layout) if self.shards else ()

    @property
    def not_checked(self) -> tuple[str, ...]:
        """What nobody looked at."""
        return ("the bytes of tensors", *not_read(self.parts.unread))


def read_deepspeed(files: CheckpointFiles, universal: bool = False) -> DeepSpeedContent:
    """Reads a step's directory; what is wrong with it comes back as findings.

    Args:
        files: The step's directory.
        universal: Whether it was converted: weights and moments are then not in these files,
            and the loader opens the first rank's model file only.
    """
    parts = read_parts(files)
    layout = layout_of(parts)
    too_many = layout.world_size > MOST_RANKS
    if too_many:
        layout = layout._replace(dp_world_size=1, mp_world_size=1)
    demanded = _demanded(parts, layout, universal)
    gaps = () if too_many else _gaps(parts, layout, demanded, universal)
    findings = (
        *capped(list(parts.findings)),
        *gaps,
        *layer_gaps(parts),
        *(() if universal else expert_gaps(parts)),
        *(() if layout.partitioned else expert_optimizer_gaps(parts)),
        *lacking_keys(parts, universal),
        *(() if universal else unloaded_partitions(parts, layout)),
        *(() if universal else stepless_partitions(parts)),
        *files_apart(parts),
        *_strangers(parts, layout, demanded, universal),
        *((too_many_ranks(layout.source),) if too_many else ()),
    )
    listed = [tensor for part in parts.parts if part.content for tensor in part.content.tensors]
    shards = _shards(parts, layout, demanded)
    return DeepSpeedContent(
        parts=parts,
        layout=layout,
        step=_step(parts),
        roles=roles_of_parts(parts, layout),
        shards=shards,
        expected_ranks=tuple(range(layout.world_size)) if shards else None,
        findings=findings,
        marks=_marks(parts, layout),
        tensors=tuple(tensor for tensor in listed if tensor.size_bytes)[:MOST_TENSORS],
        tensors_total=sum(p.content.tensors_total for p in parts.parts if p.content),
    )


def reshard_of(content: DeepSpeedContent) -> Reshard:
    """Whether another world size can load a step that was not converted."""
    return _ZERO_RESHARD if content.shards else _PLAIN_RESHARD


def _demanded(parts: Parts, layout: Layout, universal: bool) -> list[PartName]:
    """The files that the loader opens."""
    wanted = layout.model_files()
    if universal:
        return [name for name in wanted if not name.dp_rank]
    return wanted + layout.optimizer_files() if layout.partitioned else wanted


def _gaps(
    parts: Parts, layout: Layout, demanded: list[PartName], universal: bool
) -> tuple[Finding, ...]:
    there = {part.name for part in parts.parts}
    absent = [name for name in demanded if name not in there]
    if universal:
        why = "the conversion copies it last, so it was not finished"
        found = [missing_file(file_name(name), why) for name in absent]
        return tuple(gap._replace(remedy=CONVERT_AGAIN) for gap in capped(found))
    found = [
        missing_file(file_name(name), _why_wanted(name, layout), rank=layout.rank(name))
        for name in absent
    ]
    return (*_node_local(parts, layout, absent), *capped(found))


def _why_wanted(name: PartName, layout: Layout) -> str:
    if name.dp_rank is None:
        return "the loader takes the model, the scheduler and the step from it"
    who = f"ZeRO stage {layout.stage}" if layout.stage else "the loader"
    return f"{who} wants one for each of {plural(layout.world_size, 'rank')} ({layout.source})"


def _node_local(parts: Parts, layout: Layout, absent: list[PartName]) -> tuple[Finding, ...]:
    """Whole files of ranks that begin above 0: the directory of one node of several."""
    if not absent or any(part.problem for part in parts.parts):
        return ()
    ranks = {layout.rank(part.name) for part in parts.parts if part.name.dp_rank is not None}
    return node_local_part(ranks, "files of this step", proven=True, world_size=layout.world_size)


def _strangers(
    parts: Parts, layout: Layout, demanded: list[PartName], universal: bool
) -> tuple[Finding, ...]:
    """Files of ranks that the job does not have: left of a larger job's save, most likely."""
    ranked = (PartKind.MODEL, PartKind.OPTIMIZER)
    wanted = set(demanded)
    job = range(layout.dp_world_size)
    extra = [
        part.path
        for part in parts.parts
        if part.name.kind in ranked
        and part.name not in wanted
        and not (universal and part.name.dp_rank in job)
    ]
    if not extra:
        return ()
    layout_text = f"the layout of {plural(layout.world_size, 'rank')} ({layout.source})"
    return (extra_shard(extra, layout_text),)


def _step(parts: Parts) -> int | None:
    steps = (part.number("global_steps") for part in parts.of_kind(PartKind.MODEL))
    return next((step for step in steps if step is not None), None)


def _shards(parts: Parts, layout: Layout, demanded: list[PartName]) -> tuple[ShardFacts, ...]:
    """What each rank wrote; nothing where no state is partitioned over ranks."""
    if all(name.dp_rank is None for name in demanded):
        return ()
    by_name = {part.name: part for part in parts.parts}
    mine: dict[int, list[PartName]] = {}
    for name in demanded:
        mine.setdefault(layout.rank(name), []).append(name)
    return tuple(_shard(rank, names, by_name) for rank, names in sorted(mine.items()))


def _shard(rank: int, names: list[PartName], by_name: dict[PartName, Part]) -> ShardFacts:
    there = [by_name[name] for name in names if name in by_name]
    problem = next((part.problem for part in there if part.problem), "")
    if not there:
        problem = "missing"
    elif len(there) < len(names) and not problem:
        problem = "short"
    paths = (by_name[name].path if name in by_name else file_name(name) for name in names)
    return shard_of(rank, (part.entry for part in there), problem, paths=paths)


def _marks(parts: Parts, layout: Layout) -> dict[str, Mark]:
    marks = {}
    for part in parts.parts:
        role = OPTIMIZER if part.name.kind is PartKind.OPTIMIZER else MODEL
        rank = layout.rank(part.name)
        held = [found.role for found in part.content.roles] if part.content else []
        note = f"holds {', '.join(held)}" if len(held) > 1 else part.problem
        marks[part.path] = Mark(role, rank, note)
    return marks
