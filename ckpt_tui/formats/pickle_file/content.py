"""Which roles a pickle of a hand-written loop holds: by its keys, else by the kinds of its parts.

Optax keeps the position in a schedule (`ScaleByScheduleState.count`) in the optimizer's state, so
whoever restores that restores the schedule (optax 0.2.8, `transforms`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.shared.archive_roles import (
    ArchiveContent,
    content_of_value,
    parts_by_role,
)
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.array_tree import tree_of_names
from ckpt_tui.formats.shared.pickled import as_dictionary
from ckpt_tui.formats.shared.roles import role_of_key
from ckpt_tui.formats.shared.tensor_walk import has_tensor, walk_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ckpt_tui.artifacts.pickle_arrays import ArrayPickle

_OPTAX = "optax"
_SCHEDULE_STATE = "ScaleByScheduleState"
_KEY_ARRAY = "PRNGKeyArray"
_KEY_WORDS = ("key", "rng", "seed")
_KEY_SHAPES = frozenset({(2,), (4,)})
_STATE_KEYS = frozenset({"params", "model", "state_dict", "model_state_dict", "weights"})
_MOST_NODES = 100_000
_FEWEST_FIELDS, _MOST_FIELDS = 2, 64
_MOST_TUPLES = 2
_LONGEST_NAME, _MOST_NAME_CHARACTERS = 256, 1 << 20
_KEY_OF_ROLE = {MODEL: "params", OPTIMIZER: "opt_state", RNG: "rng", PROGRESS: "step"}


def content_of_pickle(pickle: ArrayPickle, path: str) -> ArchiveContent:
    """Roles, step and tensors of a file.

    Args:
        pickle: The file as it was read.
        path: Relative path, for the evidence.
    """
    value, items = _by_key(pickle.values[0] if len(pickle.values) == 1 else pickle.values)
    content = content_of_value(
        value, lambda held: whole_number(pickle.number(held)), pickle.globals, path
    )._replace(findings=())
    roles = list(content.roles)
    if items:
        roles = [
            role._replace(evidence=f"item {items[role.role]} in {path}")
            if role.role in items
            else role
            for role in roles
        ]
    return content._replace(roles=(*roles, *_beyond_keys(value, roles, path)))


def _by_key(value: object, depth: int = _MOST_TUPLES) -> tuple[object, dict[str, int]]:
    """The value as a dictionary; of a tuple without keys also which item holds which role.

    Args:
        value: What the file holds.
        depth: How many named tuples are opened, one in another.
    """
    top = as_dictionary(value)
    if top is not None:
        return {key: _opened(part, depth) for key, part in _unflattened(top).items()}, {}
    if isinstance(value, Instance):
        return _of_named_tuple(value, depth) or (value, {})
    if not isinstance(value, tuple | list) or isinstance(value, TensorInfo):
        return value, {}
    if len(value) == 1 or all(as_dictionary(part) is not None for part in value):
        joined = _joined(value)
        if joined is not None:
            return joined, {}
    found: dict[object, object] = {}
    items: dict[str, int] = {}
    for place, part in enumerate(value):
        inner = as_dictionary(_opened(part, depth))
        if inner is not None and _names_states(inner):
            found.update(inner)
            continue
        role = _role_of_item(part)
        if role is not None and role not in items:
            found[_KEY_OF_ROLE[role]] = part
            items[role] = place
    return found or value, items


def _unflattened(
    top: Mapping[object, object],
) -> Mapping[str, object] | Mapping[object, object]:
    """The states of a flattened tree, by the first parts of its names or of its tuples of names."""
    flat = {name: part for key, part in top.items() if (name := _flat_name(key))}
    if len(flat) < len(top) or sum(map(len, flat)) > _MOST_NAME_CHARACTERS:
        return top
    nested = tree_of_names(flat)
    model, optimizer = (_matrices(nested, role) for role in (MODEL, OPTIMIZER))
    return nested if model & optimizer else top


def _matrices(nested: Mapping[str, object], role: str) -> set[tuple[int, ...]]:
    """Shapes of a state's matrices: moments have those of weights; curves of a log are none."""
    parts = (part for key, part in nested.items() if role_of_key(key) == role)
    shapes = (tensor.info.shape for part in parts for tensor in walk_tensors(part))
    return {shape for shape in shapes if len(shape) > 1}


def _flat_name(key: object) -> str:
    """A key of a flattened tree as one name; "" for what is none."""
    parts = key if isinstance(key, tuple) else (key,)
    strings = [part for part in parts if isinstance(part, str)]
    name = "/".join(strings)
    return name if len(strings) == len(parts) and len(name) <= _LONGEST_NAME else ""


def _of_named_tuple(value: Instance, depth: int) -> tuple[object, dict[str, int]] | None:
    """The states that a named tuple of the job's own holds: pickle keeps no names of its fields."""
    fits = _FEWEST_FIELDS <= len(value.args) <= _MOST_FIELDS
    if depth <= 0 or not fits or value.module.startswith(_OPTAX):
        return None
    found, items = _by_key(value.args, depth - 1)
    held = isinstance(found, dict) and {role_of_key(key) for key in found} & {MODEL, OPTIMIZER}
    return (found, items) if held else None


