"""`flax.training.checkpoints`: one msgpack file per step, or Orbax behind the same functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.jax_states import blank, compared, host_state, on_device
from tests.framework.jobs.step_names import by_step, step_of

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 100
PREFIX = "checkpoint_"


def _configuration(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


class FlaxJob:
    """`save_checkpoint` of a tree, `restore_checkpoint` of a step into a target."""

    name = "flax"
    format = "flax"
    configurations = (
        _configuration("msgpack-keep3", keep=3),
        _configuration("msgpack-prefix-keep2", keep=2, prefix="ckpt_"),
        _configuration("msgpack-overwrite", overwrite=True),
        _configuration("orbax-keep3", keep=3, orbax=True),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves states that are functions of the step; overwriting goes back to an older step."""
        from flax.training import checkpoints

        options = configuration.options
        _choose_back_end(options)
        steps = list(range(STEPS, STEPS * saves + STEPS, STEPS))
        if options.get("overwrite"):
            steps += steps[1:]
        for step in steps:
            checkpoints.save_checkpoint(
                directory,
                on_device(host_state(step)),
                step=step,
                prefix=options.get("prefix", PREFIX),
                keep=options.get("keep", len(steps)),
                overwrite=bool(options.get("overwrite")),
            )

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Steps, and the file or directory of a save that was not finished, last."""
        prefix = configuration.options.get("prefix", PREFIX)
        return by_step(directory, f"{prefix}*") + sorted(directory.glob(f"{prefix}tmp"))

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """Restores the step of that name into a target."""
        from flax.training import checkpoints

        step, options = step_of(checkpoint), configuration.options
        _choose_back_end(options)
        if "tmp" in checkpoint.name:
            raise FileNotFoundError(f"{checkpoint.name} is the name of no step")
        loaded = checkpoints.restore_checkpoint(
            checkpoint.parent,
            on_device(blank(host_state(step))),
            step=step,
            prefix=options.get("prefix", PREFIX),
        )
        return compared(loaded, step)


def _choose_back_end(options: dict[str, Any]) -> None:
    import flax

    flax.config.update("flax_use_orbax_checkpointing", bool(options.get("orbax")))


JOB = FlaxJob()
