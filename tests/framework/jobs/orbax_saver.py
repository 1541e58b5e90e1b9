"""Orbax without a manager: a loop that names its own directories."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.jax_states import blank, compared, host_state, on_device
from tests.framework.jobs.orbax_v1 import load_v1, train_v1
from tests.framework.jobs.step_names import by_step, step_of

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 10


def _configuration(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


_OF_ALL_VERSIONS = (
    _configuration("standard", kind="StandardCheckpointer"),
    _configuration("pytree", kind="PyTreeCheckpointer"),
)
_OF_CURRENT = (_configuration("v1-free", v1="free"),)


class OrbaxSaverJob:
    """One checkpointer; every step under a path of the loop's choice."""

    format = "orbax"

    def __init__(self, name: str, configurations: tuple[Configuration, ...]) -> None:
        self.name, self.configurations = name, configurations

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves states that are functions of the step."""
        steps = range(STEPS, STEPS * saves + STEPS, STEPS)
        if configuration.options.get("v1"):
            train_v1(directory, steps, configuration.options["v1"])
            return
        directory.mkdir(parents=True, exist_ok=True)
        checkpointer = _checkpointer(configuration)
        for step in steps:
            checkpointer.save(directory / f"step_{step}", on_device(host_state(step)))
        checkpointer.close()  # waits for what still runs

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Final names and leftovers of saves, newest last."""
        return by_step(directory)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """The same kind of checkpointer restores the path into a target."""
        from orbax.checkpoint import checkpoint_utils

        step = step_of(checkpoint)
        if "tmp" in checkpoint.name:  # no loop gives this name
            raise FileNotFoundError(f"{checkpoint.name} is no name that the loop gave")
        if configuration.options.get("v1"):
            return load_v1(checkpoint, step, configuration.options["v1"])
        target = on_device(blank(host_state(step)))
        checkpointer = _checkpointer(configuration)
        if configuration.options["kind"] == "StandardCheckpointer":
            return compared(checkpointer.restore(checkpoint, target), step)
        how = checkpoint_utils.construct_restore_args(target)
        return compared(checkpointer.restore(checkpoint, item=target, restore_args=how), step)


def _checkpointer(configuration: Configuration) -> Any:
    import orbax.checkpoint as ocp

    return getattr(ocp, configuration.options["kind"])()


CURRENT = OrbaxSaverJob("orbax-saver", _OF_ALL_VERSIONS + _OF_CURRENT)
OF_0_11 = OrbaxSaverJob("orbax-saver-0.11", _OF_ALL_VERSIONS)
OF_0_6 = OrbaxSaverJob("orbax-saver-0.6", _OF_ALL_VERSIONS)
