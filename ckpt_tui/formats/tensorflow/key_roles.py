"""Which role the value under a key has: by the objects on its path, and by the object graph.

Names are those of `tf.train.Checkpoint` (`model/dense/kernel/.ATTRIBUTES/VARIABLE_VALUE`), of
Keras 2 and 3, and of TF1's graphs (`dense/kernel/Adam_1`, `global_step`).
"""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import DATALOADER, MODEL, OPTIMIZER, PROGRESS, RNG
from ckpt_tui.formats.shared.roles import role_of_key
from ckpt_tui.formats.tensorflow.object_graph import GRAPH_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.formats.tensorflow.object_graph import GraphNode

ATTRIBUTE = "/.ATTRIBUTES/"
SAVE_COUNTER = "save_counter"
SLOT = ".OPTIMIZER_SLOT"

_WEIGHTS_OF_OPTIMIZER = frozenset({"_trainable_variables", "_trainable_variables_ref", "_model"})
_KERAS_OPTIMIZER = (
    frozenset({"_variables", "_iterations"}),
    frozenset({"_variables", "_trainable_variables"}),
)
_ITERATOR = re.compile(r"ITERATOR(?:_STATE)?")
_RNG_PARTS = frozenset({"_state_var", "seed_generator", "_seed_generator", "_rng"})
_TF1_SLOT = re.compile(
    r"(?:Adam|AdamW\w*|Adamax|Nadam|Momentum|RMSProp|Adagrad|Adadelta|Ftrl|LARSOptimizer"
    r"|LAMB\w*|adam_[mv]|\w+_slot_v[cr]?|\w+_slot_m)(?:_\d+)?"
)
_TF1_POWER = re.compile(r"(?:.*/)?beta[12]_power(?:_\d+)?")


def object_path(key: str) -> tuple[str, ...]:
    """Names of the objects that lead to a value, the outermost first."""
    return tuple(key.partition(ATTRIBUTE)[0].split("/"))


def is_optimizer_name(name: str) -> bool:
    """Whether an object is called an optimizer: `optimizer`, `gen_opt`, `d_optimizer_2`."""
    plain = name.lower()
    return role_of_key(plain) == OPTIMIZER or "optimizer" in plain or plain.endswith("_opt")


def role_by_key(key: str) -> str | None:
    """The role that the names on a key's path tell; None where they tell none."""
    path = object_path(key)
    attribute = key.partition(ATTRIBUTE)[2]
    if key == GRAPH_KEY or path == (SAVE_COUNTER,):
        return None
    if _ITERATOR.fullmatch(attribute):
        return DATALOADER
    if SLOT in path or _TF1_POWER.fullmatch(key):
        return OPTIMIZER
    if not attribute and len(path) > 1 and _TF1_SLOT.fullmatch(path[-1]):
        return OPTIMIZER
    role = None
    for part in path:
        role = _entered(role, part)
    return role


def roles_by_graph(nodes: Sequence[GraphNode]) -> Mapping[str, str | None]:
    """Key → the role of the objects that hold its value; None where they tell none.

    What an optimizer holds beside an object of no role or the model is a weight that it trains.
    """
    slots = {slot for node in nodes for slot in node.slots}
    optimizers = {number for number, node in enumerate(nodes) if _is_optimizer(node)}
    found: dict[str, set[str | None]] = {}
    seen: set[tuple[int, str | None]] = {(0, None)}
    queue = deque(seen)
    while queue:
        number, role = queue.popleft()
        if not 0 <= number < len(nodes):
            continue
        node = nodes[number]
        held = OPTIMIZER if number in slots else role
        for key in node.keys:
            found.setdefault(key, set()).add(held)
        for name, child in node.children:
            inner = _entered(role, name)
            if child in optimizers and role != OPTIMIZER:
                inner = OPTIMIZER
            if (child, inner) not in seen:
                seen.add((child, inner))
                queue.append((child, inner))
    return {key: _decided(roles) for key, roles in found.items()}


def _decided(roles: set[str | None]) -> str | None:
    if MODEL in roles or roles == {None, OPTIMIZER}:
        return MODEL
    return next((role for role in sorted(filter(None, roles))), None)


def _entered(role: str | None, name: str) -> str | None:
    """The role of what lies below an object of that name, in an object of that role."""
    if role == OPTIMIZER:
        return MODEL if name in _WEIGHTS_OF_OPTIMIZER else OPTIMIZER
    if is_optimizer_name(name):
        return OPTIMIZER
    if name in _RNG_PARTS:
        return RNG
    if role is not None:
        return role
    told = role_of_key(name)
    return told if told != PROGRESS else None


def _is_optimizer(node: GraphNode) -> bool:
    """Slots make an optimizer; Keras 3 has the lists of its variables instead."""
    names = {name for name, _ in node.children}
    return bool(node.slots) or any(wanted <= names for wanted in _KERAS_OPTIMIZER)
