"""States of arrays that have no names: the leaves of a JAX tree, saved one after the other.

`np.savez(path, *jax.tree_util.tree_leaves(state))` numbers them. Adam keeps two arrays, momentum
one, for each parameter, of its shape: arrays whose shapes come in threes or twos are a model with
its optimizer, and numbers among them are counts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.stored_array import StoredArray
from ckpt_tui.formats.shared.array_tree import number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_FEWEST_SHAPES = 2


def states_by_position(found: Mapping[str, object]) -> dict[str, object] | None:
    """The leaves sorted into a model, its optimizer and a step; None where shapes do not tell.

    Args:
        found: Number → leaf, in the order in which they were saved.
    """
    arrays = {name: v for name, v in found.items() if isinstance(v, StoredArray)}
    large = {name: array for name, array in arrays.items() if array.shape}
    numbers = {name: array for name, array in arrays.items() if number_of(array) is not None}
    counts = Counter(array.shape for array in large.values())
    if len(arrays) != len(found) or len(counts) < _FEWEST_SHAPES or not numbers:
        return None
    sets = next((n for n in (3, 2) if all(c % n == 0 for c in counts.values())), 0)
    if not sets:
        return None
    left = {shape: count // sets for shape, count in counts.items()}
    model: dict[str, object] = {}
    moments: dict[str, object] = {}
    for name in reversed(large):  # keys are sorted: `opt_state` comes before `params`
        shape = large[name].shape
        target = model if left[shape] else moments
        left[shape] -= left[shape] > 0
        target[name] = large[name]
    step = max(numbers, key=lambda name: number_of(numbers[name]) or 0)
    others = [array for name, array in numbers.items() if name != step]
    counted = {"count": others[0]} if others else {}
    return {"params": model, "opt_state": {"moments": moments, **counted}, "step": numbers[step]}
