"""The jobs, by name; each module offers `JOB`."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.framework.jobs.base import Configuration, Job

MODULES = {
    "torch-save": "tests.framework.jobs.torch_save",
    "torch-dcp": "tests.framework.jobs.torch_dcp",
    "hf-trainer": "tests.framework.jobs.hf_trainer",
    "accelerate": "tests.framework.jobs.accelerate_job",
    "lightning": "tests.framework.jobs.lightning_job",
    "deepspeed": "tests.framework.jobs.deepspeed_job",
    "megatron": "tests.framework.jobs.megatron_job",
    "torchsnapshot": "tests.framework.jobs.torchsnapshot_job",
}

DISTRIBUTIONS = {
    "torch-save": "torch",
    "torch-dcp": "torch",
    "hf-trainer": "transformers",
    "accelerate": "accelerate",
    "lightning": "lightning",
    "deepspeed": "deepspeed",
    "megatron": "megatron-core",
    "torchsnapshot": "torchsnapshot",
}
"""Whose version a job's results are about."""

PRELOADED = {
    "torch-save": ("torch",),
    "torch-dcp": ("torch.distributed.checkpoint", "torch.distributed.fsdp"),
    "hf-trainer": ("transformers.trainer",),
    "accelerate": ("accelerate",),
    "lightning": ("lightning",),
    "deepspeed": ("deepspeed",),
    "megatron": ("megatron.core",),
    "torchsnapshot": ("torchsnapshot",),
}
"""What is imported once, before the forks; each first round adds what its load imported."""


def job_named(name: str) -> Job:
    """The job of that name; its framework is not imported yet.

    Raises:
        KeyError: There is no such job.
    """
    job: Job = importlib.import_module(MODULES[name]).JOB
    return job


def configuration_of(job: Job, name: str) -> Configuration:
    """The job's configuration of that name.

    Raises:
        KeyError: It has none of that name.
    """
    return {each.name: each for each in job.configurations}[name]
