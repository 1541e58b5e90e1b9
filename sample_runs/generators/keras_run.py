"""Runs of Keras: `ModelCheckpoint` in its forms, `BackupAndRestore`, and one that dies in a save.

Usage: python keras_run.py OUT KIND, with KIND one of `archive`, `weights`, `backup`, `sharded`,
`whole_model`, `killed`.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
from pathlib import Path
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np

EPOCHS, BATCH, FEATURES, UNITS = 3, 8, 8, 16
SHARD_BYTES = 1500
CUT_AT_BYTES = 6_000
GIBIBYTE = 1024**3


class Stop(keras.callbacks.Callback):
    """Interrupts training at the beginning of an epoch, as a scheduler would."""

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Stops in the last epoch, which is not done."""
        if epoch == EPOCHS - 1:
            raise KeyboardInterrupt


class Cut(keras.callbacks.Callback):
    """Lets the process write no more than a few bytes of a file from the last epoch on."""

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """The kernel kills the writer in the middle of its last file (SIGXFSZ)."""
        if epoch == EPOCHS - 1:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (CUT_AT_BYTES, CUT_AT_BYTES))


class Shards(keras.callbacks.Callback):
    """Saves the weights in several files after each epoch."""

    def __init__(self, out: Path) -> None:
        super().__init__()
        self.out = out

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """One index and its shards."""
        index = self.out / f"cp-{epoch + 1:02d}.weights.json"
        self.model.save_weights(index, max_shard_size=SHARD_BYTES / GIBIBYTE)


def callbacks_of(kind: str, out: Path) -> list[keras.callbacks.Callback]:
    """The callbacks of one kind of run."""
    checkpoint = keras.callbacks.ModelCheckpoint
    weights = checkpoint(str(out / "cp-{epoch:04d}.weights.h5"), save_weights_only=True)
    return {
        "archive": lambda: [checkpoint(str(out / "model-{epoch:02d}-{loss:.3f}.keras"))],
        "weights": lambda: [weights],
        "whole_model": lambda: [checkpoint(str(out / "model-{epoch:02d}.h5"))],
        "backup": lambda: [
            keras.callbacks.BackupAndRestore(str(out / "backup"), double_checkpoint=True),
            Stop(),
        ],
        "sharded": lambda: [Shards(out)],
        "killed": lambda: [Cut(), weights],
    }[kind]()


def main() -> None:
    """Trains a small model on random numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("kind")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    keras.utils.set_random_seed(0)
    layers = [keras.layers.Dense(UNITS, activation="relu"), keras.layers.Dense(4)]
    model = keras.Sequential([keras.layers.Input((FEATURES,)), *layers])
    model.compile("adam", keras.losses.MeanSquaredError())
    numbers = np.random.default_rng(0)
    inputs = numbers.standard_normal((2 * BATCH, FEATURES)).astype("float32")
    targets = numbers.standard_normal((2 * BATCH, 4)).astype("float32")
    callbacks = callbacks_of(arguments.kind, arguments.out)
    try:
        model.fit(inputs, targets, batch_size=BATCH, epochs=EPOCHS, verbose=0, callbacks=callbacks)
    except KeyboardInterrupt:
        print("interrupted")


if __name__ == "__main__":
    main()
