"""`Model.fit` with the callbacks that save: `ModelCheckpoint` and `BackupAndRestore`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.keras_states import built_model, compared, fit
from tests.framework.jobs.step_names import by_step, step_of

if TYPE_CHECKING:
    from pathlib import Path


def _configuration(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


class KerasJob:
    """A callback saves at the end of every epoch."""

    name = "keras"
    format = "keras"
    configurations = (
        _configuration("model-per-epoch", file="model-{epoch:02d}.keras"),
        _configuration("weights-per-epoch", file="cp-{epoch:04d}.weights.h5", weights=True),
        _configuration("backup", backup=True),
        _configuration("model-overwritten", file="model.keras"),
        _configuration("backup-double", backup=True, double_checkpoint=True),
        _configuration("h5-per-epoch", file="model-{epoch:02d}.h5"),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """One epoch for each save."""
        import keras

        options = configuration.options
        directory.mkdir(parents=True, exist_ok=True)
        if options.get("backup"):
            saving = _backup(directory / "backup", options)
        else:
            saving = keras.callbacks.ModelCheckpoint(
                str(directory / options["file"]), save_weights_only=bool(options.get("weights"))
            )
        fit(built_model(), saves, [saving])

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """The files of the epochs, or the directory of the backup."""
        options = configuration.options
        if options.get("backup"):
            return _backups(directory / "backup")
        if "{" not in options["file"]:
            return sorted(directory.glob(options["file"]))
        return by_step(directory)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """`load_model`; `load_weights` into a model whose optimizer is built; or a new `fit`.

        A directory of `BackupAndRestore` is for a new `fit`.
        """
        import keras

        options = configuration.options
        if checkpoint.is_dir():
            return _resumed(checkpoint, options)
        if checkpoint.name.endswith(".weights.h5"):
            model = built_model()
            model.load_weights(str(checkpoint))
        else:
            model = keras.models.load_model(str(checkpoint))
        named = step_of(checkpoint.with_name(checkpoint.name.partition(".")[0]))
        return compared(model, int(model.optimizer.iterations) if named < 0 else named)


def _backups(directory: Path) -> list[Path]:
    """The directory; its weights where these are alone, as the first save leaves them if cut."""
    weights = directory / "latest.weights.h5"
    inside = list(directory.iterdir()) if directory.exists() else []
    return [weights] if inside == [weights] else [directory] * bool(inside)


def _backup(directory: Path, options: dict[str, Any]) -> Any:
    import keras

    return keras.callbacks.BackupAndRestore(
        str(directory),
        double_checkpoint=bool(options.get("double_checkpoint")),
        delete_checkpoint=False,
    )


class _SeenEnoughError(Exception):
    """A restored job has shown where it starts."""


def _resumed(directory: Path, options: dict[str, Any]) -> Outcome:
    """What a new `fit` with the same callback begins with."""
    import keras

    found: list[Outcome] = []

    class Probe(keras.callbacks.Callback):
        """Looks at the first epoch's beginning."""

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            found.append(_restart(self.model, epoch))
            raise _SeenEnoughError

    try:
        fit(built_model(with_optimizer=False), 1000, [_backup(directory, options), Probe()])
    except _SeenEnoughError:
        return found[0]
    return Outcome(False, False, False, "NothingTrained: fit returned before any epoch")


def _restart(model: Any, epoch: int) -> Outcome:
    """Weights and optimizer count by the iterations that came with them; the epoch must fit."""
    iterations = int(model.optimizer.iterations)
    if not iterations:
        return Outcome(False, False, False)
    return compared(model, iterations)._replace(step=iterations == epoch)


JOB = KerasJob()
