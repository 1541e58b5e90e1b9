"""One run of the simulated job: train, save, point, prune; fail, restart, go on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.demo.content import Identity, shard_name
from ckpt_tui.demo.faults import KILLS, FaultKind
from ckpt_tui.demo.layout import RUN_NAMES, checkpoint_name, write_pointer
from ckpt_tui.demo.loader import resume_point
from ckpt_tui.demo.orders import CommitOrder, SaveOrder
from ckpt_tui.demo.plan import MANIFEST
from ckpt_tui.demo.retention import discard, prune
from ckpt_tui.demo.workers import RankDiedError, RankGroup, StoppedError

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.demo.faults import FaultPlan
    from ckpt_tui.demo.plan import DemoPlan

_DIE_AT = 0.4
_TRUNCATED_TO = 2 / 3
_FASTEST_RANK = 0.8


class JobSetting(NamedTuple):
    """What the runs of one demo share.

    Attributes:
        directory: Above all run directories.
        plan: What to do.
        faults: What goes wrong.
        stop: Ends the job at any moment, like a kill: a save in progress stays as it is.
        say: Told in a line what happens.
        lock_descriptor: Passed on to every rank.
    """

    directory: Path
    plan: DemoPlan
    faults: FaultPlan
    stop: threading.Event
    say: Callable[[str], None]
    lock_descriptor: int


class Job:
    """One run: its ranks, its directory, and how far it got."""

    def __init__(self, setting: JobSetting, checkpoint_format: str, run_index: int) -> None:
        self._setting = setting
        self._plan = setting.plan
        self._format = checkpoint_format
        self._run_index = run_index
        self._world_size = setting.plan.world_size if checkpoint_format == MANIFEST else 1
        self._directory = setting.directory / RUN_NAMES[checkpoint_format]
        self._step = 0
        self._attempt = 0
        self._last_save_was_good = False

    def run(self) -> None:
        """Work until the plan is done or the job is stopped.

        Raises:
            DemoError: A rank could not write, for a reason that is not one of the faults.
        """
        self._directory.mkdir(parents=True, exist_ok=True)
        try:
            while not self._finished():
                self._run_until_a_rank_dies()
        except StoppedError:
            self._say("stopped")

    def _run_until_a_rank_dies(self) -> None:
        point = resume_point(self._directory)
        self._step = point[1] if point else 0
        self._say(f"starts from step {self._step}" if point else "starts from the beginning")
        group = RankGroup(
            self._world_size,
            threads=self._plan.threads,
            lock_descriptor=self._setting.lock_descriptor,
            stop=self._setting.stop,
        )
        try:
            while not self._finished():
                self._train_and_save(group)
        except RankDiedError as death:
            self._last_save_was_good = False
            step = self._step + self._plan.interval_steps
            self._say(f"rank {death.rank} died before step {step} was saved; the job restarts")
            # The launcher of a real job ends the other ranks as well.
            group.kill()
            self._wait(self._plan.restart_seconds)
        finally:
            group.kill()

    def _train_and_save(self, group: RankGroup) -> None:
        self._wait(self._plan.train_seconds)
        self._attempt += 1
        fault = self._setting.faults.at(self._attempt, self._run_index)
        step = self._step + self._plan.interval_steps
        target = self._directory / checkpoint_name(self._format, step)
        if fault is FaultKind.POINTER_AHEAD:
            write_pointer(self._directory, target.name)
        self._save(group, target, step, fault)
        self._step = step
        if fault is not FaultKind.POINTER_BEHIND:
            write_pointer(self._directory, target.name)
        prune(self._directory, self._plan.keep)
        if fault is FaultKind.SHARD_TRUNCATED:
            self._truncate(target)
        self._last_save_was_good = fault not in (FaultKind.SHARD_TRUNCATED, FaultKind.WEIGHTS_ONLY)
        self._say(f"step {step} saved; fault: {fault}" if fault else f"step {step} saved")

    def _save(self, group: RankGroup, target: Path, step: int, fault: FaultKind | None) -> None:
        if self._format != MANIFEST:
            group.carry_out([self._order(target, step, 0, fault)])
            return
        # What a save of this step left before the job went back; it is not restorable, or the
        # job would have started from it.
        discard(target)
        orders = [self._order(target, step, rank, fault) for rank in range(self._world_size)]
        entries = group.carry_out(orders)
        group.carry_out([CommitOrder(tuple(entries))])

    def _order(self, target: Path, step: int, rank: int, fault: FaultKind | None) -> SaveOrder:
        plan, last_rank = self._plan, self._world_size - 1
        # The victim of a fault is the last rank; ranks end one after the other.
        is_victim = rank == last_rank
        pace = _FASTEST_RANK + (1 - _FASTEST_RANK) * (rank / last_rank if last_rank else 1)
        stalls = is_victim and fault is FaultKind.SAVE_STALLED
        return SaveOrder(
            checkpoint_format=self._format,
            target=str(target),
            identity=Identity(plan.seed, step, rank, self._world_size, plan.shard_bytes),
            seconds=plan.wall(plan.save_seconds) * pace,
            weights_only=fault is FaultKind.WEIGHTS_ONLY,
            in_place=plan.in_place,
            die_at=_DIE_AT if is_victim and fault in KILLS else None,
            stall_seconds=plan.wall(plan.stall_seconds) if stalls else 0.0,
        )

    def _truncate(self, target: Path) -> None:
        victim = target
        if self._format == MANIFEST:
            victim = target / shard_name(MODEL, self._world_size - 1)
        os.truncate(victim, int(victim.stat().st_size * _TRUNCATED_TO))

    def _finished(self) -> bool:
        if self._setting.stop.is_set():
            return True
        if self._plan.steps is not None:
            return self._step >= self._plan.steps
        shown = self._attempt > self._setting.faults.last_attempt(self._run_index)
        return self._plan.once and shown and self._last_save_was_good

    def _wait(self, seconds: float) -> None:
        if self._setting.stop.wait(self._plan.wall(seconds)):
            raise StoppedError

    def _say(self, what: str) -> None:
        self._setting.say(f"{self._directory.name}: {what}")
