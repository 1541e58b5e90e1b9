"""Which role a name stands for: the keys of real savers and the usual synonyms of custom loops.

Content decides first: the keys inside a file are asked before the file's own name.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import (
    CONFIG,
    DATALOADER,
    METRICS,
    MODEL,
    OPTIMIZER,
    PROGRESS,
    RNG,
    SCHEDULER,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

SYNONYMS: dict[str, tuple[str, ...]] = {
    MODEL: (
        "model",
        "state_dict",
        "model_state_dict",
        "model_state",
        "module",
        "net",
        "network",
        "weights",
        "params",
        "parameters",
        "net_state_dict",
        "model_states",
        "pytorch_model",
        "ema",
        "ema_model",
        "generator",
        "actor",
        "critic",
        "policy",
        "module_state_dict",
        "adapter_model",
        "model_optim_rng",
        "mp_rank",
    ),
    OPTIMIZER: (
        "optimizer",
        "optim",
        "opt",
        "optimizer_state_dict",
        "optimizer_state",
        "optimizers",
        "optimizer_states",
        "optim_state_dict",
        "optim_states",
        "opt_state",
        "opt_state_dict",
        "optimizer_states_dict",
        "distrib_optim",
        "adam",
        "optimizer_0",
    ),
    SCHEDULER: (
        "scheduler",
        "lr_scheduler",
        "sched",
        "lr_schedulers",
        "scheduler_state_dict",
        "scheduler_state",
        "lr_scheduler_state_dict",
        "lr_sched",
        "opt_param_scheduler",
        "schedulers",
        "lr_schedule",
        "scheduler_dict",
    ),
    RNG: (
        "rng",
        "rng_state",
        "rng_states",
        "random_state",
        "random_states",
        "torch_rng_state",
        "cuda_rng_state",
        "np_rng_state",
        "random_rng_state",
        "rngs",
        "rng_state_dict",
        "numpy_rng_state",
        "python_rng_state",
        "torch_rng",
        "cpu_rng_state",
        "prng",
        "rng_key",
    ),
    PROGRESS: (
        "progress",
        "step",
        "global_step",
        "iteration",
        "iter",
        "iter_num",
        "iters",
        "num_steps",
        "global_steps",
        "train_state",
        "trainer_state",
        "steps",
        "current_step",
        "cur_step",
        "step_num",
        "global_iter",
        "n_iter",
        "update",
        "num_updates",
        "global_iteration",
        "train_step",
        "it",
        "training_state",
        "step_count",
    ),
    DATALOADER: (
        "dataloader",
        "data_loader",
        "dataset",
        "sampler",
        "data",
        "data_state",
        "dataloaders",
        "train_dataloader",
        "data_iter",
        "dataloader_state",
        "datasets",
        "dataloader_state_dict",
    ),
    METRICS: ("metrics", "loss", "best_val_loss", "log_history", "best_loss", "best_metric"),
    CONFIG: ("config", "args", "hparams", "hyper_parameters", "model_args", "training_args", "cfg"),
}
"""Role → names, lower case. A key counts with its numbered forms (`rng_rank3`, `model_0`)."""

STEP_KEYS = (
    "global_step",
    "global_steps",
    "iteration",
    "iter_num",
    "step",
    "num_steps",
    "steps",
    "iter",
    "current_step",
    "cur_step",
    "step_num",
    "global_iter",
    "global_iteration",
    "n_iter",
    "iters",
    "num_updates",
    "train_step",
    "it",
    "step_count",
)
"""Keys whose integer value is the training step, the most telling first."""

EPOCH_KEYS = ("epoch", "current_epoch", "epochs", "epoch_num", "last_epoch")

_ROLE_OF = {name: role for role, names in SYNONYMS.items() for name in names}
_NUMBERED = re.compile(r"(?:[_.-]?(?:dp[_-]?)?(?:rank|r)?[_-]?\d+)+$")


def role_of_key(key: object) -> str | None:
    """The role that a top-level key names, or None: `lr_scheduler` → scheduler.

    Numbers at the end do not count, so `rng_rank3` is rng and `optimizer_0` is optimizer.
    """
    if not isinstance(key, str):
        return None
    plain = key.lower().strip()
    return _ROLE_OF.get(plain) or _ROLE_OF.get(_NUMBERED.sub("", plain))


def role_of_path(key: str) -> str | None:
    """The role of a flat, dotted key by its first telling part: `optimizer.state.w.exp_avg`."""
    parts = key.split(".")
    return role_of_key(parts[0]) or (role_of_key(".".join(parts[:2])) if len(parts) > 1 else None)


def role_of_file_name(name: str) -> str | None:
    """The role that a file's name claims, as a whole or by one of its words."""
    stem = name.split(".")[0].lower()
    whole = role_of_key(stem)
    if whole is not None:
        return whole
    words = [word for word in re.split(r"[^a-z]+", stem) if word]
    pairs = [f"{a}_{b}" for a, b in pairwise(words)]
    return next((role for role in map(role_of_key, [*pairs, *words]) if role), None)


def roles_of_keys(keys: Iterable[object]) -> dict[str, tuple[str, ...]]:
    """Role → the keys that name it, in the order of the keys."""
    found: dict[str, list[str]] = {}
    for key in keys:
        role = role_of_key(key)
        if role is not None:
            found.setdefault(role, []).append(str(key))
    return {role: tuple(names) for role, names in found.items()}
