"""Which states a tree of arrays holds: by its keys, and by the shape of optax's and flax's states.

optax keeps the moments of a parameter tree under `mu`, `nu` or `trace` and counts its updates in
`count`, which schedules go by; `flax.optim` kept `target` and `state` with `param_states`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.core.facts import RoleFacts, TensorFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.shared.archive_step import FoundStep, find_epoch, find_step
from ckpt_tui.formats.shared.array_tree import Node, arrays, has_array, items, nodes, number_of
from ckpt_tui.formats.shared.bounds import MOST_TENSORS
from ckpt_tui.formats.shared.flat_names import roles_of_flat_names
from ckpt_tui.formats.shared.moments import is_of_optimizer, names_apart
from ckpt_tui.formats.shared.roles import role_of_file_name, role_of_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.shared.array_tree import StatesByRole

_TARGET = "target"
_COUNTS = ("count", "gradient_step", "mini_step")
_CLOCK = "accum_train_time"
"""Big Vision keeps its clock beside the states, and takes its step from the optimizer's count."""
_SHOWN_KEYS = 3
_KEY_LENGTHS = (2, 4)
_NOT_A_STATE: tuple[object, ...] = (None, "", {}, [], ())


class States(NamedTuple):
    """What a tree holds.

    Attributes:
        roles: One entry per role, each with the file as its only path.
        step: Training iteration, where the content holds it.
        epoch: Count of epochs, where a key holds it.
        keyed: Whether any key or shape tells a role; else the tree may be anything.
        tensors: At most `MOST_TENSORS`; `tensors_total` is the real count.
        findings: What contradicts itself in the tree.
    """

    roles: tuple[RoleFacts, ...] = ()
    step: FoundStep | None = None
    epoch: int | None = None
    keyed: bool = False
    tensors: tuple[TensorFacts, ...] = ()
    tensors_total: int = 0
    findings: tuple[Finding, ...] = ()

    def has(self, *names: str) -> bool:
        """Whether it holds every one of these roles."""
        return set(names) <= {role.role for role in self.roles}


def states_of(tree: object, path: str, named: str | None = None) -> States:
    """Roles, step and arrays of one file's tree.

    Args:
        tree: Dictionaries, lists, scalars and `StoredArray`.
        path: Relative path of the file, for the evidence.
        named: The role that the file's name gives to a tree whose keys tell none.
    """
    parts = parts_of(tree)
    keyed = bool({MODEL, OPTIMIZER} & set(parts)) or (bool(parts) and named is None)
    if not keyed and named is not None:
        parts = {named: [((), tree)]} if _can_be(named, tree) else {}
    elif set(parts) == {MODEL}:
        parts = {MODEL: [((), tree)]}  # layers may be called as models are: `encoder`
    step = _step(tree, parts, path) if keyed or named == PROGRESS else None
    epoch = find_epoch(_plain(tree)) if keyed or named == PROGRESS else None
    for key in ([step.key] if step else []) + (["epoch"] if epoch is not None else []):
        parts.setdefault(PROGRESS, [((key,), None)])
    roles = [_role_facts(role, held, path) for role, held in parts.items()]
    if OPTIMIZER in parts and SCHEDULER not in parts:
        roles += _counted(parts[OPTIMIZER], path)
    listed = listed_arrays(tree, parts)
    shown = tuple(
        TensorFacts(name, array.dtype, array.shape, array.size_bytes, role, path)
        for name, array, role in listed[:MOST_TENSORS]
    )
    apart = names_apart(parts, path)
    return States(tuple(roles), step, epoch, keyed, shown, len(listed), apart)


def listed_arrays(tree: object, parts: StatesByRole) -> list[tuple[str, StoredArray, str]]:
    """All arrays of a tree: name, array, and the role of the state that it is of, or "".

    Args:
        tree: The whole tree.
        parts: Its states by their roles.
    """
    role_of = {
        id(node.value): role
        for role, held in parts.items()
        for _, value in held
        for node in nodes(value)
    }
    return [(name, array, role_of.get(id(array), "")) for name, array in arrays(tree)]


def parts_of(tree: object) -> StatesByRole:
    """Role → (keys, value) of each state that a key or the shape of a value tells."""
    found: StatesByRole = {}
    for keys, value in _states(tree):
        target = len(keys) > 1 and keys[-1] == _TARGET and has_array(value)
        role = MODEL if target else role_of_item(keys[-1], value)
        if role is not None:
            found.setdefault(role, []).append((keys, value))
    flat = {} if found.keys() & {MODEL, OPTIMIZER} else roles_of_flat_names(tree)
    return {**found, **flat}


def role_of_item(key: str, value: object) -> str | None:
    """The role of one state, or None where neither its key nor its shape tells it."""
    if value in _NOT_A_STATE:
        return None
    role = role_of_key(key)
    if role == PROGRESS:
        return PROGRESS if number_of(value) is not None or isinstance(value, Mapping) else None
    if role is not None and _can_be(role, value):
        return role
    if _is_optimizer(value):
        return OPTIMIZER
    by_words = role_of_file_name(key)
    if by_words == RNG or _is_random_key(key, value):
        return RNG
    return by_words if by_words in (MODEL, OPTIMIZER) and _can_be(by_words, value) else None


