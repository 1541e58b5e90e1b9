"""megatron-core's `dist_checkpointing`, called as Megatron-LM's training loop calls it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.digests import compare, note
from tests.framework.jobs.megatron_training import Training
from tests.framework.jobs.ranks import in_ranks

if TYPE_CHECKING:
    from pathlib import Path

TRACKER = "latest_checkpointed_iteration.txt"
_CONTENT = {
    "distrib_optim_sharding_type": "fully_sharded_model_space",
    "chained_optim_avoid_prefix": True,
    "singleton_local_shards": False,
}


def _configuration(name: str, tensor_parallel: int, **options: Any) -> Configuration:
    return Configuration(name, 2, {"tensor_parallel": tensor_parallel, **options})


class MegatronJob:
    """One iteration before each save; loaded by `dist_checkpointing.load` of the iteration."""

    name = "megatron"
    format = "megatron-dist"
    configurations = (
        _configuration("tp2", 2),
        _configuration("tp2-keep2", 2, keep=2),
        _configuration("tp2-again", 2, again=True),
        _configuration("tp2-async", 2, asynchronous=True),
        _configuration("dp2-fully-parallel", 1, fully_parallel=True),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """The order of `save_checkpoint` in Megatron-LM: directory, state, then the tracker."""
        options = configuration.options
        _prepare_results_queue()
        job = Training(options)
        calls = _async_calls() if options.get("asynchronous") else None
        for step in range(1, saves + 1):
            job.iterate(step)
            note(directory, step, job.model.state_dict(), job.optimizer.state_dict())
            for _ in range(1 + options.get("again", False)):  # as a job that was restarted does
                self._save(job, directory / f"iter_{step:07d}", step, calls)

    def _save(self, job: Training, checkpoint: Path, step: int, calls: Any) -> None:
        import torch
        from megatron.core import dist_checkpointing

        if job.rank == 0:
            checkpoint.mkdir(parents=True, exist_ok=True)
        torch.distributed.barrier()
        request = dist_checkpointing.save(
            job.sharded_state(step),
            str(checkpoint),
            job.strategy(),
            async_sharded_save=calls is not None,
            content_metadata=dict(_CONTENT),
        )

        def committed() -> None:
            if job.rank == 0:
                _after_save(checkpoint.parent, step, job.options)
            torch.distributed.barrier()

        if calls is None:
            committed()
        else:
            request.add_finalize_fn(committed)
            calls.schedule_async_request(request)
            calls.maybe_finalize_async_calls(blocking=True)

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Iterations; their names have a fixed length."""
        return sorted(directory.glob("iter_*"))

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """All ranks load with the parallelism of the save."""
        return in_ranks(configuration.ranks, lambda _: self._load(checkpoint, configuration))

    def _load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        from megatron.core import dist_checkpointing

        job = Training(configuration.options)
        job.update(0)  # the optimizer's state has its shape only after a first step
        loaded = dist_checkpointing.load(job.sharded_state(0), str(checkpoint))
        job.model.load_state_dict(loaded["model"])
        job.take_optimizer(loaded["optimizer"])
        job.schedule.load_state_dict(loaded["opt_param_scheduler"])
        wanted = int(checkpoint.name.removeprefix("iter_"))
        step = loaded["iteration"]
        held = (job.model.state_dict(), job.optimizer.state_dict())
        outcome = compare(checkpoint.parent, step, wanted, *held)
        trained = job.schedule.num_steps == loaded["args"].consumed_train_samples
        return outcome._replace(step=outcome.step and trained)


def _prepare_results_queue() -> None:
    """The queue of the writer processes' results, from a fork: a spawned one takes seconds."""
    import multiprocessing

    from megatron.core.dist_checkpointing.strategies import filesystem_async

    filesystem_async._results_queue = multiprocessing.get_context("fork").Manager().Queue()


def _async_calls() -> Any:
    from megatron.core.dist_checkpointing.strategies.async_utils import AsyncCallsQueue

    return AsyncCallsQueue(persistent=False)


def _after_save(directory: Path, step: int, options: dict[str, Any]) -> None:
    """The tracker file; then, with a retain interval, the removal of an old iteration."""
    (directory / TRACKER).write_text(str(step))
    if keep := options.get("keep"):
        shutil.rmtree(directory / f"iter_{step - keep:07d}", ignore_errors=True)


JOB = MegatronJob()
