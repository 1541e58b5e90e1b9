"""DeepSpeed's engine on gloo: ZeRO 0 to 3, a pipeline, and the conversion to the universal form."""

from __future__ import annotations

import re
import shutil
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.digests import compare, note
from tests.framework.jobs.ranks import in_ranks

if TYPE_CHECKING:
    from pathlib import Path

WIDTH = 512
DEPTH = 4
BATCH = 2
_TAG = re.compile(r"global_step(\d+)(_universal)?")


def _configuration(name: str, stage: int, **options: Any) -> Configuration:
    return Configuration(name, 2, {"stage": stage, **options})


class DeepSpeedJob:
    """`engine.save_checkpoint` after each step, `engine.load_checkpoint` by tag on all ranks."""

    name = "deepspeed"
    format = "deepspeed"
    configurations = (
        _configuration("zero0", 0),
        _configuration("zero1", 1),
        _configuration("zero1-fp32-rng", 1, fp32=True, rng=True),
        _configuration("zero2-rng", 2, rng=True),
        _configuration("zero3", 3),
        _configuration("zero3-rng-keep2", 3, rng=True, keep=2),
        _configuration("zero1-keep2", 1, keep=2),
        _configuration("zero1-again", 1, again=True),
        _configuration("zero3-again", 3, again=True),
        _configuration("pipeline", 1, pipeline=True),
        _configuration("universal1", 1, universal=True),
        _configuration("universal3", 3, universal=True),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """One step before each save, as the engine's authors show it."""
        import torch

        options = configuration.options
        engine = _engine(options, load_universal=False)
        for number in range(saves):
            _step(engine, options, number)
            step = engine.global_steps
            note(directory, step, *_held(engine))
            client_state: dict[str, Any] = {"epoch": number}
            if options.get("rng"):
                client_state["rng"] = torch.get_rng_state()
            for _ in range(1 + options.get("again", False)):  # as a job that was restarted does
                engine.save_checkpoint(str(directory), client_state=client_state)
            if engine.global_rank == 0:
                _after_save(directory, step, options)

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """Tags in the order of their steps; of a run that converts, the converted ones too."""
        found = [path for path in directory.glob("global_step*") if _TAG.fullmatch(path.name)]
        return sorted(found, key=lambda path: (_step_of(path), path.name))

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """Every rank loads: rank 0 alone may come back although another rank's part is cut."""
        return in_ranks(configuration.ranks, lambda _: self._load(checkpoint, configuration))

    def _load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        universal = checkpoint.name.endswith("_universal")
        engine = _engine(configuration.options, load_universal=universal)
        path, client_state = engine.load_checkpoint(str(checkpoint.parent), tag=checkpoint.name)
        if path is None:
            return Outcome(False, False, False, "load_checkpoint returned None")
        step = _step_of(checkpoint)
        came_back = compare(checkpoint.parent, engine.global_steps, step, *_held(engine))
        return came_back._replace(step=came_back.step and client_state["epoch"] == step - 1)


def _step_of(path: Path) -> int:
    matched = _TAG.fullmatch(path.name)
    return int(matched[1]) if matched else -1


def _engine(options: dict[str, Any], *, load_universal: bool) -> Any:
    import deepspeed
    import torch

    torch.set_num_threads(1)
    # Its buffers would stay in /dev/shm when a rank is killed, 66 MiB each; gloo does the same.
    deepspeed.ops.__compatible_ops__["deepspeed_shm_comm"] = False
    deepspeed.init_distributed(dist_backend="gloo", verbose=False)
    torch.manual_seed(0)
    layers = [torch.nn.Linear(WIDTH, WIDTH) for _ in range(DEPTH)]
    if options.get("pipeline"):
        model: Any = deepspeed.pipe.PipelineModule(
            layers, num_stages=2, loss_fn=torch.nn.functional.mse_loss, partition_method="uniform"
        )
    else:
        model = torch.nn.Sequential(*layers)
    config = {
        "train_micro_batch_size_per_gpu": BATCH,
        "gradient_accumulation_steps": 1,
        "steps_per_print": 1_000_000,
        "zero_allow_untested_optimizer": True,
        "zero_optimization": {
            "stage": options["stage"],
            "stage3_param_persistence_threshold": 0,
        },
        "bf16": {"enabled": not options.get("fp32", False)},
        "scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 10}},
        "optimizer": {"type": "Adam", "params": {"lr": 1e-3, "torch_adam": True}},
        "checkpoint": {"load_universal": load_universal},
    }
    parameters = [each for each in model.parameters() if each.requires_grad]
    engine, *_ = deepspeed.initialize(model=model, model_parameters=parameters, config=config)
    return engine


def _step(engine: Any, options: dict[str, Any], number: int) -> None:
    import torch

    torch.manual_seed(1000 * number + engine.global_rank)
    dtype = torch.float32 if options.get("fp32") else torch.bfloat16
    inputs = torch.rand(BATCH, WIDTH, dtype=dtype)
    if options.get("pipeline"):
        engine.train_batch(data_iter=iter([(inputs, inputs)]))
        return
    loss = torch.nn.functional.mse_loss(engine(inputs), inputs)
    engine.backward(loss)
    engine.step()


def _held(engine: Any) -> tuple[Any, Any]:
    """The parameters and the optimizer's state of this rank."""
    parameters = [getattr(each, "ds_tensor", each) for each in engine.module.parameters()]
    inner = getattr(engine.optimizer, "optimizer", engine.optimizer)
    masters = [each for group in inner.param_groups for each in group["params"]]
    moments = [inner.state[each] for each in masters if each in inner.state]
    schedule = engine.lr_scheduler.state_dict()
    return parameters, {"masters": masters, "moments": moments, "schedule": schedule}


def _after_save(directory: Path, step: int, options: dict[str, Any]) -> None:
    """What launch scripts do on rank 0: removing old tags, converting the new one."""
    if keep := options.get("keep"):
        shutil.rmtree(directory / f"global_step{step - keep}", ignore_errors=True)
    if options.get("universal"):
        from deepspeed.checkpoint import ds_to_universal

        source = directory / f"global_step{step}"
        ds_to_universal.main(
            Namespace(
                input_folder=str(source),
                output_folder=f"{source}_universal",
                num_extract_workers=1,
                num_merge_workers=1,
                keep_temp_folder=False,
                strict=True,
                inject_missing_state=True,
            )
        )


JOB = DeepSpeedJob()
