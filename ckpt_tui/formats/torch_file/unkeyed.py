"""States that no key names: a list of them, the attributes of an object, a TorchScript module.

Loops save `[model.state_dict(), optimizer.state_dict()]`, a whole `(model, criterion, optimizer)`,
or add the rest to the model's own dictionary. What a part is shows in its kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.torch_tensors import TensorInfo
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS, RNG, SCHEDULER
from ckpt_tui.formats.shared.archive_roles import content_of_value, parts_by_role
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.roles import role_of_file_name, roles_of_keys
from ckpt_tui.formats.shared.tensor_walk import tensor_bytes, walk_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.formats.shared.archive_roles import ArchiveContent

_SCRIPTED = "__torch__."
_SCHEDULERS = "torch.optim.lr_scheduler."
_OPTIMIZERS = "torch.optim."
_WEIGHT = "weight"
_MOST_ITEMS = 16
_CPU_GENERATOR = ("uint8", (5056,))
"""Type and shape of `torch.get_rng_state()`."""
# A bare number may count steps or epochs: it orders checkpoints, and is told as no step.
_KEYS = {MODEL: "model", OPTIMIZER: "optimizer", SCHEDULER: "scheduler", PROGRESS: "epoch"}


def with_unkeyed(content: ArchiveContent, path: str) -> ArchiveContent:
    """The content with the roles of states that have no key; as it is where a key names a model.

    Args:
        content: What the keys of a file told.
        path: Relative path, for the evidence.
    """
    if content.role(MODEL) is not None:
        return content
    value, told = _by_key(content.value, path)
    if not told:
        return content
    found = content_of_value(value, whole_number, content.globals, path)
    roles = tuple(
        role._replace(evidence=told[role.role]) if role.role in told else role
        for role in found.roles
    )
    step = content.step or found.step
    return found._replace(roles=roles, step=step, protocol=content.protocol, recent=content.recent)


def role_of_part(content: ArchiveContent, path: str) -> RoleFacts | None:
    """The role of a file of one state that its name claims and its kind confirms.

    A job with several optimizers saves a list of their states, others an object as it is.

    Args:
        content: What its keys told; nothing is added where they name a role.
        path: Relative path of the file.
    """
    named = role_of_file_name(path.rpartition("/")[2])
    if content.roles or named not in (MODEL, OPTIMIZER, SCHEDULER):
        return None
    value = content.value
    items = value if isinstance(value, list | tuple) else [value]
    if not any(role == named for _, item in _distinct(items) for role, _, _ in _kinds(item)):
        return None
    size_bytes = tensor_bytes(walk_tensors(value)) or None
    return RoleFacts(named, size_bytes, 1, f"the content of {path}", paths=(path,))


def _by_key(value: object, path: str) -> tuple[object, dict[str, str]]:
    """The value as a dictionary, and what tells each role that has no key of its own."""
    if isinstance(value, Instance):
        if value.qualified_name.startswith(_SCRIPTED):
            return {_KEYS[MODEL]: value}, {MODEL: f"the content of {path}"}
        return _of_object(value, path)
    if isinstance(value, list | tuple) and not isinstance(value, TensorInfo):
        return _of_items(value, path)
    if isinstance(value, dict):
        return _beside_weights(value, path)
    return value, {}


def _of_object(value: Instance, path: str) -> tuple[object, dict[str, str]]:
    """A namespace or a data class whose attributes are the states."""
    attributes = dict(value.attributes)
    held = parts_by_role(attributes)
    if MODEL not in held:
        return value, {}
    return attributes, {
        role: f"attribute `{parts[0][0]}` of the object in {path}" for role, parts in held.items()
    }


def _of_items(items: list[object] | tuple[object, ...], path: str) -> tuple[object, dict[str, str]]:
    """Each item under the key of its kind; several of a kind are numbered."""
    found: dict[object, object] = {}
    told: dict[str, str] = {}
    for place, item in _distinct(items):
        for role, own_key, part in _kinds(item):
            key = own_key or _KEYS.get(role, role)
            found[f"{key}_{place}" if key in found else key] = part
            told.setdefault(role, f"item {place} in {path}")
    return (found, told) if MODEL in told else (items, {})


def _distinct(items: Sequence[object]) -> list[tuple[int, object]]:
    """The first items with their places, none twice: a repeated huge one costs but two bytes."""
    places = {id(item): place for place, item in reversed(list(enumerate(items[:_MOST_ITEMS])))}
    return [(place, items[place]) for place in sorted(places.values())]


def _kinds(item: object) -> list[tuple[str, str, object]]:
    """The role of an item without a key, or those of a dictionary with the keys that name them."""
    if whole_number(item) is not None:
        return [(PROGRESS, "", item)]
    if isinstance(item, TensorInfo):
        return [(RNG, "", item)] if (item.dtype, item.shape) == _CPU_GENERATOR else []
    if isinstance(item, Instance) and (role := _role_of_object(item)) is not None:
        return [(role, "", item)]
    held = parts_by_role(item)
    return [
        (role, key, part)
        for role, parts in held.items()
        for key, part in parts
        if key or role != MODEL or isinstance(part, Instance) or _is_state_dict(part)
    ]


def _role_of_object(item: Instance) -> str | None:
    if item.qualified_name.startswith(_SCRIPTED):
        return MODEL
    if item.qualified_name.startswith(_SCHEDULERS):
        return SCHEDULER
    own = item.qualified_name.startswith(_OPTIMIZERS)
    return OPTIMIZER if own or "param_groups" in item.attributes else None


def _is_state_dict(part: object) -> bool:
    """Whether keys are those of a module, and not the columns of a data set."""
    return isinstance(part, dict) and any(
        isinstance(key, str) and ("." in key or key == _WEIGHT) for key in part
    )


def _is_matrix(key: str, tensor: TensorInfo) -> bool:
    """Whether a module has such a parameter; a loss, a metric or a random state is none."""
    return key.endswith(f".{_WEIGHT}") and len(tensor.shape) > 1


def _beside_weights(
    value: dict[object, object], path: str
) -> tuple[Mapping[object, object], dict[str, str]]:
    """A module's own dictionary that a loop has put the optimizer and a step into."""
    weights = {
        key: part
        for key, part in value.items()
        if isinstance(key, str) and "." in key and isinstance(part, TensorInfo)
    }
    rest = {key: part for key, part in value.items() if key not in weights}
    if not any(map(_is_matrix, weights, weights.values())) or not roles_of_keys(rest):
        return value, {}
    told = f"{len(weights)} tensors under keys of their own in {path}"
    return {_KEYS[MODEL]: weights, **rest}, {MODEL: told}
