"""`tf.train.CheckpointManager`: a Keras model with its optimizer, or plain modules."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.step_names import step_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

STEPS = 5
WIDTH = 512
LARGEST_SHARD_BYTES = 1_000_000
_PARTS = re.compile(r"_temp$|\.index$|\.data-\d+-of-\d+$")


def _configuration(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


class TensorflowJob:
    """The manager saves; a `Checkpoint` of the same objects restores a prefix."""

    name = "tensorflow"
    format = "tensorflow"
    configurations = (
        _configuration("keras-model-keep3", keep=3),
        _configuration("named-by-step-keep2", keep=2, named="model.step"),
        _configuration("sharded-keep3", keep=3, sharded=True),
        _configuration("module-keep3", keep=3, module=True),
        _configuration("module-async-keep3", keep=3, module=True, background=True),
        _configuration("write-without-state", write=True),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves variables that are functions of the step."""
        import tensorflow as tf

        options = configuration.options
        objects = _objects(options)
        checkpoint = tf.train.Checkpoint(**objects)
        directory.mkdir(parents=True, exist_ok=True)
        manager = _manager(checkpoint, directory, options)
        for step in range(STEPS, STEPS * saves + STEPS, STEPS):
            _fill(objects, step)
            if options.get("write"):
                checkpoint.write(str(directory / f"ckpt-{step}"))
            else:
                number = step if options.get("named") else None
                manager.save(checkpoint_number=number, options=_saving(options))
        if options.get("background"):
            checkpoint.sync()

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Of each save its index, else a data file, else its temporary directory."""
        prefix = configuration.options.get("named", "ckpt")
        found: dict[int, Path] = {}
        for pattern in ("_temp", ".data-*", ".index"):
            found |= {step_of(path): path for path in directory.glob(f"{prefix}-*{pattern}")}
        return [found[number] for number in sorted(found)]

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """Restores its prefix into objects of the same making; all of it must be used."""
        import tensorflow as tf

        options = configuration.options
        objects = _objects(options)
        restoring = tf.train.Checkpoint(**objects)
        reads = restoring.read if options.get("write") else restoring.restore
        status = reads(str(checkpoint.with_name(_PARTS.sub("", checkpoint.name))))
        status.assert_consumed()
        step = int(objects["step"])
        named = step_of(checkpoint) * (1 if _is_step(options) else STEPS)
        return Outcome(
            model=_same(_model_variables(objects), step, "model"),
            optimizer=_same(objects["optimizer"].variables, step, "optimizer"),
            step=step == named,
        )


def _is_step(options: dict[str, Any]) -> bool:
    """The number in the name is the step, not a count of saves."""
    return bool(options.get("named") or options.get("write"))


def _manager(checkpoint: Any, directory: Path, options: dict[str, Any]) -> Any:
    import tensorflow as tf

    named = {"checkpoint_name": options["named"]} if options.get("named") else {}
    return tf.train.CheckpointManager(
        checkpoint, str(directory), max_to_keep=options.get("keep"), **named
    )


def _saving(options: dict[str, Any]) -> Any:
    import tensorflow as tf

    how = {}
    if options.get("sharded"):
        policy = tf.train.experimental.MaxShardSizePolicy(max_shard_size=LARGEST_SHARD_BYTES)
        how["experimental_sharding_callback"] = policy
    if options.get("background"):
        how["experimental_enable_async_checkpoint"] = True
    return tf.train.CheckpointOptions(**how)


def _objects(options: dict[str, Any]) -> dict[str, Any]:
    """What the job hangs below its `Checkpoint`."""
    import tensorflow as tf

    step = tf.Variable(0, dtype=tf.int64)
    if options.get("module"):
        return {"step": step, "model": _module(("w", "b")), "optimizer": _module(("m", "v"))}
    dense = tf.keras.layers.Dense
    model = tf.keras.Sequential([tf.keras.Input((WIDTH,)), dense(WIDTH), dense(WIDTH // 2)])
    schedule = tf.keras.optimizers.schedules.CosineDecay(1e-3, 100)
    optimizer = tf.keras.optimizers.Adam(schedule)
    optimizer.build(model.trainable_variables)
    return {"step": step, "model": model, "optimizer": optimizer}


def _module(names: tuple[str, ...]) -> Any:
    import tensorflow as tf

    module = tf.Module()
    for name in names:
        setattr(module, name, tf.Variable(tf.zeros((2 * WIDTH, WIDTH)), name=name))
    return module


def _model_variables(objects: dict[str, Any]) -> list[Any]:
    model = objects["model"]
    return list(getattr(model, "trainable_variables", ()))


def _fill(objects: dict[str, Any], step: int) -> None:
    objects["step"].assign(step)
    for role, variables in (
        ("model", _model_variables(objects)),
        ("optimizer", objects["optimizer"].variables),
    ):
        for place, variable in enumerate(variables):
            variable.assign(_value(variable, step, role, place))


def _same(variables: Iterable[Any], step: int, role: str) -> bool:
    import numpy as np

    return all(
        np.array_equal(np.asarray(variable), _value(variable, step, role, place))
        for place, variable in enumerate(variables)
    )


def _value(variable: Any, step: int, role: str, place: int) -> Any:
    import numpy as np

    chance = np.random.default_rng([step, place, len(role)])
    values = chance.random(tuple(variable.shape), dtype=np.float32) if variable.shape else step
    return np.asarray(values).astype(np.asarray(variable).dtype)


JOB = TensorflowJob()
