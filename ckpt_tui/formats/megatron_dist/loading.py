"""How the frameworks on Megatron-Core load a checkpoint, and at which other sizes."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import LoaderFacts, OwnChoice, Reshard
from ckpt_tui.core.vocabulary import CONFIG, RNG, SCHEDULER
from ckpt_tui.formats.megatron.naming import RELEASE, is_megatron_name, load_flag
from ckpt_tui.formats.shared.names import step_of_name

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.dcp.content import DcpContent
    from ckpt_tui.formats.megatron_dist.common import CommonState

# `DistributedOptimizer.checkpoint_fully_reshardable_formats`
_FULLY_RESHARDABLE = ("fully_reshardable", "fully_sharded_model_space", "fsdp_dtensor")
_NATIVELY = "natively: dist_checkpointing reshards tensors to any parallelism"


def loader_of(
    files: CheckpointFiles, common: CommonState, *, has_rng: bool, bridge: bool
) -> LoaderFacts:
    """Megatron stops when the schedule is not in a checkpoint that has an optimizer.

    Args:
        files: The checkpoint.
        common: Its common state.
        has_rng: Whether it holds random states.
        bridge: Whether Megatron-Bridge wrote it.
    """
    if not is_megatron_name(files.name):
        return _by_path(files, common)
    flag = load_flag(files.path, without_rng=not has_rng)
    if bridge:
        flag = _bridge_flag(files.path, has_rng)
    return LoaderFacts(
        needs=frozenset({SCHEDULER}),
        tolerates=frozenset({RNG} if bridge else {RNG, CONFIG}),
        flag=flag,
        tag=files.name,
        own_choice=OwnChoice.POINTER,
    )


def reshard_of(content: DcpContent, common: CommonState) -> Reshard:
    """What another size can load; Megatron-LM takes the random state at the same TP and PP only."""
    loses = (RNG,) if RNG in content.keyed.per_rank else ()
    asked = " (pass --no-load-rng at another TP or PP)" if loses else ""
    if common.sharding in ("", *_FULLY_RESHARDABLE):
        return Reshard(True, _NATIVELY + asked, loses)
    how = (
        f"natively at the same TP and PP: its distributed optimizer is `{common.sharding}`; for"
        " others save with --dist-ckpt-optim-fully-reshardable"
    )
    return Reshard(True, how, loses)


def _by_path(files: CheckpointFiles, common: CommonState) -> LoaderFacts:
    flag = f"dist_checkpointing.load(…, checkpoint_dir={json.dumps(files.path)})"
    if common.lightning:
        flag = f"exp_manager.resume_from_checkpoint={shlex.quote(files.path)}"
    return LoaderFacts(flag=flag, tag=files.name)


def _bridge_flag(path: str, has_rng: bool) -> str:
    run, name = os.path.split(path)
    step = step_of_name(name)
    parts = [f"checkpoint.load={shlex.quote(run)}"]
    if name != RELEASE and step:
        parts.append(f"checkpoint.ckpt_step={step}")
    if not has_rng:
        parts.append("checkpoint.load_rng=false")
    return " ".join(parts)
