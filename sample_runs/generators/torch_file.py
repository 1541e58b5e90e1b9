"""Plain `torch.save`: one numbered file per checkpoint, written in place under its final name.

    python torch_file.py OUT [--steps 100,200,300] [--legacy] [--slow]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from slow_disk import slow_torch_save
from tiny import Job, TinyModel, random_states, seed_everything


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", default="100,200,300")
    parser.add_argument("--legacy", action="store_true", help="the form before torch 1.6")
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    if options.slow:
        slow_torch_save("ckpt_")
    options.out.mkdir(parents=True)
    seed_everything()
    job = Job(TinyModel())
    for step in map(int, options.steps.split(",")):
        loss = job.train(3)
        state = {
            "model": job.model.state_dict(),
            "optimizer": job.optimizer.state_dict(),
            "scheduler": job.scheduler.state_dict(),
            "rng": random_states(),
            "step": step,
            "loss": loss,
        }
        path = options.out / f"ckpt_{step:06d}.pt"
        torch.save(state, path, _use_new_zipfile_serialization=not options.legacy)


if __name__ == "__main__":
    main()
