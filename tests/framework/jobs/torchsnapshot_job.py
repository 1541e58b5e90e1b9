"""torchsnapshot: `Snapshot.take` and `async_take` of a DDP job in two ranks, and of one alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.digests import compare, note
from tests.framework.jobs.ranks import in_ranks

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 384
DEPTH = 4
_SPREAD = ["model/**"]


class TorchSnapshotJob:
    """One optimizer step before each snapshot; restored by `Snapshot(path).restore(app_state)`."""

    name = "torchsnapshot"
    format = "torchsnapshot"
    configurations = (
        Configuration("take", 2, {"replicated": []}),
        Configuration("take-replicated", 2, {"replicated": _SPREAD}),
        Configuration("async-take-replicated", 2, {"replicated": _SPREAD, "asynchronous": True}),
        Configuration("all-replicated", 2, {"replicated": [*_SPREAD, "optimizer/**"]}),
        Configuration("take-again", 2, {"replicated": [], "again": True}),
        Configuration("alone", 1, {"replicated": []}),
        Configuration("alone-async", 1, {"replicated": [], "asynchronous": True}),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Each snapshot is complete before the next step."""
        import torch
        from torchsnapshot import Snapshot

        options = configuration.options
        job = _Training()
        for step in range(1, saves + 1):
            job.advance(step)
            note(directory, step, *job.held())
            where = {"path": str(directory / f"step-{step}"), "app_state": job.state}
            for _ in range(1 + options.get("again", False)):  # as a job that was restarted does
                if options.get("asynchronous"):
                    Snapshot.async_take(**where, replicated=options["replicated"]).wait()
                else:
                    Snapshot.take(**where, replicated=options["replicated"])
        if configuration.ranks > 1:
            torch.distributed.barrier()  # rank 0 serves the store that the others still ask

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Snapshots by step."""
        return sorted(directory.glob("step-*"), key=_step_of)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """All ranks restore: the optimizer's state is kept per rank."""
        if configuration.ranks == 1:
            return self._load(checkpoint)
        return in_ranks(configuration.ranks, lambda _: self._load(checkpoint))

    def _load(self, checkpoint: Path) -> Outcome:
        from torchsnapshot import Snapshot

        job = _Training()
        job.advance(0)  # the optimizer's state has its shape only after a first step
        Snapshot(str(checkpoint)).restore(job.state)
        step = job.state["progress"]["step"]
        return compare(checkpoint.parent, step, _step_of(checkpoint), *job.held())


def _barrier() -> None:
    import torch

    torch.distributed.barrier()


def _step_of(path: Path) -> int:
    return int(path.name.removeprefix("step-"))


class _Training:
    """What one rank trains."""

    def __init__(self) -> None:
        import torch
        import torchsnapshot

        torch.set_num_threads(1)
        torch.manual_seed(0)
        model: Any = torch.nn.Sequential(*(torch.nn.Linear(WIDTH, WIDTH) for _ in range(DEPTH)))
        if int(os.environ.get("WORLD_SIZE", "1")) > 1:
            torch.distributed.init_process_group("gloo")
            model = torch.nn.parallel.DistributedDataParallel(model)
        self._model = model
        self._optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self._schedule = torch.optim.lr_scheduler.StepLR(self._optimizer, 1)
        self.state = {
            "model": model,
            "optimizer": self._optimizer,
            "schedule": self._schedule,
            "rng": torchsnapshot.RNGState(),
            "progress": torchsnapshot.StateDict(step=0),
        }

    def advance(self, step: int) -> None:
        """One optimizer step."""
        import torch

        inputs = torch.rand(2, WIDTH, generator=torch.Generator().manual_seed(step))
        torch.nn.functional.mse_loss(self._model(inputs), inputs).backward()
        self._optimizer.step()
        self._optimizer.zero_grad()
        self._schedule.step()
        self.state["progress"]["step"] = step

    def held(self) -> tuple[Any, Any]:
        """The parameters and the optimizer's state."""
        return self._model.state_dict(), self._optimizer.state_dict()


JOB = TorchSnapshotJob()
