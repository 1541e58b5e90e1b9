"""Orbax steps of a tiny JAX model with everything around it, on a CPU.

    python orbax_run.py OUT [--steps 10,20] [--commit-file] [--die-at PATTERN]

Parameters and optimizer state are items of their own; the learning rate schedule counts in the
latter. `--commit-file` writes as on an object store: under the final name, with a marker last.
With `--die-at` the job kills itself as soon as a file of that pattern appears below OUT.
"""

from __future__ import annotations

import argparse
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import optax
import orbax.checkpoint as ocp

Tree = Any


def die_when(out: Path, pattern: str) -> None:
    """Watches for a file and then kills this process the hard way."""
    while not any(out.glob(pattern)):
        time.sleep(0.0002)
    os.kill(os.getpid(), signal.SIGKILL)


def first_state() -> tuple[Tree, optax.GradientTransformation]:
    """Parameters of two layers, and AdamW with a warmed-up cosine schedule."""
    keys = jax.random.split(jax.random.key(0))
    params = {
        "encoder": {"kernel": jax.random.normal(keys[0], (16, 32)), "bias": jnp.zeros(32)},
        "head": {"kernel": jax.random.normal(keys[1], (32, 8)).astype(jnp.bfloat16)},
    }
    schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-3, 10, 100)
    return params, optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule))


def loss(params: Tree, batch: jax.Array) -> jax.Array:
    """Mean square of what the two layers make of a batch."""
    hidden = jnp.tanh(batch @ params["encoder"]["kernel"] + params["encoder"]["bias"])
    return jnp.mean((hidden @ params["head"]["kernel"].astype(jnp.float32)) ** 2)


def options_of(commit_file: bool) -> ocp.CheckpointManagerOptions:
    """Saves in the foreground, by one of the two commit protocols."""
    if not commit_file:
        return ocp.CheckpointManagerOptions(enable_async_checkpointing=False)
    mode = ocp.options.AtomicityOptions(mode=ocp.options.AtomicityMode.COMMIT_FILE)
    return ocp.CheckpointManagerOptions(enable_async_checkpointing=False, atomicity_options=mode)


def main() -> None:
    """Trains and saves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", default="10,20")
    parser.add_argument("--commit-file", action="store_true")
    parser.add_argument("--die-at", default="")
    options = parser.parse_args()
    if options.die_at:
        threading.Thread(target=die_when, args=(options.out, options.die_at), daemon=True).start()
    params, optimizer = first_state()
    state = optimizer.init(params)
    key = jax.random.key(1)
    step = 0
    with ocp.CheckpointManager(
        options.out.absolute(), options=options_of(options.commit_file)
    ) as manager:
        for save_at in map(int, options.steps.split(",")):
            while step < save_at:
                key, use = jax.random.split(key)
                gradients = jax.grad(loss)(params, jax.random.normal(use, (4, 16)))
                updates, state = optimizer.update(gradients, state, params)
                params = optax.apply_updates(params, updates)
                step += 1
            items = ocp.args.Composite(
                params=ocp.args.StandardSave(params),
                opt_state=ocp.args.StandardSave(state),
                rng=ocp.args.JaxRandomKeySave(key),
                dataset=ocp.args.JsonSave({"next_index": 4 * step}),
            )
            manager.save(step, args=items)


if __name__ == "__main__":
    main()