def _states(tree: object) -> Iterable[tuple[tuple[str, ...], object]]:
    """The states of a tree: those below a key that wraps them all are taken one by one."""
    found: list[tuple[tuple[str, ...], object]] = []
    for key, value in items(tree):
        if _is_pair_of_flax(value) or _wraps(value):
            inner = [((str(key), str(name)), part) for name, part in items(value)]
            found += [(keys, part) for keys, part in inner if not _wraps(part)]
            found += [
                ((*keys, str(name)), item)
                for keys, part in inner
                if _wraps(part)
                for name, item in items(part)
            ]
        else:
            found.append(((str(key),), value))
    if all(keys[0].isdecimal() for keys, _ in found):
        return _of_tuple(found)
    return found


def _wraps(value: object) -> bool:
    """Whether a dictionary holds a model beside other states, and so the whole checkpoint."""
    if not isinstance(value, Mapping):
        return False
    roles = {role_of_key(key) for key in value}
    return MODEL in roles and bool(roles & {OPTIMIZER, PROGRESS, SCHEDULER})


def _is_pair_of_flax(value: object) -> bool:
    """`flax.optim.Optimizer`: the model is its `target`."""
    return isinstance(value, Mapping) and set(value) == {_TARGET, "state"}


def _of_tuple(
    found: list[tuple[tuple[str, ...], object]],
) -> list[tuple[tuple[str, ...], object]]:
    """A tuple such as (step, params, opt_state), whose places have numbers for keys."""
    if not any(_is_optimizer(value) for _, value in found):
        return []
    named = []
    for keys, value in found:
        if _is_optimizer(value):
            name = "opt_state"
        elif number_of(value) is not None:
            name = "step"
        else:
            name = "rng" if _is_random_key("key", value) else "params"
        named.append(((*keys, name), value))
    return named


def _is_optimizer(value: object) -> bool:
    """Whether the state of an optimizer lies in it, by the keys of optax or flax."""
    return any(
        isinstance(node.value, Mapping) and is_of_optimizer(node.value.keys())
        for node in nodes(value)
    )


def _is_random_key(key: str, value: object) -> bool:
    """`jax.random` keys are two or four numbers of 32 bits each."""
    if not isinstance(value, StoredArray) or value.dtype != "uint32" or not value.shape:
        return False
    return value.shape[-1] in _KEY_LENGTHS and "key" in key.lower()


def _can_be(role: str, value: object) -> bool:
    """Whether a value can be the state that its name says."""
    if role == MODEL:
        return has_array(value)
    if role in (OPTIMIZER, SCHEDULER):
        return isinstance(value, Mapping | list | tuple) and bool(value)
    return value not in _NOT_A_STATE


def _step(tree: object, parts: StatesByRole, path: str) -> FoundStep | None:
    """The step by its key: at the top, in a state that wraps all, or in the optimizer's own.

    A file that holds a number and no key has its name for one.
    """
    found = find_step(_plain(tree), number_of)
    if found is not None:
        return found
    for keys, value in parts.get(PROGRESS, []):
        number = number_of(value)
        own = keys or (path.rpartition("/")[2],)
        if number is not None and "epoch" not in own[-1].lower():
            return FoundStep(number, ".".join(own))
        inner = find_step(_plain(value), number_of)
        if inner is not None:
            return FoundStep(inner.value, ".".join((*keys, inner.key)))
    for keys, value in parts.get(OPTIMIZER, []):
        number = number_of(value.get("step")) if isinstance(value, Mapping) else None
        if number is not None:
            return FoundStep(number, ".".join((*keys, "step")))
    has_clock = any(_CLOCK in dict(items(value)) for _, value in items(tree))
    count = _count(parts.get(OPTIMIZER, [])) if has_clock else None
    return FoundStep(number_of(count.value) or 0, count.name) if count is not None else None


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def _counted(held: list[tuple[tuple[str, ...], object]], path: str) -> list[RoleFacts]:
    """The schedule's progress, which optax keeps in the optimizer's state."""
    count = _count(held)
    if count is None:
        return []
    evidence = f"key `{count.name}` in {path}, which schedules go by"
    return [RoleFacts(SCHEDULER, None, 1, evidence, paths=(path,))]


def _count(held: list[tuple[tuple[str, ...], object]]) -> Node | None:
    """How often an optimizer has updated, as optax counts."""
    found = (node for keys, value in held for node in nodes(value, keys))
    counts = (node for node in found if node.keys and node.keys[-1] in _COUNTS)
    return next((node for node in counts if number_of(node.value) is not None), None)


def _role_facts(role: str, held: list[tuple[tuple[str, ...], object]], path: str) -> RoleFacts:
    names = [".".join(keys) for keys, _ in held if keys]
    shown = ", ".join(f"`{name}`" for name in names[:_SHOWN_KEYS])
    if len(names) > _SHOWN_KEYS:
        shown += f" and {len(names) - _SHOWN_KEYS} more"
    size_bytes = sum(array.size_bytes for _, value in held for _, array in arrays(value))
    evidence = f"key {shown} in {path}" if names else f"the content of {path}"
    if role == OPTIMIZER and not size_bytes:
        evidence += ", without any array (an optimizer that keeps none)"
    return RoleFacts(role, size_bytes or None, 1, evidence, paths=(path,))
