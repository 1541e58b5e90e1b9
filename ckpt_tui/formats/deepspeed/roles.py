"""Which roles the files of a DeepSpeed step hold.

The scheduler is in the model file; ZeRO stage 3 keeps the weights in the optimizer's partitions
(`fp32_flat_groups`) and leaves `module` with tensors of no elements, by design.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import DATALOADER, MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.deepspeed.names import PartKind
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.tensor_walk import tensor_bytes, walk_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.formats.deepspeed.layout import Layout
    from ckpt_tui.formats.deepspeed.parts import Part, Parts

_FLAT_GROUPS = "fp32_flat_groups"


def roles_of_parts(parts: Parts, layout: Layout) -> tuple[RoleFacts, ...]:
    """Roles over all files; a random state that only some ranks stored names the others."""
    found = [role for part in parts.parts for role in _roles_of(part, layout)]
    return tuple(
        role._replace(missing_ranks=_ranks_without_rng(parts, layout)) if role.role == RNG else role
        for role in merge_roles(found)
    )


def _roles_of(part: Part, layout: Layout) -> Iterator[RoleFacts]:
    if part.content is None:
        yield from _by_end_mark(part)
    elif part.name.kind is PartKind.MODEL:
        yield from _roles_of_model_file(part, layout)
    elif part.name.kind is PartKind.OPTIMIZER:
        yield from _roles_of_partition(part, layout)
    else:
        size_bytes = sum(tensor.size_bytes for tensor in part.content.tensors)
        optimizer = part.name.kind is PartKind.EXPERT and "optim" in part.path
        yield _role(OPTIMIZER if optimizer else MODEL, size_bytes, f"the keys of {part.path}", part)


def _roles_of_model_file(part: Part, layout: Layout) -> Iterator[RoleFacts]:
    for role in part.content.roles if part.content else ():
        if role.role in (SCHEDULER, RNG, DATALOADER):
            yield role
    if part.value.get("optimizer") and not layout.partitioned:
        size_bytes = _size(part.value.get("optimizer"))
        yield _role(OPTIMIZER, size_bytes, f"key `optimizer` in {part.path}", part)
    if part.number("global_steps") is not None:
        yield _role(PROGRESS, None, f"key `global_steps` in {part.path}", part)
    size_bytes = _size(part.value.get("module"))
    if size_bytes and layout.stage != 3:
        yield _role(MODEL, size_bytes, f"key `module` in {part.path}", part)


def _roles_of_partition(part: Part, layout: Layout) -> Iterator[RoleFacts]:
    state = part.value.get("optimizer_state_dict")
    if not isinstance(state, Mapping):
        return
    evidence = f"key `optimizer_state_dict` in {part.path}"
    weights = _size(state.get(_FLAT_GROUPS)) if layout.stage == 3 else 0
    yield _role(OPTIMIZER, _size(state) - weights, evidence, part)
    if layout.stage == 3 and _FLAT_GROUPS in state:
        yield _role(MODEL, weights, f"key `{_FLAT_GROUPS}` in {part.path} (ZeRO stage 3)", part)


def _by_end_mark(part: Part) -> Iterator[RoleFacts]:
    """A file that is whole but was not read: its name is all there is to go by."""
    if part.problem:
        return
    role = OPTIMIZER if part.name.kind is PartKind.OPTIMIZER else MODEL
    yield _role(role, part.entry.size_bytes, f"the name of {part.path}", part)


def _ranks_without_rng(parts: Parts, layout: Layout) -> tuple[int, ...]:
    """Ranks whose random state nobody stored; files that were not read are not held against it."""
    models = parts.of_kind(PartKind.MODEL)
    have = {
        layout.rank(part.name)
        for part in models
        if part.content is None or part.content.role(RNG) is not None
    }
    return tuple(rank for rank in range(layout.world_size) if rank not in have)


def _size(value: object) -> int:
    return tensor_bytes(walk_tensors(value))


def _role(role: str, size_bytes: int | None, evidence: str, part: Part) -> RoleFacts:
    return RoleFacts(role, size_bytes, 1, evidence, paths=(part.path,))
