"""Saves of accelerate by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.store.index import Store
from tests.artifacts.builders import safetensors
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, write_torch

if TYPE_CHECKING:
    from pathlib import Path

HEADER = b'{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
RANDOM = {"step": 0, "random_state": 1, "numpy_random_seed": 2, "torch_manual_seed": 3}


def save(path: Path, processes: int = 1, **states: object) -> Path:
    """A save of one model, optimizer and scheduler, and what else is named."""
    path.mkdir(parents=True)
    (path / "model.safetensors").write_bytes(safetensors(HEADER, bytes(8)))
    files = {"optimizer.bin": OPTIMIZER, "scheduler.bin": SCHEDULER}
    files |= {f"random_states_{rank}.pkl": RANDOM for rank in range(processes)}
    files |= {"custom_checkpoint_0.pkl": {"step": 8}}
    for name, value in (files | states).items():
        write_torch(path / name, value)
    return path


def store_of(root: Path) -> Store:
    """A store that has looked, long after all was written."""
    store = Store(str(root), wall=lambda: 4e9)
    store.look()
    return store
