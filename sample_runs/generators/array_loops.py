"""Loops in JAX that save with flax's checkpoints (msgpack), with msgpack themselves, or with numpy.

python array_loops.py OUT flax|msgpack|hf-flax|npz [--steps 100,200] [--full-at BYTES]

With `--full-at` the last save fails as on a full disk: no file may grow beyond so many bytes.
"""

from __future__ import annotations

import argparse
import json
import resource
import signal
from pathlib import Path
from typing import Any

import flax
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import serialization
from flax.training import checkpoints

WIDE = 16


def save_flax(out: Path, step: int, state: dict[str, Any]) -> None:
    """Written whole to `checkpoint_tmp`, then renamed."""
    checkpoints.save_checkpoint(out.absolute(), state, step=step, keep=3)


def save_msgpack(out: Path, step: int, state: dict[str, Any]) -> None:
    """One file in place, with a JSON file beside it."""
    (out / f"state-{step}.msgpack").write_bytes(serialization.to_bytes(state))
    (out / f"state-{step}.json").write_text(json.dumps({"step": step, "loss": 0.5}))


def save_hf_flax(out: Path, step: int, state: dict[str, Any]) -> None:
    """A directory with a file for each state."""
    directory = out / f"ckpt-{step}"
    directory.mkdir()
    (directory / "flax_model.msgpack").write_bytes(serialization.to_bytes(state["params"]))
    (directory / "opt_state.msgpack").write_bytes(serialization.to_bytes(state["opt_state"]))
    (directory / "training_state.json").write_text(json.dumps({"step": step}))


def save_npz(out: Path, step: int, state: dict[str, Any]) -> None:
    """One archive in place, under the paths of the leaves."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(state)
    arrays = {jax.tree_util.keystr(path): np.asarray(leaf) for path, leaf in leaves}
    np.savez(out / f"step_{step}.npz", **arrays)


SAVERS = {"flax": save_flax, "msgpack": save_msgpack, "hf-flax": save_hf_flax, "npz": save_npz}


def main() -> None:
    """Saves at each step."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("kind", choices=SAVERS)
    parser.add_argument("--steps", default="100,200")
    parser.add_argument("--full-at", type=int, help="the last save fails at so many bytes")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    flax.config.update("flax_use_orbax_checkpointing", False)
    transform = optax.adamw(optax.cosine_decay_schedule(1e-3, 1000))
    params = {
        "dense": {"kernel": jax.random.normal(jax.random.key(0), (8, WIDE)), "bias": jnp.zeros(8)}
    }
    optimizer = transform.init(params)
    steps = [int(step) for step in options.steps.split(",")]
    for step in steps:
        gradients = jax.tree.map(jnp.ones_like, params)
        updates, optimizer = transform.update(gradients, optimizer, params)
        params = optax.apply_updates(params, updates)
        state = {
            "step": np.int64(step),
            "params": params,
            "opt_state": optimizer,
            "rng": jax.random.key_data(jax.random.key(step)),
        }
        if options.full_at and step == steps[-1]:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (options.full_at, options.full_at))
        SAVERS[options.kind](options.out, step, state)


if __name__ == "__main__":
    main()
