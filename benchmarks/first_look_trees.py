"""Writes large trees of small, whole checkpoints, for `first_look` and its like."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tests.formats.dcp_builder import write_dcp
from tests.formats.torch_builder import SCHEDULER, Shape, torch_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

SAMPLES = Path(__file__).parents[1] / "sample_runs"
_SHARD = bytes(64)
_ROLES = ("model", "optimizer", "rng")
_TRAINER_RANKS = 8
_AGE_SECONDS = 3600
_OTHERS = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


def write_manifest_run(run: Path, checkpoints: int, files: int) -> None:
    """Our own format: model, optimizer and random state of each rank, `manifest.json` last."""
    ranks = (files - 3) // len(_ROLES)
    listed = [(role, rank) for rank in range(ranks) for role in _ROLES]
    listed += [("scheduler", 0), ("progress", 0)]
    shards = {f"{role}-rank{rank}.bin": _SHARD for role, rank in listed}
    notes = {f"notes-{number}.txt": _SHARD for number in range(files - 1 - len(shards))}
    for step in _steps(checkpoints):
        name = f"step-{step}"
        entries = [
            {
                "role": role,
                "path": f"{role}-rank{rank}.bin",
                "rank": rank,
                "checkpoint_id": name,
                "size_bytes": len(_SHARD),
                "crc32": "758d6336",
            }
            for role, rank in listed
        ]
        document = {
            "schema": "ckpt-tui/manifest/1",
            "checkpoint_id": name,
            "step": step,
            "world_size": ranks,
            "committed": True,
            "entries": entries,
        }
        manifest = json.dumps(document, indent=2).encode()
        _write(run / name, shards | notes | {"manifest.json": manifest})


def write_trainer_run(run: Path, checkpoints: int, files: int) -> None:
    """`checkpoint-N` of the Hugging Face Trainer on 8 ranks, the model in many safetensors."""
    sample = SAMPLES / "hf-trainer" / "single" / "checkpoint-10"
    copied = ("config.json", "generation_config.json", "training_args.bin")
    shared = {name: (sample / name).read_bytes() for name in copied}
    shared |= dict.fromkeys(_OTHERS, b"{}")
    rng = (sample / "rng_state.pth").read_bytes()
    shared |= {f"rng_state_{rank}.pth": rng for rank in range(_TRAINER_RANKS)}
    parts = files - len(shared) - 4
    names = [f"model-{part:05d}-of-{parts:05d}.safetensors" for part in range(1, parts + 1)]
    weight_map: dict[str, str] = {}
    for part, name in enumerate(names):
        tensors = [f"model.layers.{part}.{kind}.weight" for kind in ("attn", "mlp", "norm")]
        shared[name] = _safetensors(tensors)
        weight_map |= dict.fromkeys(tensors, name)
    index = {"metadata": {"total_size": 0}, "weight_map": weight_map}
    shared["model.safetensors.index.json"] = json.dumps(index, indent=2).encode()
    state = json.loads((sample / "trainer_state.json").read_text())
    for step in _steps(checkpoints):
        own = {
            "optimizer.pt": torch_bytes(_optimizer(step)),
            "scheduler.pt": torch_bytes(SCHEDULER | {"last_epoch": step, "_step_count": step + 1}),
            "trainer_state.json": json.dumps(
                state | {"global_step": step, "max_steps": 1 << 30}
            ).encode(),
        }
        _write(run / f"checkpoint-{step}", shared | own)


def write_dcp_run(run: Path, checkpoints: int, files: int) -> None:
    """torch DCP: one file per rank, `.metadata` last."""
    ranks = files - 1
    state: dict[str, object] = {}
    for rank in range(ranks):
        state[f"model.layers.{rank}.weight"] = Shape((4, 2))
        state[f"optimizer.state.layers.{rank}.weight.exp_avg"] = Shape((4, 2))
    state |= {"optimizer.param_groups.0.lr": 0.1, "scheduler": dict(SCHEDULER), "rng": [1]}

    def rank_of(key: str) -> int:
        digits = [part for part in key.split(".") if part.isdigit()]
        return int(digits[0]) if "layers" in key else 0

    first = run / "step-10"
    write_dcp(first, state | {"step": 10}, rank_of)
    shared = {path.name: path.read_bytes() for path in sorted(first.iterdir())}
    for step in _steps(checkpoints)[1:]:
        _write(run / f"step-{step}", shared)


WRITERS: Mapping[str, Callable[[Path, int, int], None]] = {
    "manifest": write_manifest_run,
    "hf-trainer": write_trainer_run,
    "torch-dcp": write_dcp_run,
}


def make_old(top: str) -> None:
    """Makes a tree an hour old: what was just written is read once more, and its age is told."""
    then = time.time() - _AGE_SECONDS
    for place, _, names in os.walk(top, topdown=False):
        for name in (*names, ""):
            os.utime(os.path.join(place, name), (then, then))


def _steps(checkpoints: int) -> range:
    return range(10, 10 * checkpoints + 10, 10)


def _write(directory: Path, files: Mapping[str, bytes]) -> None:
    directory.mkdir(parents=True)
    base = os.fspath(directory)
    for name, data in files.items():
        descriptor = os.open(f"{base}/{name}", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        os.write(descriptor, data)
        os.close(descriptor)


def _optimizer(step: int) -> dict[str, object]:
    moments: dict[str, object] = {"step": step, "exp_avg": Shape((4, 2))}
    return {"state": {0: moments}, "param_groups": [{"lr": 0.1, "params": [0]}]}


def _safetensors(names: list[str]) -> bytes:
    each = 16
    header = {
        name: {"dtype": "F32", "shape": [2, 2], "data_offsets": [at * each, (at + 1) * each]}
        for at, name in enumerate(names)
    }
    text = json.dumps({"__metadata__": {"format": "pt"}, **header}).encode()
    return len(text).to_bytes(8, "little") + text + bytes(each * len(names))
