"""Which parts a Megatron-LM job has to have written: tensor × pipeline × expert ranks.

The sizes are in the arguments that each model file holds; where they are not, the names of the
directories show what there is, but not how many there should be beyond the highest.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.megatron.arguments import Arguments, arguments_of
from ckpt_tui.formats.megatron_legacy.names import MODEL_KINDS, FileKind, part_name
from ckpt_tui.formats.shared.bounds import MOST_RANKS, too_many_ranks

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.megatron_legacy.parts import PartFile, PartFiles


class Grid(NamedTuple):
    """The job's layout.

    Attributes:
        ranks: Directory of each part → its number among the writers, in the order of their ranks.
        world_size: Processes of the job; those of its parts where data parallelism is unknown.
        data: Data-parallel size, or None.
        source: What told the sizes, for messages.
        arguments: The arguments that were read.
        findings: Sizes that cannot be.
    """

    ranks: dict[str, int]
    world_size: int | None
    data: int | None
    source: str
    arguments: Arguments
    findings: tuple[Finding, ...] = ()


class _Sizes(NamedTuple):
    tensor: int
    pipeline: int
    expert: int
    expert_tensor: int


def grid_of(parts: PartFiles) -> Grid:
    """The layout by the arguments of the first rank's file, else by the directories' names."""
    models = parts.of_kind(*MODEL_KINDS)
    arguments, path = _arguments(models)
    by_names = _sizes_by_names(models or parts.of_kind(*FileKind))
    if arguments.tensor is None:
        sizes, source = by_names, "the directories' names"
    else:
        sizes, source = _sizes_by_arguments(arguments, by_names), f"`args` in {path}"
    stage = _ranks_of_a_stage(sizes, arguments.world_size)
    if min(stage, _period(sizes)) * sizes.pipeline > MOST_RANKS:
        return Grid({}, None, None, source, arguments, (too_many_ranks(source),))
    ranks = _parts(sizes, stage)
    data = arguments.data if arguments.data and arguments.data <= MOST_RANKS else None
    known = arguments.world_size == stage * sizes.pipeline
    return Grid(ranks, arguments.world_size if known else len(ranks), data, source, arguments)


def _arguments(models: tuple[PartFile, ...]) -> tuple[Arguments, str]:
    for file in models:
        found = arguments_of(file.value.get("args"))
        if found.there:
            return found, file.path
    return Arguments(), ""


def _sizes_by_arguments(arguments: Arguments, by_names: _Sizes) -> _Sizes:
    tensor, expert = arguments.tensor or 1, arguments.expert or 1
    return _Sizes(
        tensor,
        arguments.pipeline or (by_names.pipeline if expert == 1 else 1),
        expert,
        arguments.expert_tensor or tensor,
    )


def _sizes_by_names(files: tuple[PartFile, ...]) -> _Sizes:
    """A second number is taken for the pipeline stage, as most jobs have no experts."""
    highest = [0, 0, 0]
    for file in files:
        for axis, number in enumerate(file.name.fields[:3]):
            highest[axis] = max(highest[axis], number)
    tensor, pipeline, expert = (number + 1 for number in highest)
    return _Sizes(tensor, pipeline, expert, tensor)


def _period(sizes: _Sizes) -> int:
    """After so many ranks of a stage the pairs of tensor and expert rank repeat."""
    return lcm(sizes.tensor, sizes.expert_tensor * sizes.expert)


def _ranks_of_a_stage(sizes: _Sizes, world_size: int | None) -> int:
    """Processes of one pipeline stage; the fewest that can be where the job's size is unknown."""
    stage, rest = divmod(world_size or 0, sizes.pipeline)
    fits = (
        not rest and not stage % sizes.tensor and not stage % (sizes.expert_tensor * sizes.expert)
    )
    return stage if stage and fits else _period(sizes)


def _parts(sizes: _Sizes, stage: int) -> dict[str, int]:
    """Tensor ranks are neighbours, pipeline stages lie farthest apart (Megatron's rank order)."""
    found: dict[str, int] = {}
    for pipeline in range(sizes.pipeline):
        for place in range(min(stage, _period(sizes))):
            name = part_name(
                place % sizes.tensor,
                pipeline if sizes.pipeline > 1 else None,
                place // sizes.expert_tensor % sizes.expert if sizes.expert > 1 else None,
            )
            found.setdefault(name, len(found))
    return found
