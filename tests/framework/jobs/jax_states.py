"""The state of a small JAX job as a function of its step, and the comparison of what came back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH = 384
BALLAST = 400_000


def host_state(step: int) -> dict[str, Any]:
    """Parameters, the state of a chain of Optax transformations, and the step; about 8 MB.

    Values come from the step alone, structure and types from Flax and Optax as they are used.
    """
    import jax
    import jax.numpy as jnp
    import numpy as np
    import optax

    chance = np.random.default_rng(step)

    def filled(shape: tuple[int, ...], dtype: Any = np.float32) -> Any:
        return chance.standard_normal(shape, dtype=np.float32).astype(dtype)

    params = {
        "encoder": {"kernel": filled((WIDTH, WIDTH)), "bias": filled((WIDTH,))},
        "head": {"kernel": filled((WIDTH, 64), jnp.bfloat16), "bias": filled((64,))},
        "ballast": filled((BALLAST,)),
    }
    schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-3, 10, 100)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule))

    def value(leaf: Any) -> Any:
        return filled(leaf.shape, leaf.dtype) if leaf.shape else np.asarray(step, leaf.dtype)

    opt_state = jax.tree_util.tree_map(value, jax.eval_shape(optimizer.init, params))
    return {"params": params, "opt_state": opt_state, "step": step}


def on_device(tree: Any) -> Any:
    """The arrays as JAX arrays; plain values as they are."""
    import jax
    import numpy as np

    def put(leaf: Any) -> Any:
        return jax.device_put(leaf) if isinstance(leaf, np.ndarray) else leaf

    return jax.tree_util.tree_map(put, tree)


def blank(tree: Any) -> Any:
    """The same tree with other values, as a restarted job makes it before it restores."""
    import jax
    import numpy as np

    return jax.tree_util.tree_map(
        lambda leaf: np.zeros_like(leaf) if isinstance(leaf, np.ndarray) else 0, tree
    )


def same_tree(left: Any, right: Any) -> bool:
    """Whether two trees hold the same leaves, bit by bit; the kind of their nodes aside.

    Args:
        left: What came back; of an array that several processes share, this one's shards count.
        right: The whole values.
    """
    import jax
    import numpy as np

    ours, theirs = jax.tree_util.tree_leaves(left), jax.tree_util.tree_leaves(right)
    equal = all(map(_same_leaf, ours, map(np.asarray, theirs)))
    return equal and len(ours) == len(theirs) > 0


def _same_leaf(leaf: Any, whole: Any) -> bool:
    import numpy as np

    if getattr(leaf, "is_fully_addressable", True):
        parts = [(np.asarray(leaf), whole)]
    else:
        parts = [(np.asarray(each.data), whole[each.index]) for each in leaf.addressable_shards]
    return all(
        one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes()
        for one, two in parts
    )


def compared(loaded: Mapping[str, Any], step: int) -> Outcome:
    """What of `params`, `opt_state` and `step` came back as it was saved at that step."""
    wanted = host_state(step)
    return Outcome(
        model=same_tree(loaded["params"], wanted["params"]),
        optimizer=same_tree(loaded["opt_state"], wanted["opt_state"]),
        step=int(loaded["step"]) == step,
    )
