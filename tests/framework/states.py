"""States to save, and the comparison of what came back."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

torch.set_num_threads(1)


def training_state(step: int) -> dict[str, Any]:
    """All five roles of a tiny job, of real modules; the same for every call."""
    torch.manual_seed(step)
    model = nn.Sequential(nn.Linear(12, 24), nn.LayerNorm(24), nn.Linear(24, 12))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 100)
    for parameter in model.parameters():
        parameter.grad = torch.rand_like(parameter)
    optimizer.step()
    scheduler.step()
    return {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "rng": {"cpu": torch.get_rng_state()},
        "step": step,
    }


def same(left: Any, right: Any) -> bool:
    """Whether two states are equal, tensors bit by bit."""
    if isinstance(left, torch.Tensor) or isinstance(right, torch.Tensor):
        return (
            isinstance(left, torch.Tensor)
            and isinstance(right, torch.Tensor)
            and left.dtype == right.dtype
            and torch.equal(left, right)
        )
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def cut_places(size_bytes: int, count: int) -> list[int]:
    """Sizes to cut a file to: spread evenly, and close to both ends."""
    spread = [size_bytes * number // count for number in range(count)]
    ends = [1, 4, 22, size_bytes - 98, size_bytes - 42, size_bytes - 22, size_bytes - 1]
    return sorted({place for place in (*spread, *ends) if 0 <= place < size_bytes})
