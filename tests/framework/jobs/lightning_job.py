"""Lightning's Trainer with `ModelCheckpoint`, and its way back by `fit(ckpt_path=…)`."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.digests import compare, note
from tests.framework.jobs.ranks import in_ranks

WIDTH = 384
DEPTH = 4
STEPS_PER_SAVE = 2
MEMORY_DISK = Path("/dev/shm")
_STEP = re.compile(r"step=(\d+)")


class _RestoredError(Exception):
    """The checkpoint has been restored: there is no need to train on."""


def _configuration(name: str, ranks: int = 1, **options: Any) -> Configuration:
    defaults = {"save_top_k": -1, "every_n_train_steps": STEPS_PER_SAVE}
    return Configuration(name, ranks, {**defaults, **options})


class LightningJob:
    """A few optimizer steps before each save; `ModelCheckpoint` names and removes the files."""

    name = "lightning"
    format = "lightning"
    configurations = (
        _configuration("every-n"),
        _configuration("other-disk", other_disk=True),
        _configuration("top2-last", save_top_k=2, monitor="quality", mode="max", save_last=True),
        _configuration(
            "top1-last-other-disk",
            save_top_k=1,
            monitor="quality",
            mode="max",
            save_last=True,
            other_disk=True,
        ),
        _configuration("last-link-other-disk", save_last="link", other_disk=True),
        _configuration("weights-only", save_weights_only=True, other_disk=True),
        _configuration("sharded", 2, sharded=True),
        _configuration(
            "sharded-top2", 2, sharded=True, save_top_k=2, monitor="quality", mode="max"
        ),
        _configuration("sharded-last", 2, sharded=True, save_top_k=1, save_last=True),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Training by `fit`, with the callback's own schedule."""
        options = dict(configuration.options)
        other_disk = options.pop("other_disk", False)
        if other_disk:
            _use_other_disk()
        sharded = options.pop("sharded", False)
        from lightning.pytorch.callbacks import ModelCheckpoint

        saving = ModelCheckpoint(dirpath=directory, filename="{epoch}-{step}", **options)
        trainer = _trainer(sharded, saves * STEPS_PER_SAVE, [saving, _notes(directory)])
        trainer.fit(_module(), _batches())
        if other_disk:
            shutil.rmtree(tempfile.gettempdir())

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Files or directories as they were written; `last.ckpt` is one where it is no link."""
        found = [path for path in directory.glob("*.ckpt") if not path.is_symlink()]
        return sorted(found, key=_written_at)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """`fit` until training would begin."""
        if configuration.ranks == 1:
            return self._load(checkpoint, configuration)
        return in_ranks(configuration.ranks, lambda _: self._load(checkpoint, configuration))

    def _load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        import lightning

        class Stop(lightning.Callback):
            def on_train_start(self, *_: object) -> None:
                raise _RestoredError

        sharded = configuration.options.get("sharded", False)
        trainer, module = _trainer(sharded, -1, [Stop()]), _module()
        with contextlib.suppress(_RestoredError):
            trainer.fit(module, _batches(), ckpt_path=checkpoint, weights_only=False)
        step = trainer.global_step
        named = _STEP.search(checkpoint.name)
        wanted = int(named[1]) if named else step
        return compare(checkpoint.parent, step, wanted, *_held(trainer, module))


def _written_at(checkpoint: Path) -> int:
    parts = [checkpoint, *(checkpoint.iterdir() if checkpoint.is_dir() else ())]
    return max(part.stat().st_mtime_ns for part in parts)


def _use_other_disk() -> None:
    """Puts temporary files on another file system: files are then copied to their final names.

    What writers that are gone have left there is removed.
    """
    for old in MEMORY_DISK.glob("lightning-job-*"):
        if not Path("/proc", old.name.rpartition("-")[2]).exists():
            shutil.rmtree(old, ignore_errors=True)
    own = MEMORY_DISK / f"lightning-job-{os.getpid()}"
    own.mkdir(exist_ok=True)
    tempfile.tempdir = str(own)


def _module() -> Any:
    """A model whose loss and logged quality are simple functions of the batch and the step."""
    import lightning
    import torch

    class Module(lightning.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            torch.manual_seed(0)
            layers = [torch.nn.Linear(WIDTH, WIDTH) for _ in range(DEPTH)]
            self.model = torch.nn.Sequential(*layers)

        def configure_model(self) -> None:
            mesh = self.device_mesh
            if mesh is not None:
                from torch.distributed.fsdp import fully_shard

                fully_shard(self.model, mesh=mesh["data_parallel"])

        def training_step(self, batch: Any, _: int) -> Any:
            self.log("quality", float(self.global_step))
            return torch.nn.functional.mse_loss(self.model(batch[0]), batch[0])

        def configure_optimizers(self) -> Any:
            optimizer = torch.optim.AdamW(self.parameters(), lr=1e-3)
            schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
            return {"optimizer": optimizer, "lr_scheduler": schedule}

    return Module()


def _batches() -> Any:
    import torch

    inputs = torch.rand(8, WIDTH, generator=torch.Generator().manual_seed(1))
    return torch.utils.data.DataLoader(torch.utils.data.TensorDataset(inputs), batch_size=2)


def _trainer(sharded: bool, max_steps: int, callbacks: list[Any]) -> Any:
    import lightning
    import torch

    torch.set_num_threads(1)
    options: dict[str, Any] = {"devices": 1}
    if sharded:
        from lightning.pytorch.strategies import ModelParallelStrategy

        options["devices"] = 2
        options["strategy"] = ModelParallelStrategy(
            data_parallel_size=2,
            tensor_parallel_size=1,
            save_distributed_checkpoint=True,
            process_group_backend="gloo",
        )
    return lightning.Trainer(
        accelerator="cpu",
        max_steps=max_steps,
        callbacks=callbacks,
        enable_checkpointing=bool(max_steps > 0),
        enable_progress_bar=False,
        enable_model_summary=False,
        logger=False,
        **options,
    )


def _notes(directory: Path) -> Any:
    """Notes what is about to be saved: called while the state is gathered, on every rank."""
    import lightning

    class Notes(lightning.Callback):
        def on_save_checkpoint(self, trainer: Any, module: Any, checkpoint: Any) -> None:
            note(directory, checkpoint["global_step"], *_held(trainer, module))

    return Notes()


def _held(trainer: Any, module: Any) -> tuple[Any, Any]:
    """The local parameters and optimizer states of this rank."""
    parameters = [_local(each) for each in module.parameters()]
    (optimizer,) = trainer.optimizers
    states = [optimizer.state.get(each, {}) for each in module.parameters()]
    local = [{key: _local(value) for key, value in state.items()} for state in states]
    return parameters, {"states": local, "lr": [group["lr"] for group in optimizer.param_groups]}


def _local(value: Any) -> Any:
    return value.to_local() if hasattr(value, "to_local") else value


JOB = LightningJob()
