"""Lightning's Trainer: one file for each checkpoint, or a directory that two ranks write.

    python lightning_trainer.py OUT [--sharded] [--slow]

`--sharded` starts its second process by itself. `--slow` makes `meta.pt`, the end of a sharded
save, slow enough for kill.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import lightning
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from lightning.pytorch.strategies import ModelParallelStrategy
from slow_disk import slow_torch_save
from tiny import VOCABULARY, TinyModel, seed_everything
from torch.distributed.fsdp import fully_shard
from torch.utils.data import DataLoader, TensorDataset


class Module(lightning.LightningModule):
    """Four steps an epoch on fixed random tokens."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.model = TinyModel(width, layers=0)

    def training_step(self, batch: list[torch.Tensor], index: int) -> torch.Tensor:
        (tokens,) = batch
        return torch.nn.functional.cross_entropy(self.model(tokens).flatten(0, 1), tokens.flatten())

    def configure_optimizers(self) -> dict[str, Any]:
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-3)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
        return {"optimizer": optimizer, "lr_scheduler": scheduler}


class ShardedModule(Module):
    """The same model under FSDP2."""

    def configure_model(self) -> None:
        fully_shard(self.model, mesh=self.device_mesh["data_parallel"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--sharded", action="store_true")
    parser.add_argument("--slow", action="store_true", help="slow meta.pt, for kill.py")
    options = parser.parse_args()
    if options.slow:
        slow_torch_save("meta.pt")
    seed_everything()
    module = ShardedModule(8) if options.sharded else Module(16)
    tokens = torch.randint(0, VOCABULARY, (32, 8))
    how: dict[str, Any] = {}
    if options.sharded:
        strategy = ModelParallelStrategy(
            data_parallel_size=2,
            tensor_parallel_size=1,
            save_distributed_checkpoint=True,
            process_group_backend="gloo",
        )
        how = {"strategy": strategy, "devices": 2}
    saver = ModelCheckpoint(options.out, save_top_k=-1, save_last=not options.sharded)
    trainer = lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        callbacks=[saver],
        default_root_dir=options.out,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        **how,
    )
    trainer.fit(module, DataLoader(TensorDataset(tokens), batch_size=4 if options.sharded else 8))


if __name__ == "__main__":
    main()
