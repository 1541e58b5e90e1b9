"""What the simulated job should do, and how fast."""

from __future__ import annotations

from typing import NamedTuple

MANIFEST = "manifest"
TORCH_FILE = "torch-file"
FORMATS = (MANIFEST, TORCH_FILE)

_SHARD_UNIT_BYTES = 1024
_MAX_SHARD_BYTES = 16 * 2**20
_MAX_WORLD_SIZE = 512
_MAX_PROCESSES = 64
_MODEL_BYTES = 8 * 2**20
_MIN_KEEP = 2


class DemoPlan(NamedTuple):
    """The simulated job. Times are seconds of the demo's clock: divided by `speed` when waited.

    Attributes:
        world_size: Ranks of the sharded job; the plain job has one.
        steps: The last step, or None to go on until stopped.
        interval_steps: Steps from one save to the next.
        shard_bytes: Bytes of model state per rank, a multiple of 1024; the optimizer has twice
            as many.
        seed: Where all content comes from; the same seed writes the same bytes.
        speed: How much faster than the clock on the wall.
        train_seconds: Training between two saves.
        save_seconds: How long a rank's save takes, spread over its bytes.
        stall_seconds: How long a stalled rank writes nothing.
        restart_seconds: From a rank's death until the job runs again.
        keep: How many checkpoints a run keeps.
        formats: The jobs to run side by side, of :data:`FORMATS`.
        in_place: Whether the plain job writes under the final name, as plain loops do, or under
            a temporary one that is renamed.
        single_process: Whether ranks are threads of one process, not processes; more than 64
            always are.
        once: Whether to end after the scheduled faults and one more good save.
    """

    world_size: int = 4
    steps: int | None = None
    interval_steps: int = 20
    shard_bytes: int = 128 * 1024
    seed: int = 0
    speed: float = 1.0
    train_seconds: float = 2.5
    save_seconds: float = 2.0
    stall_seconds: float = 5.0
    restart_seconds: float = 2.0
    keep: int = 12
    formats: tuple[str, ...] = FORMATS
    in_place: bool = True
    single_process: bool = False
    once: bool = False

    @property
    def threads(self) -> bool:
        """Whether ranks are threads of one process."""
        return self.single_process or self.world_size > _MAX_PROCESSES

    def of_size(self, world_size: int) -> DemoPlan:
        """The same for another world size; a large job's ranks have less each."""
        most = _MODEL_BYTES // max(1, world_size) // _SHARD_UNIT_BYTES * _SHARD_UNIT_BYTES
        shard_bytes = max(_SHARD_UNIT_BYTES, min(self.shard_bytes, most))
        return self._replace(world_size=world_size, shard_bytes=shard_bytes)

    def wall(self, seconds: float) -> float:
        """Seconds on the wall's clock for seconds of the demo's."""
        return seconds / self.speed


def check_plan(plan: DemoPlan) -> None:
    """Refuses a plan that cannot run.

    Raises:
        ValueError: The message names the field and what it may be.
    """
    whole = plan.shard_bytes > 0 and plan.shard_bytes % _SHARD_UNIT_BYTES == 0
    wrong = (
        (not 1 <= plan.world_size <= _MAX_WORLD_SIZE, f"world_size: 1 to {_MAX_WORLD_SIZE}"),
        (plan.steps is not None and plan.steps < 1, "steps: 1 or more"),
        (plan.interval_steps < 1, "interval_steps: 1 or more"),
        (
            not whole or plan.shard_bytes > _MAX_SHARD_BYTES,
            f"shard_bytes: a multiple of {_SHARD_UNIT_BYTES}, at most {_MAX_SHARD_BYTES}",
        ),
        (not 0 < plan.speed < float("inf"), "speed: greater than 0"),
        (
            min(plan.train_seconds, plan.save_seconds, plan.stall_seconds, plan.restart_seconds)
            < 0,
            "train, save, stall and restart seconds: 0 or more",
        ),
        (plan.keep < _MIN_KEEP, f"keep: {_MIN_KEEP} or more"),
        (
            not plan.formats or not set(plan.formats) <= set(FORMATS),
            f"formats: one or more of {', '.join(FORMATS)}",
        ),
        (len(set(plan.formats)) != len(plan.formats), "formats: each at most once"),
    )
    for is_wrong, message in wrong:
        if is_wrong:
            told = f"the demo's plan is wrong: {message}"
            raise ValueError(told)
