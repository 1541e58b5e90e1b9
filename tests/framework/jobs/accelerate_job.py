"""`Accelerator.save_state` and `load_state`, with a registered object that holds the step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.digests import compare, note
from tests.framework.jobs.ranks import on_all_ranks

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 384
LAYERS = 3
SAMPLES = 64


class AccelerateJob:
    """One training step before each save; every process loads."""

    name = "accelerate"
    format = "accelerate"
    configurations = (
        Configuration("plain", 1, {}),
        Configuration("plain-limit2", 1, {"limit": 2}),
        Configuration("ddp2", 2, {}),
        Configuration("ddp2-limit2", 2, {"limit": 2}),
        Configuration("manual-bin", 1, {"manual": True}),
        Configuration("fsdp2-sharded", 2, {"fsdp": True}),
        Configuration("fsdp2-sharded-limit2", 2, {"fsdp": True, "limit": 2}),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Names are counted from 0 by accelerate; the manual form names steps."""
        options = configuration.options
        training = _Training(directory, options)
        for step in range(1, saves + 1):
            training.one_step()
            note(directory, step, *training.held())
            if options.get("manual"):
                target = directory / f"step_{step}"
                training.accelerator.save_state(str(target), safe_serialization=False)
            else:
                training.accelerator.save_state()
        training.accelerator.end_training()

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Directories under the names that a user would pass."""
        below = directory if configuration.options.get("manual") else directory / "checkpoints"
        found = [path for path in below.glob("*_*") if path.name.rpartition("_")[2].isdigit()]
        return sorted(found, key=_number_of)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """As many processes as wrote it."""
        return on_all_ranks(configuration.ranks, _load_on_rank, checkpoint, configuration)


def _number_of(path: Path) -> int:
    return int(path.name.rpartition("_")[2])


class _Progress:
    """What a user registers for checkpointing."""

    step = 0

    def state_dict(self) -> dict[str, Any]:
        return {"step": self.step}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.step = state["step"]


class _Training:
    def __init__(self, directory: Path, options: dict[str, Any]) -> None:
        import torch
        from accelerate import Accelerator
        from accelerate.utils import ProjectConfiguration
        from torch import nn
        from torch.utils.data import DataLoader, TensorDataset

        torch.set_num_threads(1)
        project = ProjectConfiguration(
            project_dir=str(directory),
            automatic_checkpoint_naming=not options.get("manual"),
            total_limit=options.get("limit"),
        )
        self._plugin = _fsdp_plugin() if options.get("fsdp") else None
        more = {"fsdp_plugin": self._plugin} if self._plugin else {}
        self.accelerator = Accelerator(cpu=True, project_config=project, **more)
        self._force_fsdp()
        torch.manual_seed(0)
        model = nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS)))
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        data = DataLoader(TensorDataset(torch.rand(SAMPLES, WIDTH)), batch_size=2, shuffle=True)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
        prepared = self.accelerator.prepare(model, optimizer, data, scheduler)
        self.model, self.optimizer, data, self.scheduler = prepared
        self.progress = _Progress()
        self.accelerator.register_for_checkpointing(self.progress)
        self._batches = iter(data)

    def _force_fsdp(self) -> None:
        """On a CPU accelerate never chooses FSDP by itself: sets what it would on a GPU."""
        if self._plugin is None:
            return
        from accelerate.utils import DistributedType

        state = self.accelerator.state
        for name, value in (
            ("distributed_type", DistributedType.FSDP),
            ("fsdp_plugin", self._plugin),
        ):
            state._shared_state[name] = value
            setattr(state, name, value)

    def one_step(self) -> None:
        (batch,) = next(self._batches)
        self.accelerator.backward(self.model(batch).sum())
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.scheduler.step()
        self.progress.step += 1
        self._force_fsdp()

    def held(self) -> tuple[Any, Any]:
        """This process's part of the parameters and of the moments."""
        state = self.optimizer.optimizer.state
        parameters = list(self.model.parameters())
        return parameters, [state[each] for each in parameters if each in state]

    def load(self, checkpoint: Path) -> None:
        self._force_fsdp()
        self.accelerator.load_state(str(checkpoint))


def _fsdp_plugin() -> Any:
    from accelerate import FullyShardedDataParallelPlugin

    return FullyShardedDataParallelPlugin(
        fsdp_version=2, state_dict_type="SHARDED_STATE_DICT", use_orig_params=True
    )


def _load_on_rank(checkpoint: Path, configuration: Configuration) -> Outcome:
    options = configuration.options
    run = checkpoint.parent if options.get("manual") else checkpoint.parent.parent
    training = _Training(run.with_name("resumed"), options)
    training.load(checkpoint)
    wanted = _number_of(checkpoint) + (not options.get("manual"))
    return compare(run, training.progress.step, wanted, *training.held())


JOB = AccelerateJob()
