"""`Accelerator.save_state` with automatic naming: `checkpoints/checkpoint_N`, N the count of saves.

python accelerate_save_state.py OUT [--saves 2] [--slow]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from accelerate import Accelerator
from accelerate.utils import ProjectConfiguration
from slow_disk import slow_torch_save
from tiny import Job, TinyModel, seed_everything


class Progress:
    """The step, which accelerate itself does not keep."""

    def __init__(self) -> None:
        self.step = 0

    def state_dict(self) -> dict[str, Any]:
        return {"step": self.step}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self.step = state["step"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--saves", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="slow optimizer.bin, for kill.py")
    options = parser.parse_args()
    if options.slow:
        slow_torch_save("optimizer.bin")
    configuration = ProjectConfiguration(str(options.out), automatic_checkpoint_naming=True)
    accelerator = Accelerator(cpu=True, project_config=configuration)
    seed_everything()
    job = Job(TinyModel(width=8))
    job.model, job.optimizer, job.scheduler = accelerator.prepare(
        job.model, job.optimizer, job.scheduler
    )
    progress = Progress()
    accelerator.register_for_checkpointing(progress)
    for _ in range(options.saves):
        job.train(10)
        progress.step = job.step
        accelerator.save_state()


if __name__ == "__main__":
    main()
