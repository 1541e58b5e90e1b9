"""A loop in JAX that pickles its state: written beside, renamed into place, named by `latest.txt`.

python pickle_file.py OUT [--steps 100,200] [--tuple] [--in-place] [--slow]
"""

from __future__ import annotations

import argparse
import pickle
import time
from pathlib import Path
from typing import BinaryIO

import jax
import jax.numpy as jnp
import numpy as np
import optax

WIDE = 64
PIECE_BYTES = 512
PAUSE_SECONDS = 0.05


class SlowFile:
    """Takes what a pickler writes in small pieces, so that kill.py finds it half-way."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, data: bytes) -> int:
        for start in range(0, len(data), PIECE_BYTES):
            self._file.write(data[start : start + PIECE_BYTES])
            self._file.flush()
            time.sleep(PAUSE_SECONDS)
        return len(data)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", default="100,200")
    parser.add_argument("--tuple", action="store_true", help="a tuple of jax arrays, without keys")
    parser.add_argument("--in-place", action="store_true", help="without a rename")
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    transform = optax.adamw(optax.cosine_decay_schedule(1e-3, 1000))
    params = {
        "kernel": jax.random.normal(jax.random.key(0), (8, WIDE)),
        "bias": jnp.zeros(WIDE, jnp.bfloat16),
    }
    optimizer = transform.init(params)
    for step in map(int, options.steps.split(",")):
        gradients = jax.tree.map(jnp.ones_like, params)
        updates, optimizer = transform.update(gradients, optimizer, params)
        params = optax.apply_updates(params, updates)
        state = (
            (step, params, optimizer)
            if options.tuple
            else jax.device_get(
                {
                    "step": step,
                    "params": params,
                    "opt_state": optimizer,
                    "rng": np.asarray(jax.random.key_data(jax.random.key(step))),
                }
            )
        )
        path = options.out / f"ckpt_{step:06d}.pkl"
        beside = path if options.in_place else path.with_suffix(".pkl.tmp")
        with beside.open("wb") as file:
            pickle.dump(state, SlowFile(file) if options.slow else file)
        beside.replace(path)
        (options.out / "latest.txt").write_text(f"{path.name}\n")


if __name__ == "__main__":
    main()
