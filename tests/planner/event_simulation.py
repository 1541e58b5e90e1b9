"""A job stepped from event to event, without any closed form: the check of the exact models.

Every minute is booked to work, saving, rollback, down or reload as an observer would book it:
what a failure throws away moves to rollback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from random import Random


class Books(NamedTuple):
    """Minutes of one simulated run, and its failures."""

    work: float
    save: float
    rollback: float
    down: float
    reload: float
    failures: int

    @property
    def wall(self) -> float:
        return self.work + self.save + self.rollback + self.down + self.reload


class _Job:
    """A clock that a failure interrupts, and the books of recovery."""

    def __init__(self, rng: Random, mtbf: float) -> None:
        self._rng = rng
        self._mtbf = mtbf
        self._next_failure = rng.expovariate(1 / mtbf)
        self.down = 0.0
        self.reload = 0.0
        self.failures = 0

    def run(self, minutes: float) -> tuple[float, bool]:
        """Minutes that passed, and whether all of them did."""
        if minutes <= self._next_failure:
            self._next_failure -= minutes
            return minutes, True
        passed = self._next_failure
        self.failures += 1
        self._next_failure = self._rng.expovariate(1 / self._mtbf)
        return passed, False

    def try_reload(self, minutes: float, down: float) -> bool:
        """Wait out the down time, then reload; whether the reload got through."""
        self.down += down
        passed, through = self.run(minutes)
        self.reload += passed
        return through


def simulate_async(
    rng: Random,
    works: list[float],
    snapshot: float,
    persist: float,
    slowdown: float,
    mtbf: float,
    reload: float,
    down: float,
) -> Books:
    """Run until the last checkpoint is durable; a save waits for the persist before it."""
    job = _Job(rng, mtbf)
    kept_work = kept_save = rollback = 0.0
    durable = 0
    while durable < len(works):
        index = durable
        work_done = pending_work = pending_save = 0.0
        failed = False
        persisting = False
        while not failed and durable < len(works):
            # Compute the interval's remaining work, then the snapshot of its save.
            passed, through = job.run(works[index] - work_done)
            pending_work += passed
            if not through:
                rollback += pending_work + pending_save
                failed = True
                break
            passed, through = job.run(snapshot)
            pending_save += passed
            if not through:
                rollback += pending_work + pending_save
                failed = True
                break
            # Persist behind the next interval's work.
            passed, through = job.run(persist)
            ahead = 0.0
            if index + 1 < len(works):
                ahead = min(works[index + 1], (1 - slowdown) * passed)
            if not through:
                rollback += pending_work + pending_save + passed
                failed = True
                break
            kept_work += pending_work
            kept_save += pending_save
            durable += 1
            index += 1
            persisting = True
            work_done, pending_work, pending_save = ahead, ahead, persist - ahead
        if failed:
            while not job.try_reload(reload, down):
                pass
        elif persisting:
            kept_save += pending_save
    return Books(kept_work, kept_save, rollback, job.down, job.reload, job.failures)


def simulate_two_level(
    rng: Random,
    works: list[float],
    every: int,
    saves: tuple[float, float],
    coverage: float,
    reloads: tuple[float, float],
    downs: tuple[float, float],
    mtbf: float,
) -> Books:
    """Level 1 after every interval, level 2 after every `every`-th and after the last."""
    job = _Job(rng, mtbf)
    rollback = 0.0
    index = durable = 0
    booked: list[tuple[float, float]] = []
    while index < len(works):
        is_level2 = (index + 1) % every == 0 or index + 1 == len(works)
        save = saves[1] if is_level2 else saves[0]
        passed, through = job.run(works[index] + save)
        if through:
            booked.append((works[index], save))
            index += 1
            durable = index if is_level2 else durable
            continue
        rollback += passed
        level1 = rng.random() < coverage
        while True:
            if level1:
                if job.try_reload(reloads[0], downs[0]):
                    break
                level1 = rng.random() < coverage
            else:
                if job.try_reload(reloads[1], downs[1]):
                    rollback += sum(work + save for work, save in booked[durable:])
                    del booked[durable:]
                    index = durable
                    break
    work = sum(work for work, _ in booked)
    saving = sum(save for _, save in booked)
    return Books(work, saving, rollback, job.down, job.reload, job.failures)
