"""TensorFlow's CheckpointManager with a Keras model, and a SavedModel, on a CPU.

    python tensorflow_run.py OUT [--saves 3] [--die-at PATTERN]
    python tensorflow_run.py OUT --export

Each save is two steps after the one before, so that the number in its name is none of a step.
With `--die-at` the job kills itself as soon as a file of that pattern appears below OUT.
"""

from __future__ import annotations

import argparse
import os
import signal
import threading
import time
from pathlib import Path

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np
import tensorflow as tf

STEPS_BETWEEN = 2


def die_when(out: Path, pattern: str) -> None:
    """Watches for a file and then kills this process the hard way."""
    while not any(out.glob(pattern)):
        time.sleep(0.0001)
    os.kill(os.getpid(), signal.SIGKILL)


def job() -> tuple[tf.keras.Model, tf.keras.optimizers.Optimizer]:
    """Two layers, and Adam with a cosine schedule."""
    tf.keras.utils.set_random_seed(0)
    layers = [tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)]
    model = tf.keras.Sequential([tf.keras.layers.Input((8,)), *layers])
    schedule = tf.keras.optimizers.schedules.CosineDecay(1e-3, 100)
    return model, tf.keras.optimizers.Adam(schedule)


def train(out: Path, saves: int) -> None:
    """Trains, and saves all that goes on from a checkpoint."""
    model, optimizer = job()
    inputs = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
    data = iter(tf.data.Dataset.from_tensor_slices(inputs).repeat().batch(8))
    checkpoint = tf.train.Checkpoint(
        model=model,
        optimizer=optimizer,
        iterator=data,
        rng=tf.random.Generator.from_seed(7),
        step=tf.Variable(0, dtype=tf.int64),
    )
    manager = tf.train.CheckpointManager(checkpoint, str(out), max_to_keep=3)
    for _ in range(saves):
        for _ in range(STEPS_BETWEEN):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(next(data)) ** 2)
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
            checkpoint.step.assign_add(1)
        manager.save()


def main() -> None:
    """Reads the command line, and runs the job."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--saves", type=int, default=3)
    parser.add_argument("--export", action="store_true")
    parser.add_argument("--die-at", metavar="PATTERN")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.die_at:
        watch = threading.Thread(target=die_when, args=(options.out, options.die_at), daemon=True)
        watch.start()
    if options.export:
        job()[0].export(str(options.out / "1"), verbose=False)
    else:
        train(options.out, options.saves)


if __name__ == "__main__":
    main()
