"""The files that Megatron-LM's loader opens, and which of them are not there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import plural
from ckpt_tui.formats.megatron_legacy.names import FileKind
from ckpt_tui.formats.shared.node_local import node_local_part
from ckpt_tui.formats.shared.problems import capped, extra_shard, missing_file, outside_path

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.megatron.arguments import Arguments
    from ckpt_tui.formats.megatron_legacy.grid import Grid
    from ckpt_tui.formats.megatron_legacy.parts import PartFile, PartFiles


class Unit(NamedTuple):
    """What one part has to hold.

    Attributes:
        directory: Its model file's directory.
        rank: Its number among the writers.
        model: The model file, or None.
        others: Optimizer files that are there.
        absent: Paths of files that are not.
    """

    directory: str
    rank: int
    model: PartFile | None
    others: tuple[PartFile, ...]
    absent: tuple[str, ...]

    @property
    def there(self) -> tuple[PartFile, ...]:
        """All its files."""
        return self.others if self.model is None else (self.model, *self.others)


def units_of(parts: PartFiles, grid: Grid) -> tuple[Unit, ...]:
    """The parts that the loader opens, in order of their ranks."""
    by_path = {file.path: file for file in parts.files}
    split = _is_split(parts)
    distributed = _is_distributed(parts, grid)
    layer_wise = _data_ranks(parts, grid, FileKind.LAYER_WISE)
    data = _data_ranks(parts, grid, FileKind.OPTIMIZER) if split else 0
    units = []
    for directory, rank in sorted(grid.ranks.items(), key=lambda pair: pair[1]):
        model = f"{directory}/{FileKind.MODEL if split else FileKind.UNIFIED}"
        others = [f"{directory}_{number:03d}/{FileKind.OPTIMIZER}" for number in range(data)]
        others += [f"{directory}/{FileKind.LAYER_WISE}_{n}.pt" for n in range(layer_wise)]
        if distributed and not trains_nothing(by_path.get(model), grid.arguments):
            others.append(f"{directory}/{FileKind.DISTRIBUTED}")
        absent = [path for path in (model, *others) if path not in by_path]
        there = tuple(by_path[path] for path in others if path in by_path)
        units.append(Unit(directory, rank, by_path.get(model), there, tuple(absent)))
    return tuple(units)


def gaps(
    parts: PartFiles, grid: Grid, units: tuple[Unit, ...], links: frozenset[str]
) -> tuple[Finding, ...]:
    """Files that are missing, and files of ranks that the job does not have.

    Args:
        parts: All files.
        grid: The job's layout.
        units: The parts that the loader opens.
        links: Names of links that lead out of the checkpoint.
    """
    layout = f"the layout of {plural(len(units), 'part')} ({grid.source})"
    wants = f"{layout} wants it"
    missing = [
        outside_path(unit.directory, wants)
        if unit.directory in links
        else missing_file(path, wants, rank=unit.rank)
        for unit in units
        for path in unit.absent
    ]
    wanted = {file.path for unit in units for file in unit.there}
    extra = [
        file.path
        for file in parts.files
        if file.path not in wanted and file.name.kind is not FileKind.DATALOADER and grid.ranks
    ]
    strangers = (extra_shard(extra, layout),) if extra else ()
    return (*_node_local(units), *capped(missing), *strangers)


def _node_local(units: tuple[Unit, ...]) -> tuple[Finding, ...]:
    """Whole parts of ranks that begin above 0: the directory of one node of several."""
    if any(file.problem for unit in units for file in unit.there):
        return ()
    ranks = (unit.rank for unit in units if unit.there)
    return node_local_part(ranks, "directories of this iteration", proven=True)


def _is_split(parts: PartFiles) -> bool:
    """The layout before 23.06; the unified file wins where both are there, as in the loader."""
    older = parts.of_kind(FileKind.MODEL, FileKind.OPTIMIZER)
    return bool(older) and not parts.of_kind(FileKind.UNIFIED)


def _is_distributed(parts: PartFiles, grid: Grid) -> bool:
    """Whether the optimizer's state lies in files of its own beside the model's."""
    if parts.of_kind(FileKind.DISTRIBUTED):
        return True
    models = parts.of_kind(FileKind.UNIFIED)
    if not models or parts.of_kind(FileKind.LAYER_WISE):
        return False
    told = grid.arguments.distributed_optimizer and grid.arguments.saves_optimizer
    return bool(told) or any(file.groups_alone for file in models)


def trains_nothing(model: PartFile | None, arguments: Arguments) -> bool:
    """A rank without trainable parameters writes neither the key nor the file."""
    if model is None or model.content is None or not arguments.freezes:
        return False
    return "optimizer" not in model.value


def _data_ranks(parts: PartFiles, grid: Grid, kind: FileKind) -> int:
    """How many data-parallel ranks wrote a file of this kind; 0 where none did."""
    files = parts.of_kind(kind)
    older = kind is FileKind.OPTIMIZER and grid.arguments.saves_optimizer
    if not files and not (older and grid.data):
        return 0
    seen = [f.name.fields[-1] if f.name.data_rank is None else f.name.data_rank for f in files]
    return grid.data or min(max(seen, default=0) + 1, len(files))
