"""Whether the optimizer's moments and the model they are of have the same names.

optax builds moments as a copy of the parameter tree. Where trees have as many arrays of the same
shapes, but other names, a name was damaged: a loader that is given its own tree stops there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, Effect, Severity
from ckpt_tui.formats.shared.array_tree import nodes

if TYPE_CHECKING:
    from collections.abc import Sequence, Set

MOMENTS = frozenset({"mu", "nu", "trace", "v", "v_row", "v_col", "sum_of_squares"})
"""Keys of optax's states whose values are copies of the parameter tree."""

_STATES = (
    frozenset({"mu", "nu"}),
    frozenset({"count", "mu"}),
    frozenset({"trace"}),
    frozenset({"param_states"}),
    frozenset({"inner_state", "hyperparams"}),
    frozenset({"inner_opt_state"}),
    frozenset({"inner_states"}),
    frozenset({"mini_step", "gradient_step"}),
    frozenset({"v_row", "v_col"}),
    frozenset({"sum_of_squares"}),
)
"""Keys that stand together in one state of optax or of `flax.optim`."""

_RESUME_ELSEWHERE = "Resume from another checkpoint, or copy the file back from where it was whole."
_Named = dict[tuple[str, ...], tuple[int, ...]]


def is_of_optimizer(keys: Set[object]) -> bool:
    """Whether keys that stand together are those of an optimizer's state."""
    return any(state <= keys for state in _STATES)


def names_apart(
    parts: Mapping[str, Sequence[tuple[tuple[str, ...], object]]], path: str
) -> tuple[Finding, ...]:
    """A finding where trees that have to be alike differ in the name of an array.

    Args:
        parts: Role → (keys, value) of one file's states.
        path: Relative path of the file.
    """
    trees: dict[str, object] = {
        node.name: node.value
        for keys, value in parts.get(OPTIMIZER, ())
        for node in nodes(value, keys)
        if node.keys and node.keys[-1] in MOMENTS and isinstance(node.value, Mapping)
    }
    trees |= {".".join(keys): value for keys, value in parts.get(MODEL, ())}
    first: tuple[str, _Named] | None = None
    for name, tree in trees.items():
        named = _arrays(tree)
        if not named:
            continue
        if first is None:
            first = (name, named)
        elif _are_apart(first[1], named):
            return (_finding(path, first[0], name, min(first[1].keys() ^ named.keys())),)
    return ()


def _are_apart(one: _Named, other: _Named) -> bool:
    same_shapes = sorted(one.values()) == sorted(other.values())
    return same_shapes and one.keys() != other.keys()


def _arrays(tree: object) -> _Named:
    """Name below what all names have in common → shape."""
    found = {
        node.keys: node.value.shape
        for node in nodes(tree)
        if isinstance(node.value, StoredArray) and node.value.shape
    }
    while len({keys[:1] for keys in found}) == 1 and all(len(keys) > 1 for keys in found):
        found = {keys[1:]: shape for keys, shape in found.items()}
    return found


def _finding(path: str, one: str, other: str, keys: tuple[str, ...]) -> Finding:
    return Finding(
        "unreadable-archive",
        Severity.ERROR,
        path,
        f"{path} names {'.'.join(keys)} in one of `{one}` and `{other}` only, which are copies of"
        " one tree: a name is damaged",
        _RESUME_ELSEWHERE,
        Effect.CORRUPT,
    )
