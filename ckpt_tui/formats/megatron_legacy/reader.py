"""Megatron-LM's checkpoints in the `torch` format: one directory per model-parallel rank.

Data-parallel rank 0 of each part writes `distrib_optim.pt` and `model_optim_rng.pt` in place; after
a barrier rank 0 writes the tracker. Nothing in the directory marks the end of a save.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, OwnChoice, Reshard
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import CONFIG, DATALOADER, MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.megatron.naming import (
    RELEASE,
    is_megatron_name,
    load_flag,
    tracker_pointers,
)
from ckpt_tui.formats.megatron_legacy.agreement import (
    files_apart,
    lacking_keys,
    of_distributed_optimizer,
)
from ckpt_tui.formats.megatron_legacy.axes import axes_of_grid
from ckpt_tui.formats.megatron_legacy.demands import Unit, gaps, units_of
from ckpt_tui.formats.megatron_legacy.grid import Grid, grid_of
from ckpt_tui.formats.megatron_legacy.names import FileKind, kind_of_file, part_fields
from ckpt_tui.formats.megatron_legacy.parts import PartFiles, read_part_files
from ckpt_tui.formats.megatron_legacy.roles import roles_of_units
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.end_mark import not_read
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.problems import capped, name_disagrees
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.shards import shard_of
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer, RoleFacts, ShardFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

NAME = "megatron-legacy"

_MOST_LOOKED_INTO = 8
_NO_RULE = (
    "Megatron-LM writes each rank's files in place, without a commit mark: their end marks and the"
    " grid of ranks decide"
)
_RESHARD = Reshard(
    True,
    "by conversion: at the writer's own TP and PP with `--ckpt-convert-format torch_dist"
    " --ckpt-convert-save DIR`, then natively; tools/checkpoint/convert.py keeps the weights alone."
    " Another number of data-parallel ranks loads it as it is",
    (RNG,),
    converts=True,
)


class MegatronLegacyReader:
    """Reads `iter_NNNNNNN/mp_rank_TT[_PPP][_EEE]/`, and the layout of releases before 23.06."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory of parts; those that hold but a data loader's state are no checkpoint."""
        parts = [name for name in directory.directory_names() if part_fields(name)]
        if not parts:
            return ClaimKind.NO
        inside = [directory.sub(name) for name in parts[:_MOST_LOOKED_INTO]]
        held = [found for part in inside for n in part.file_names() if (found := kind_of_file(n))]
        ours = any(kind is not FileKind.DATALOADER for kind, _ in held)
        empty = is_megatron_name(directory.name) and not any(part.entries for part in inside)
        return ClaimKind.CHECKPOINT if ours or empty else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """No checkpoint of this format is a bare file."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """The tracker file holds an iteration, or the word `release`."""
        return tracker_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        parts = read_part_files(files)
        grid = grid_of(parts)
        units = units_of(parts, grid)
        step, where = _step(units)
        findings = [
            *capped(list(parts.findings)),
            *grid.findings,
            *_gaps(files, parts, grid, units),
        ]
        findings += [*lacking_keys(units), *files_apart(units)]
        findings += [*of_distributed_optimizer(units, grid.arguments, step)]
        findings += links_and_holes(files.tree)
        named = step_of_name(files.name)
        shown = step_to_show(step, named, findings)
        findings += name_disagrees(named, shown, None, where)
        release = files.name == RELEASE
        roles = roles_of_units(units, parts, grid.arguments, weights_alone=release)
        times = save_times([file.entry for unit in units for file in unit.there], None)
        tensors = [t for file in parts.files if file.content for t in file.content.tensors]
        return common_facts(files, NAME, CommitFacts(_NO_RULE, None), times)._replace(
            step=shown,
            world_size=grid.world_size,
            expected_ranks=tuple(sorted(grid.ranks.values())) if grid.ranks else None,
            roles=roles,
            shards=tuple(_shard(unit) for unit in units),
            axes=axes_of_grid(grid),
            files=file_table(files.tree, _marks(parts, units)),
            findings=tuple(dict.fromkeys(findings)),
            loader=_loader(files, units, roles),
            reshard=_RESHARD,
            export=release,
            save_mode="sync",
            not_checked=_not_checked(parts, grid, units),
            evidence=f"step from {where}" if shown == step else "step from the directory's name",
            tensors=tuple(tensors[:MOST_TENSORS]),
            tensors_total=sum(f.content.tensors_total for f in parts.files if f.content),
        )


def _gaps(
    files: CheckpointFiles, parts: PartFiles, grid: Grid, units: tuple[Unit, ...]
) -> tuple[Finding, ...]:
    links = frozenset(entry.path for entry in files.tree.entries if entry.kind is Kind.LINK)
    return gaps(parts, grid, units, links)


def _step(units: tuple[Unit, ...]) -> tuple[int | None, str]:
    for unit in units:
        if unit.model is not None and unit.model.iteration is not None:
            return unit.model.iteration, f"key `iteration` in {unit.model.path}"
    return None, ""


def _shard(unit: Unit) -> ShardFacts:
    problem = next((file.problem for file in unit.there if file.problem), "")
    if not unit.there:
        problem = "missing"
    elif unit.absent and not problem:
        problem = "short"
    paths = (*(file.path for file in unit.there), *unit.absent)
    return shard_of(unit.rank, (file.entry for file in unit.there), problem, paths=paths)


def _marks(parts: PartFiles, units: tuple[Unit, ...]) -> dict[str, Mark]:
    ranks = {file.path: unit.rank for unit in units for file in unit.there}
    marks = {}
    for file in parts.files:
        held = [found.role for found in file.content.roles] if file.content else []
        note = f"holds {', '.join(held)}" if len(held) > 1 else file.problem
        marks[file.path] = Mark(_ROLE_OF_KIND[file.name.kind], ranks.get(file.path), note)
    return marks


_ROLE_OF_KIND = {
    FileKind.UNIFIED: MODEL,
    FileKind.MODEL: MODEL,
    FileKind.DISTRIBUTED: OPTIMIZER,
    FileKind.OPTIMIZER: OPTIMIZER,
    FileKind.LAYER_WISE: OPTIMIZER,
    FileKind.DATALOADER: DATALOADER,
}


def _loader(
    files: CheckpointFiles, units: tuple[Unit, ...], roles: tuple[RoleFacts, ...]
) -> LoaderFacts:
    """The loader stops without a schedule, and without a random state unless told to go on."""
    apart = any(f.name.kind is FileKind.DISTRIBUTED for unit in units for f in unit.others)
    without_rng = all(role.role != RNG or role.missing_ranks for role in roles)
    named = is_megatron_name(files.name)
    return LoaderFacts(
        needs=frozenset({SCHEDULER, PROGRESS}),
        tolerates=frozenset({RNG, CONFIG}),
        flag=load_flag(files.path, by_tracker=apart, without_rng=without_rng),
        tag=files.name,
        own_choice=OwnChoice.POINTER if named else OwnChoice.NONE,
    )


def _not_checked(parts: PartFiles, grid: Grid, units: tuple[Unit, ...]) -> tuple[str, ...]:
    phrases = ["the bytes of tensors", *not_read(parts.unread)]
    if grid.data is None:
        phrases.append("the number of data-parallel ranks (no file tells it)")
    if any(f.name.kind is FileKind.DISTRIBUTED for unit in units for f in unit.others):
        phrases.append(f"the iteration of {FileKind.DISTRIBUTED} (it holds none)")
    return tuple(phrases)
