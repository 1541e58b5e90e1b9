"""`keras.callbacks.OrbaxCheckpoint`: Orbax steps that Keras writes and reads."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.keras_states import built_model, compared, fit
from tests.framework.jobs.step_names import by_step, step_of


class KerasOrbaxJob:
    """The callback saves at the end of every epoch; `load_weights` reads a root's latest."""

    name = "keras-orbax"
    format = "orbax"
    configurations = (
        Configuration("keep3", 1, {"max_to_keep": 3}),
        Configuration("foreground-keep2", 1, {"max_to_keep": 2, "save_on_background": False}),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """One epoch for each save."""
        import keras

        saving: Any = keras.callbacks.OrbaxCheckpoint(str(directory), **configuration.options)
        fit(built_model(), saves, [saving])

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Steps, which are epochs counted from 0, and leftovers of saves."""
        return by_step(directory)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """Keras names a root and takes its latest: here a root that shows this step alone."""
        if "tmp" in checkpoint.name:
            raise FileNotFoundError(f"{checkpoint.name} is the name of no step")
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / checkpoint.name).symlink_to(checkpoint)
            model = built_model()
            model.load_weights(root)
            return compared(model, step_of(checkpoint) + 1)


JOB = KerasOrbaxJob()
