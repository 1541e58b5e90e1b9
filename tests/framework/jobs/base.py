"""What a job is: a framework's training loop in small, and its own way back from a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class Configuration(NamedTuple):
    """One way to save.

    Attributes:
        name: Unique within the job.
        ranks: Writer processes.
        options: What the job itself understands.
    """

    name: str
    ranks: int
    options: dict[str, Any]


class Outcome(NamedTuple):
    """What came back when the framework was asked to load one checkpoint by name.

    Attributes:
        model: The parameters are those that were saved.
        optimizer: So is the optimizer's state.
        step: So is the training step.
        error: The exception's name and a short text, or "".
    """

    model: bool
    optimizer: bool
    step: bool
    error: str = ""

    @property
    def restored(self) -> bool:
        """Training can go on from here."""
        return self.model and self.optimizer and self.step and not self.error


class Job(Protocol):
    """One framework. Modules that hold a job import the framework inside functions only."""

    name: str
    format: str
    configurations: tuple[Configuration, ...]

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves `saves` checkpoints one after the other; runs in each rank's own process.

        RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT are set. States depend on the
        step alone.
        """

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Every attempt under `directory` that the framework may be asked for, newest last."""

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """Restores by the writer's own protocol; runs in a forked child of the loader.

        May raise: the loader turns an exception into an `Outcome` with its name.
        """
