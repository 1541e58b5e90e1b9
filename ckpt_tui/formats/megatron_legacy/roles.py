"""Which roles the parts of a Megatron-LM iteration hold, and for which ranks one is absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import (
    CONFIG,
    DATALOADER,
    MODEL,
    OPTIMIZER,
    PROGRESS,
    RNG,
    SCHEDULER,
)
from ckpt_tui.formats.megatron_legacy.demands import trains_nothing
from ckpt_tui.formats.megatron_legacy.names import FileKind
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.tensor_walk import tensor_bytes, walk_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.formats.megatron.arguments import Arguments
    from ckpt_tui.formats.megatron_legacy.demands import Unit
    from ckpt_tui.formats.megatron_legacy.parts import PartFile, PartFiles

_KEYED = (MODEL, OPTIMIZER, SCHEDULER, RNG, CONFIG)
_EACH_RANK = (OPTIMIZER, SCHEDULER, RNG, PROGRESS)
_OPTIMIZER_FILES = (FileKind.DISTRIBUTED, FileKind.LAYER_WISE)


def roles_of_units(
    units: tuple[Unit, ...], parts: PartFiles, arguments: Arguments, *, weights_alone: bool
) -> tuple[RoleFacts, ...]:
    """Roles over all parts.

    Args:
        units: The parts that the loader opens.
        parts: All files; the data's position is not asked for by rank.
        arguments: The job's arguments.
        weights_alone: Whether the loader takes nothing but the weights (`release`).
    """
    by_rank = {unit.rank: tuple(_roles_of(unit)) for unit in units}
    found = [role for roles in by_rank.values() for role in roles]
    found += [_by_name(file, DATALOADER) for file in parts.of_kind(FileKind.DATALOADER)]
    if weights_alone:
        found = [role for role in found if role.role in (MODEL, CONFIG)]
    read = [unit for unit in units if unit.model is not None and unit.model.content is not None]
    training = [unit for unit in read if not trains_nothing(unit.model, arguments)]
    return tuple(
        _with_gaps(role, training if role.role == OPTIMIZER else read, by_rank)
        for role in merge_roles(found)
    )


def _with_gaps(
    role: RoleFacts, holders: list[Unit], by_rank: dict[int, tuple[RoleFacts, ...]]
) -> RoleFacts:
    if role.role not in _EACH_RANK:
        return role
    lacking = (u.rank for u in holders if role.role not in {r.role for r in by_rank[u.rank]})
    return role._replace(missing_ranks=tuple(lacking))


def _roles_of(unit: Unit) -> Iterator[RoleFacts]:
    for file in unit.there:
        if file.content is None:
            yield from _by_end_mark(file)
        elif file.name.kind in _OPTIMIZER_FILES:
            yield from _of_optimizer_file(file)
        else:
            yield from _of_keys(file)


def _of_keys(file: PartFile) -> Iterator[RoleFacts]:
    if file.content is None:
        return
    yield from (role for role in file.content.roles if role.role in _KEYED)
    if file.iteration is not None:
        key = "iteration" if "iteration" in file.value else "total_iters"
        yield RoleFacts(PROGRESS, None, 1, f"key `{key}` in {file.path}", paths=(file.path,))


def _of_optimizer_file(file: PartFile) -> Iterator[RoleFacts]:
    size_bytes = tensor_bytes(walk_tensors(file.content.value if file.content else None))
    if size_bytes:
        evidence = f"the tensors of {file.path}"
        yield RoleFacts(OPTIMIZER, size_bytes, 1, evidence, paths=(file.path,))


def _by_end_mark(file: PartFile) -> Iterator[RoleFacts]:
    """A file that is whole but was not read: its name is all there is to go by."""
    if file.problem:
        return
    if file.name.kind in (*_OPTIMIZER_FILES, FileKind.OPTIMIZER):
        yield _by_name(file, OPTIMIZER)
    else:
        yield _by_name(file, MODEL)


def _by_name(file: PartFile, role: str) -> RoleFacts:
    return RoleFacts(role, file.entry.size_bytes, 1, f"the name of {file.path}", paths=(file.path,))
