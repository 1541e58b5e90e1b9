"""Which part of a tree is which state, by the shapes that JAX jobs save."""

from __future__ import annotations

import pytest

from ckpt_tui.formats.orbax.loading import _options
from ckpt_tui.formats.orbax.roles import branches
from ckpt_tui.formats.orbax.tree import Leaf

OPTAX = ("opt_state.0", "opt_state.1.0.count", "opt_state.1.0.mu.w", "opt_state.1.0.nu.w")
TRAIN_STATE = ("step", "params.encoder.kernel", "params.head.bias", *OPTAX)


def leaves(*names: str) -> list[Leaf]:
    return [Leaf(tuple(name.split(".")), "jax.Array") for name in names]


def roles(item: str, *names: str) -> dict[str, str]:
    """Way to a branch → its role."""
    return {".".join(branch.keys): branch.role for branch in branches(item, leaves(*names))}


@pytest.mark.parametrize("item", ["", "default", "state", "items", "train_state"])
def test_a_train_state(item: str) -> None:
    assert roles(item, *TRAIN_STATE, "batch_stats.norm.mean") == {
        "step": "progress", "params": "model", "opt_state": "optimizer", "batch_stats": "model",
    }  # fmt: skip


@pytest.mark.parametrize("wrapper", ["model", "state", "train_state", "ckpt.inner"])
def test_one_key_around_all_of_it(wrapper: str) -> None:
    found = roles("default", *(f"{wrapper}.{name}" for name in TRAIN_STATE), "config.lr")
    assert found == {
        f"{wrapper}.step": "progress", f"{wrapper}.params": "model",
        f"{wrapper}.opt_state": "optimizer", "config": "config",
    }  # fmt: skip


def test_a_model_named_model_is_no_wrapper() -> None:
    found = roles("state", "model.encoder.kernel", "model.decoder.kernel", "optimizer.step")
    assert found == {"model": "model", "optimizer": "optimizer"}


def test_an_item_that_is_one_state() -> None:
    assert roles("params", "encoder.kernel", "key.kernel", "step_embedding") == {"": "model"}
    assert roles("opt_state", "0", "1.0.count", "1.0.mu.w") == {"": "optimizer"}
    assert roles("dataset", "next_index") == {"": "dataloader"}


def test_an_item_named_after_one_state_that_holds_all() -> None:
    assert roles("model", *TRAIN_STATE)["opt_state"] == "optimizer"


def test_parameters_alone_under_names_of_their_own() -> None:
    assert roles("default", "Dense_0.kernel", "Dense_1.kernel") == {
        "Dense_0": "model", "Dense_1": "model",
    }  # fmt: skip
    assert roles("default", "w", "opt_state.0.trace.w", "step")["w"] == "model"


def test_an_optimizer_by_the_keys_of_its_states() -> None:
    adam = ("0", "1.0.count", "1.0.mu.w", "1.0.nu.w")
    named = ("actor.params.w", *(f"actor_tx.{key}" for key in adam), "num_updates")
    assert roles("default", *named)["actor_tx"] == "optimizer"
    in_turn = ("0.w", "0.b", *(f"1.{key}" for key in adam), "2")
    assert roles("", *in_turn) == {"0": "model", "1": "optimizer", "2": "model"}
    assert "optimizer" not in roles("default", "trace_head.w", "mu.w", "count").values()


def test_a_number_alone_is_no_model() -> None:
    counter = [Leaf(("value",), "scalar")]
    assert [branch.role for branch in branches("default", counter)] == [""]


@pytest.mark.parametrize("key", ["rng", "dropout_rng", "prng_key", "key", "random_key", "seed"])
def test_random_keys(key: str) -> None:
    assert roles("default", *TRAIN_STATE, key)[key] == "rng"


@pytest.mark.parametrize("item", ["model", "default"])
def test_the_streams_of_a_layer_of_nnx(item: str) -> None:
    names = ("drop.rngs.count", "drop.rngs.key", "linear.kernel", "linear.bias")
    found = branches(item, leaves(*names))
    assert {leaf.name for branch in found if branch.role == "rng" for leaf in branch.leaves} == {
        "drop.rngs.count", "drop.rngs.key",
    }  # fmt: skip
    assert sum(len(branch.leaves) for branch in found if branch.role == "model") == 2
    assert roles("rngs", "rngs.count", "rngs.key") == {"": "rng"}


def test_the_variables_of_keras() -> None:
    assert roles("pytree", "trainable_variables.dense.kernel", "optimizer_variables.adam.iteration",
                 "metrics_variables.loss.total") == {
        "trainable_variables": "model", "optimizer_variables": "optimizer",
        "metrics_variables": "metrics",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("20", ""),
        ("0", ""),
        ("00000020", ", options=CheckpointManagerOptions(step_format_fixed_length=8)"),
        ("ckpt_20", ', options=CheckpointManagerOptions(step_prefix="ckpt")'),
        (
            "ckpt_0020",
            ', options=CheckpointManagerOptions(step_prefix="ckpt", step_format_fixed_length=4)',
        ),
    ],
)
def test_what_a_manager_is_told_of_its_names(name: str, options: str) -> None:
    assert _options(name) == options


@pytest.mark.parametrize("form", ["{}", "/{}", "{}."], ids=["slashes", "a slash before", "dots"])
def test_a_tree_that_was_flattened(form: str) -> None:
    between = "." if form.endswith(".") else "/"
    names = [form.strip(".").format(name.replace(".", between)) for name in TRAIN_STATE]
    found = branches("default", [Leaf((name,), "jax.Array") for name in names])
    assert {branch.role for branch in found} == {"progress", "model", "optimizer"}
    assert sorted(leaf.name for branch in found for leaf in branch.leaves) == sorted(names)


def test_the_names_that_jax_gives_to_ways_through_a_tree() -> None:
    names = [
        "['step']",
        "['params']['w']",
        "['opt_state'][1][0].count",
        "['opt_state'][1][0].mu['w']",
    ]
    found = branches("", [Leaf((name,), "jax.Array") for name in names])
    assert {branch.role: len(branch.leaves) for branch in found} == {
        "progress": 1, "model": 1, "optimizer": 2,
    }  # fmt: skip


def test_flat_names_of_weights_alone_are_weights() -> None:
    found = branches("", [Leaf((name,), "jax.Array") for name in ("encoder/w", "head/b")])
    assert {branch.role for branch in found} == {"model"}
