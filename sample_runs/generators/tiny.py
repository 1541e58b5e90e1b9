"""A tiny language model and its training loop, shared by the torch generators."""

from __future__ import annotations

import random

import numpy as np
import torch
from torch import nn

VOCABULARY = 32


class TinyModel(nn.Module):
    """Embedding, residual layers, output; `width` scales the bytes of a checkpoint."""

    def __init__(self, width: int = 16, layers: int = 1) -> None:
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, width)
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
            for _ in range(layers)
        )
        self.output = nn.Linear(width, VOCABULARY, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        hidden = self.embedding(tokens)
        for layer in self.layers:
            hidden = hidden + layer(hidden)
        return self.output(hidden)


class Job:
    """A model with optimizer, scheduler and step."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 1000)
        self.step = 0

    def train(self, steps: int) -> float:
        """Trains for some steps on random tokens and returns the last loss."""
        loss = torch.zeros(())
        for _ in range(steps):
            tokens = torch.randint(0, VOCABULARY, (4, 8))
            loss = nn.functional.cross_entropy(self.model(tokens).flatten(0, 1), tokens.flatten())
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.scheduler.step()
        self.step += steps
        return float(loss.detach())


def seed_everything(seed: int = 0) -> None:
    """The same weights, batches and random states in every call."""
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)


def random_states() -> dict[str, object]:
    """What a careful loop stores of its random generators."""
    return {
        "torch": torch.get_rng_state(),
        "python": random.getstate(),
        "numpy": np.random.get_state(),
    }
