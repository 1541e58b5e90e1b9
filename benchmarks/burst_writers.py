"""Sixteen processes that write the shards of one save at once, and the commit that follows."""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.formats.dcp_builder import write_dcp
from tests.formats.torch_builder import SCHEDULER, Shape

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

WRITERS = 16
_SHARD_BYTES = 256
_SHARDS_PER_PAUSE = 4


class Plan(NamedTuple):
    """What one save of a run writes.

    Attributes:
        shards: Name → content.
        commit_name: Name of the file that commits it, renamed into place last.
        commit_bytes: That file's content, by the step.
        renames_shards: Whether each shard is renamed into place, as the format's writers do.
    """

    shards: Mapping[str, bytes]
    commit_name: str
    commit_bytes: Callable[[int], bytes]
    renames_shards: bool


def manifest_plan(shards: int) -> Plan:
    """Our own format: model, optimizer and random state of each rank."""
    world_size = max(1, (shards - 2) // 3)
    listed = [(role, rank) for rank in range(world_size) for role in ("model", "optimizer", "rng")]
    listed += [("scheduler", 0), ("progress", 0)]
    names = [f"{role}-rank{rank}.bin" for role, rank in listed]

    def document(step: int) -> bytes:
        identity = f"step-{step}"
        entries = [
            {
                "role": role,
                "path": name,
                "rank": rank,
                "checkpoint_id": identity,
                "size_bytes": _SHARD_BYTES,
            }
            for name, (role, rank) in zip(names, listed, strict=True)
        ]
        head = {"schema": "ckpt-tui/manifest/1", "checkpoint_id": identity, "step": step}
        rest = {"world_size": world_size, "committed": True, "entries": entries}
        return json.dumps(head | rest).encode()

    return Plan(dict.fromkeys(names, bytes(_SHARD_BYTES)), "manifest.json", document, True)


def dcp_plan(shards: int) -> Plan:
    """torch DCP: one file per rank written where it stays, `.metadata` renamed into place."""
    state: dict[str, object] = {"optimizer.param_groups.0.lr": 0.1, "rng": [1], "step": 10}
    state |= {"scheduler": dict(SCHEDULER)}
    for rank in range(shards):
        kind = "model.layers" if rank % 2 else "optimizer.state.layers"
        state[f"{kind}.{rank}.exp_avg"] = Shape((4, 2))

    def rank_of(key: str) -> int:
        return int(key.split(".")[-2]) if "layers" in key else 0

    with tempfile.TemporaryDirectory() as directory:
        write_dcp(Path(directory), state, rank_of)
        files = {path.name: path.read_bytes() for path in Path(directory).iterdir()}
    index = files.pop(".metadata")
    return Plan(files, ".metadata", lambda step: index, False)


PLANS: Mapping[str, Callable[[int], Plan]] = {"manifest": manifest_plan, "torch-dcp": dcp_plan}


class Burst:
    """Writes saves; make it before any thread is started, as its processes are forked.

    Args:
        plan: What each save is.
        seconds: How long the processes take for their shards, where the machine is fast enough.
    """

    def __init__(self, plan: Plan, seconds: float) -> None:
        self._plan = plan
        shards = list(plan.shards.items())
        parts = [shards[part::WRITERS] for part in range(WRITERS)]
        context = multiprocessing.get_context("fork")
        self._pipes = []
        for part in parts:
            here, there = context.Pipe()
            context.Process(
                target=_write_on_demand,
                args=(there, part, seconds, plan.renames_shards),
                daemon=True,
            ).start()
            self._pipes.append(here)

    def save(self, run: Path, step: int) -> tuple[Path, float]:
        """Writes one save; returns it and when it was committed, on `time.perf_counter`."""
        directory = run / f"step-{step}"
        directory.mkdir()
        for pipe in self._pipes:
            pipe.send(os.fspath(directory))
        for pipe in self._pipes:
            pipe.recv()
        staged = directory / f"{self._plan.commit_name}.tmp"
        staged.write_bytes(self._plan.commit_bytes(step))
        committed_at = time.perf_counter()
        staged.rename(directory / self._plan.commit_name)
        return directory, committed_at

    def close(self) -> None:
        """Lets the processes end."""
        for pipe in self._pipes:
            pipe.send("")


def _write_on_demand(
    pipe: multiprocessing.connection.Connection,
    shards: Sequence[tuple[str, bytes]],
    seconds: float,
    renames: bool,
) -> None:
    while directory := pipe.recv():
        began = time.monotonic()
        for count, (name, content) in enumerate(shards, start=1):
            path = f"{directory}/{name}"
            written = f"{path}.tmp" if renames else path
            with open(written, "wb", buffering=0) as file:
                file.write(content)
            if renames:
                os.rename(written, path)
            if count % _SHARDS_PER_PAUSE == 0:
                time.sleep(max(0.0, began + seconds * count / len(shards) - time.monotonic()))
        pipe.send(None)
