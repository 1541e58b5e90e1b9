"""Orbax's newer interface: `orbax.checkpoint.experimental.v1`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.framework.jobs.jax_states import blank, compared, host_state, on_device

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tests.framework.jobs.base import Outcome


def train_v1(directory: Path, steps: Iterable[int], kind: str) -> None:
    """Saves by a `training.Checkpointer`, or by the free functions (`kind` "free")."""
    import orbax.checkpoint.experimental.v1 as ocp

    if kind == "free":
        directory.mkdir(parents=True, exist_ok=True)
        for step in steps:
            ocp.save(directory / f"step_{step}", on_device(host_state(step)))
        return
    with ocp.training.Checkpointer(directory) as checkpointer:
        for step in steps:
            state = on_device(host_state(step))
            if kind == "save":
                checkpointer.save(step, state)
            else:
                del state["step"]  # the name tells it
                dataset = {"next_index": 4 * step, "step": step}
                checkpointer.save_checkpointables(step, {**state, "dataset": dataset})


def load_v1(checkpoint: Path, step: int, kind: str) -> Outcome:
    """Loads by the same interface, into a target."""
    import orbax.checkpoint.experimental.v1 as ocp

    target: dict[str, Any] = on_device(blank(host_state(step)))
    if kind == "free":
        return compared(ocp.load(checkpoint, target), step)
    with ocp.training.Checkpointer(checkpoint.parent) as checkpointer:
        if "tmp" in checkpoint.name or step not in {each.step for each in checkpointer.checkpoints}:
            raise FileNotFoundError(f"the checkpointer does not list {checkpoint.name}")
        if kind == "save":
            return compared(checkpointer.load(step, target), step)
        del target["step"]
        wanted = {**target, "dataset": {"next_index": 0, "step": 0}}
        loaded = checkpointer.load_checkpointables(step, wanted)
        return compared({**loaded, "step": loaded["dataset"]["step"]}, step)
