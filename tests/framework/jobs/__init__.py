"""The jobs, by name."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.framework.jobs.base import Configuration, Job


class Known(NamedTuple):
    """Where a job is, and what it is about.

    Attributes:
        module: Its module's name in this package.
        distribution: Whose version its results are about.
        preloaded: What is imported once, before the forks; each first round adds what its load
            imported.
        attribute: The job's name in its module.
    """

    module: str
    distribution: str
    preloaded: tuple[str, ...]
    attribute: str = "JOB"


TORCH = {
    "torch-save": Known("torch_save", "torch", ("torch",)),
    "torch-dcp": Known(
        "torch_dcp", "torch", ("torch.distributed.checkpoint", "torch.distributed.fsdp")
    ),
    "hf-trainer": Known("hf_trainer", "transformers", ("transformers.trainer",)),
    "accelerate": Known("accelerate_job", "accelerate", ("accelerate",)),
    "lightning": Known("lightning_job", "lightning", ("lightning",)),
    "deepspeed": Known("deepspeed_job", "deepspeed", ("deepspeed",)),
    "megatron": Known("megatron_job", "megatron-core", ("megatron.core",)),
    "torchsnapshot": Known("torchsnapshot_job", "torchsnapshot", ("torchsnapshot",)),
}

_ORBAX = ("orbax.checkpoint", "optax")
_ORBAX_V1 = "orbax.checkpoint.experimental.v1"

JAX = {
    "orbax": Known("orbax_job", "orbax-checkpoint", (*_ORBAX, _ORBAX_V1), "CURRENT"),
    "orbax-0.11": Known("orbax_job", "orbax-checkpoint", _ORBAX, "OF_0_11"),
    "orbax-0.6": Known("orbax_job", "orbax-checkpoint", _ORBAX, "OF_0_6"),
    "orbax-saver": Known("orbax_saver", "orbax-checkpoint", (*_ORBAX, _ORBAX_V1), "CURRENT"),
    "orbax-saver-0.11": Known("orbax_saver", "orbax-checkpoint", _ORBAX, "OF_0_11"),
    "orbax-saver-0.6": Known("orbax_saver", "orbax-checkpoint", _ORBAX, "OF_0_6"),
    "flax": Known("flax_job", "flax", ("flax.training.checkpoints", "optax")),
    "jax-loops": Known("jax_loops", "jax", ("flax.serialization", "optax")),
    "tensorflow": Known("tensorflow_job", "tensorflow-cpu", ("tensorflow", "keras")),
    "keras": Known("keras_job", "keras", ("tensorflow", "keras")),
    "keras-orbax": Known("keras_orbax_job", "keras", ("keras", *_ORBAX, _ORBAX_V1)),
    "paddle": Known("paddle_job", "paddlepaddle", ("paddle",)),
}

FAMILIES = {"torch": TORCH, "jax": JAX}
JOBS = {**TORCH, **JAX}


def job_named(name: str) -> Job:
    """The job of that name; its framework is not imported yet.

    Raises:
        KeyError: There is no such job.
    """
    known = JOBS[name]
    module = importlib.import_module(f"{__name__}.{known.module}")
    job: Job = getattr(module, known.attribute)
    return job


def configuration_of(job: Job, name: str) -> Configuration:
    """The job's configuration of that name.

    Raises:
        KeyError: It has none of that name.
    """
    return {each.name: each for each in job.configurations}[name]
