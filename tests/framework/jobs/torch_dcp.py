"""`torch.distributed.checkpoint` in its several ways of laying files out."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.digests import compare, note
from tests.framework.jobs.ranks import on_all_ranks

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 384
LAYERS = 3


class TorchDcpJob:
    """An FSDP2 model on gloo; every rank loads its part with `dcp.load` into a fresh model."""

    name = "torch-dcp"
    format = "torch-dcp"
    configurations = (
        Configuration("sync2", 2, {}),
        Configuration("sync4", 4, {}),
        Configuration("async2", 2, {"async": True}),
        Configuration("two-files-per-rank", 2, {"writer": {"thread_count": 2}}),
        Configuration("file-per-tensor", 2, {"writer": {"single_file_per_rank": False}}),
        Configuration("overwrite", 2, {"overwrite": True}),
        Configuration("keep2", 2, {"keep": 2}),
        Configuration("one-process", 1, {}),
        Configuration("hf-consolidated", 2, {"hugging_face": True}),
        Configuration("hf-sharded", 2, {"hugging_face": False}),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """One training step before each save."""
        import torch.distributed as dist

        run = _Training(configuration.ranks)
        options, pending = configuration.options, None
        for number in range(1, saves + 1):
            run.train_one_step()
            path = directory / ("step-1" if options.get("overwrite") else f"step-{number}")
            if pending is not None:  # an asynchronous save has its own copy of the state
                pending.result()
            note(directory, number, *run.held())
            pending = run.save(path, options)
            if (keep := options.get("keep")) and dist.get_rank() == 0:
                shutil.rmtree(directory / f"step-{number - keep}", ignore_errors=True)
        if pending is not None:
            pending.result()
        dist.destroy_process_group()

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Step directories."""
        return sorted(directory.glob("step-*"), key=lambda path: int(path.name[5:]))

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """All ranks together, as after a restart of the job."""
        return on_all_ranks(configuration.ranks, _load_on_rank, checkpoint, configuration)


class _Training:
    """Model, optimizer and scheduler of one rank, and the group's count of steps."""

    def __init__(self, ranks: int) -> None:
        import torch
        import torch.distributed as dist
        from torch import nn
        from torch.distributed.device_mesh import init_device_mesh
        from torch.distributed.fsdp import fully_shard

        torch.set_num_threads(1)
        torch.manual_seed(0)
        dist.init_process_group("gloo")
        mesh = init_device_mesh("cpu", (ranks,))
        self.model = nn.Sequential(*(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS)))
        for layer in self.model:
            fully_shard(layer, mesh=mesh)
        fully_shard(self.model, mesh=mesh)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 10)
        self.own_group = dist.new_group(backend="gloo")
        self.step = 0

    def train_one_step(self) -> None:
        import torch

        self.model(torch.rand(2, WIDTH)).sum().backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.scheduler.step()
        self.step += 1

    def held(self) -> tuple[Any, Any]:
        """This rank's part of the parameters and of the moments."""
        state = self.optimizer.state
        parameters = list(self.model.parameters())
        return parameters, [state[each] for each in parameters if each in state]

    def state(self) -> dict[str, Any]:
        from torch.distributed.checkpoint.state_dict import get_state_dict

        model, optimizer = get_state_dict(self.model, self.optimizer)
        return {
            "model": model,
            "optimizer": optimizer,
            "lr_scheduler": self.scheduler.state_dict(),
            "train_state": {"step": self.step},
        }

    def save(self, path: Path, options: dict[str, Any]) -> Any:
        """Saves, or begins to; returns what is to be waited for, or None."""
        import torch.distributed.checkpoint as dcp

        if "hugging_face" in options:
            dcp.save(self._tensors(), storage_writer=_hugging_face_writer(path, self, options))
        elif options.get("async"):
            return dcp.async_save(
                self.state(), checkpoint_id=str(path), process_group=self.own_group
            )
        else:
            writer = dcp.FileSystemWriter(path, **options.get("writer", {}))
            dcp.save(self.state(), storage_writer=writer)
        return None

    def _tensors(self) -> dict[str, Any]:
        """All that safetensors can hold: the parameters alone."""
        from torch.distributed.checkpoint.state_dict import get_model_state_dict

        return get_model_state_dict(self.model)

    def load(self, path: Path, options: dict[str, Any]) -> None:
        import torch.distributed.checkpoint as dcp
        from torch.distributed.checkpoint.state_dict import set_model_state_dict, set_state_dict

        if "hugging_face" in options:
            tensors = self._tensors()
            reader = dcp.HuggingFaceStorageReader(str(path))
            dcp.load(tensors, storage_reader=reader)
            set_model_state_dict(self.model, tensors)
            return
        state = self.state()
        dcp.load(state, checkpoint_id=str(path))
        set_state_dict(
            self.model,
            self.optimizer,
            model_state_dict=state["model"],
            optim_state_dict=state["optimizer"],
        )
        self.scheduler.load_state_dict(state["lr_scheduler"])
        self.step = state["train_state"]["step"]


def _hugging_face_writer(path: Path, training: _Training, options: dict[str, Any]) -> Any:
    import torch.distributed.checkpoint as dcp

    consolidated = options["hugging_face"]
    names = sorted(name for name, _ in training.model.named_parameters())
    files = {name: 1 + place % 2 for place, name in enumerate(names)}
    return dcp.HuggingFaceStorageWriter(
        path=str(path),
        save_distributed=True,
        fqn_to_index_mapping=files if consolidated else None,
        enable_consolidation=consolidated,
        thread_count_consolidation=1,
    )


def _load_on_rank(checkpoint: Path, configuration: Configuration) -> Outcome:
    training = _Training(configuration.ranks)
    training.load(checkpoint, configuration.options)
    # Of a directory that every save overwrites, the step inside is the one that counts.
    named = int(checkpoint.name[5:])
    wanted = training.step if configuration.options.get("overwrite") else named
    outcome = compare(checkpoint.parent, training.step, wanted, *training.held())
    return outcome._replace(step=outcome.step and training.step > 0)


JOB = TorchDcpJob()