def _opened(part: object, depth: int) -> object:
    """A class that holds states (a `TrainState` under a key) as a dictionary."""
    if not isinstance(part, Instance):
        return part
    inner = as_dictionary(part)
    if inner is None:
        named = _of_named_tuple(part, depth)
        return named[0] if named is not None else part
    return dict(inner) if any(role_of_key(key) in _KEY_OF_ROLE for key in inner) else part


def _joined(parts: tuple[object, ...] | list[object]) -> dict[object, object] | None:
    """Several dictionaries with keys of states as one."""
    found: dict[object, object] = {}
    for part in parts:
        found.update(as_dictionary(part) or {})
    roles = {role_of_key(key) for key in found}
    return found if roles & {MODEL, OPTIMIZER} else None


def _names_states(inner: Mapping[object, object]) -> bool:
    """Whether keys name states, and not the layers of a model, one of which may be `encoder`."""
    return any(key in _STATE_KEYS or role_of_key(key) == OPTIMIZER for key in inner)


def _role_of_item(part: object) -> str | None:
    """The role of a part that has no key, by what it is."""
    if whole_number(part) is not None or _is_count(part):
        return PROGRESS
    if _is_random(part):
        return RNG
    if any(node.module.startswith(_OPTAX) for node in _instances(part)):
        return OPTIMIZER
    nested = as_dictionary(part)
    return MODEL if nested is not None and has_tensor(nested) else None


def _is_count(part: object) -> bool:
    return isinstance(part, TensorInfo) and not part.shape and "int" in part.dtype


def _is_random(part: object) -> bool:
    if isinstance(part, Instance):
        return part.name == _KEY_ARRAY or part.module.startswith("numpy.random")
    return isinstance(part, TensorInfo) and part.dtype == "uint32" and part.shape in _KEY_SHAPES


def _beyond_keys(value: object, roles: list[RoleFacts], path: str) -> Iterator[RoleFacts]:
    """Roles that no key names: keys of jax, the schedule within optax, a tree of weights."""
    known = {role.role for role in roles}
    top: Mapping[object, object] = value if isinstance(value, dict) else {}
    if RNG not in known and (name := _random_key(top)) is not None:
        yield RoleFacts(RNG, None, 1, f"key `{name}` in {path}", paths=(path,))
    if SCHEDULER not in known and OPTIMIZER in known and (held := _schedule(value)):
        yield RoleFacts(SCHEDULER, None, 1, f"`{held}.count` in {path}", paths=(path,))
    if not known and top and _is_tree_of_arrays(top):
        size = sum(info.size_bytes for _, info in walk_tensors(top))
        yield RoleFacts(MODEL, size, 1, f"the content of {path}: a tree of arrays", paths=(path,))


def _random_key(top: Mapping[object, object]) -> str | None:
    for key, part in top.items():
        worded = isinstance(key, str) and any(word in key.lower() for word in _KEY_WORDS)
        drawn = isinstance(part, Instance) and part.name == _KEY_ARRAY
        if drawn or (worded and _is_random(part)):
            return str(key)
    return None


def _schedule(value: object) -> str:
    """Name of optax's state that counts the steps of its schedule, or of what stands for one."""
    parts = [part for _, part in parts_by_role(value).get(OPTIMIZER, [])]
    counting = ""
    for part in parts:
        for node in _instances(part):
            if not node.module.startswith(_OPTAX):
                continue
            if node.name == _SCHEDULE_STATE:
                return node.name
            if not counting and any(_is_number(argument) for argument in node.args):
                counting = node.name
    return counting


def _is_number(part: object) -> bool:
    return _is_count(part) or whole_number(part) is not None


def _instances(value: object) -> Iterator[Instance]:
    """All instances within a value, each container entered once."""
    pending, entered = [value], set[int]()
    while pending and len(entered) < _MOST_NODES:
        node = pending.pop()
        if id(node) in entered or isinstance(node, TensorInfo):
            continue
        if isinstance(node, Instance):
            yield node
            inner = list(node.parts)
        elif isinstance(node, dict):
            inner = list(node.values())
        elif isinstance(node, list | tuple):
            inner = list(node)
        else:
            continue
        entered.add(id(node))
        pending += [part for part in inner if isinstance(part, dict | list | tuple | Instance)]


def _is_tree_of_arrays(top: Mapping[object, object]) -> bool:
    """Whether there are nothing but arrays below names, more than one level deep."""
    pending: list[object] = [top]
    nested, seen = False, 0
    while pending and seen < _MOST_NODES:
        node = pending.pop()
        seen += 1
        if isinstance(node, dict):
            if not node or not all(isinstance(key, str) for key in node):
                return False
            nested = nested or node is not top
            pending += list(node.values())
        elif not isinstance(node, TensorInfo) or math.prod(node.shape) == 0:
            return False
    return nested
