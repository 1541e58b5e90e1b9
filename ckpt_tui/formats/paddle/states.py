"""What one file of `paddle.save` holds: told by its keys, by its ending only where these are mute.

`Optimizer.state_dict` names an accumulator by its parameter (`linear_0.w_0_moment1_0`, where it is
distributed `fc.weight.moment1_0`), and keeps
the schedule under `LR_Scheduler` and the fp32 weights of mixed precision under `master_weights`
(paddle 3.3.1, `optimizer/optimizer.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.paddle.names import OPTIMIZER_STATE
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, content_of_value
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.tensor_walk import has_tensor, tensor_bytes, walk_tensors

if TYPE_CHECKING:
    from ckpt_tui.artifacts.pickle_arrays import ArrayPickle

SCHEDULE, MASTER_WEIGHTS = "LR_Scheduler", "master_weights"
_LAST_EPOCH = "last_epoch"
"""What PaddleDetection adds to the optimizer's state, and starts from (`ppdet/utils`)."""
_OF_PAIRS = "StructuredToParameterName@@"
_OF_SLICES = "UnpackBigParamInfor@@"
_ACCUMULATOR = re.compile(
    r".+[_.](?:moment\d?|velocity|beta[12]_pow_acc|mean_square|mean_grad|momentum|inf_norm|squared"
    r"|linear|_avg_squared_(?:grad|update)|fp32_master)(?:_acc)?_\d+"
)
_MOST_DEPTH = 4


class PaddleState(NamedTuple):
    """One file.

    Attributes:
        content: Roles, step and tensors.
        schedule: How often its schedule has stepped; None where it holds none.
    """

    content: ArchiveContent
    schedule: int | None = None


def state_of(pickle: ArrayPickle, path: str) -> PaddleState:
    """Roles of a file that was read.

    Args:
        pickle: The file.
        path: Relative path, for the evidence and its ending.
    """
    value = _plain(pickle.value, _MOST_DEPTH)
    content = content_of_value(
        value, lambda held: whole_number(pickle.number(held)), pickle.globals, path
    )._replace(findings=())
    optimizer = _optimizer_of(value, path)
    if optimizer is not None:
        roles = _optimizer_roles(optimizer, content, path)
        counted = whole_number(optimizer.get(_LAST_EPOCH))
        content = content._replace(
            roles=roles, epoch=counted if content.epoch is None else content.epoch
        )
    elif _is_random(value) and not content.roles:
        evidence = f"the content of {path}"
        content = content._replace(roles=(RoleFacts(RNG, None, 1, evidence, paths=(path,)),))
    else:
        content = content._replace(roles=(*content.roles, *_schedule_inside(content, path)))
    return PaddleState(content, _schedule_count(value))


def is_accumulator(name: str) -> bool:
    """Whether a tensor is a part of an optimizer's state, by its name."""
    return _ACCUMULATOR.fullmatch(name) is not None or name.startswith(f"{MASTER_WEIGHTS}.")


def _plain(value: object, depth: int) -> object:
    """Without what `paddle.save` adds; a tensor that is kept with its name is the tensor."""
    if isinstance(value, tuple) and not isinstance(value, TensorInfo) and len(value) == 2:
        name, held = value
        return held if isinstance(name, str) and isinstance(held, TensorInfo) else value
    if not isinstance(value, dict) or depth <= 0:
        return value
    return {
        key: _plain(part, depth - 1)
        for key, part in value.items()
        if key not in (_OF_PAIRS, _OF_SLICES)
    }


def _optimizer_of(value: object, path: str) -> dict[object, object] | None:
    """The state of an optimizer, where the whole file is one."""
    if not isinstance(value, dict):
        return None
    ours = {SCHEDULE, MASTER_WEIGHTS}
    told = any(key in ours or (isinstance(key, str) and is_accumulator(key)) for key in value)
    by_ending = path.endswith(OPTIMIZER_STATE) and not _is_schedule(value)
    foreign = any(isinstance(part, dict) for key, part in value.items() if key not in ours)
    return value if (told or by_ending) and not foreign else None


def _optimizer_roles(
    state: dict[object, object], content: ArchiveContent, path: str
) -> tuple[RoleFacts, ...]:
    tensors = walk_tensors(state)
    evidence = f"the content of {path}"
    if not tensors:
        evidence += ", without any state tensor (saved before the first step, or plain SGD)"
    roles = [RoleFacts(OPTIMIZER, tensor_bytes(tensors) or None, 1, evidence, paths=(path,))]
    # The rate is a variable of a static program's optimizer, and no weight.
    may_have_model = not path.endswith(OPTIMIZER_STATE)
    weights = [name for name, part in state.items() if may_have_model and _is_weight(name, part)]
    if weights and any(isinstance(name, str) and is_accumulator(name) for name in state):
        roles += [role for role in content.roles if role.role == MODEL]
    if whole_number(state.get(_LAST_EPOCH)) is not None:
        evidence = f"key `{_LAST_EPOCH}` in {path}"
        roles.append(RoleFacts(PROGRESS, None, 1, evidence, paths=(path,)))
    if _is_schedule(state.get(SCHEDULE)):
        evidence = f"key `{SCHEDULE}` in {path}"
        roles.append(RoleFacts(SCHEDULER, None, 1, evidence, paths=(path,)))
    return tuple(roles)


def _is_weight(name: object, part: object) -> bool:
    return isinstance(part, TensorInfo) and not (isinstance(name, str) and is_accumulator(name))


def _is_schedule(value: object) -> bool:
    return isinstance(value, dict) and {"last_epoch", "last_lr"} <= set(value)


def _schedule_inside(content: ArchiveContent, path: str) -> tuple[RoleFacts, ...]:
    """The schedule within an optimizer's state that is one of several states of a file."""
    if content.role(SCHEDULER) is not None:
        return ()
    if _is_schedule(content.value):
        evidence = f"the content of {path}"
        return (RoleFacts(SCHEDULER, None, 1, evidence, paths=(path,)),)
    for key, part in content.top.items():
        inside = isinstance(part, dict) and _is_schedule(part.get(SCHEDULE))
        if inside or _is_schedule(part):
            evidence = f"key `{key}{f'.{SCHEDULE}' if inside else ''}` in {path}"
            return (RoleFacts(SCHEDULER, None, 1, evidence, paths=(path,)),)
    return ()


def _schedule_count(value: object) -> int | None:
    if not isinstance(value, dict):
        return None
    held = value if _is_schedule(value) else value.get(SCHEDULE)
    return whole_number(held.get("last_epoch")) if isinstance(held, dict) else None


def _is_random(value: object) -> bool:
    """The states of Paddle's generators, one of each device; or those of several libraries."""
    if isinstance(value, list | tuple) and value:
        return all(isinstance(p, Instance) and p.name == "GeneratorState" for p in value)
    if isinstance(value, Instance):
        return value.name == "GeneratorState"
    known = {"python", "numpy", "cuda", "cpu"}
    return isinstance(value, dict) and len(known.intersection(value)) > 1 and not _has_model(value)


def _has_model(value: object) -> bool:
    parts = value.values() if isinstance(value, dict) else ()
    return any(isinstance(part, dict) and has_tensor(part) for part in parts)
