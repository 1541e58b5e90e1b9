"""PaddlePaddle: hapi's `Model.fit`, a loop with `paddle.save`, and the distributed form.

    python paddle_run.py hapi OUT
    python paddle_run.py loop OUT [--steps 10,20] [--slow]
    python -m paddle.distributed.launch --nproc_per_node 2 --backend gloo \
        paddle_run.py distributed OUT
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn

PAUSE_SECONDS = 0.5


def job() -> tuple[nn.Layer, paddle.optimizer.lr.LRScheduler, paddle.optimizer.Optimizer]:
    paddle.seed(0)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    schedule = paddle.optimizer.lr.CosineAnnealingDecay(1e-3, 100)
    return model, schedule, paddle.optimizer.AdamW(schedule, parameters=model.parameters())


def hapi(out: Path) -> None:
    network, _, optimizer = job()
    model = paddle.Model(network)
    model.prepare(optimizer, nn.MSELoss())
    inputs = paddle.to_tensor(np.random.randn(32, 8).astype("float32"))
    labels = paddle.to_tensor(np.random.randn(32, 4).astype("float32"))
    data = paddle.io.TensorDataset([inputs, labels])
    model.fit(data, batch_size=8, epochs=2, save_dir=str(out), save_freq=1, verbose=0)


def loop(out: Path, steps: list[int], slow: bool) -> None:
    model, schedule, optimizer = job()
    for step in steps:
        loss = (model(paddle.randn([4, 8])) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        schedule.step()
        place = out / f"step_{step}"
        place.mkdir(parents=True)
        states = {
            "model.pdparams": model.state_dict(),
            "optimizer.pdopt": optimizer.state_dict(),
            "progress.pdstates": {"global_step": step},
            "rng.pdrng": paddle.get_rng_state(),
        }
        for name, state in states.items():
            paddle.save(state, str(place / name))
            time.sleep(PAUSE_SECONDS if slow else 0)


def distributed(out: Path) -> None:
    dist.init_parallel_env()
    mesh = dist.ProcessMesh(list(range(dist.get_world_size())))
    weight = paddle.arange(32, dtype="float32").reshape([4, 8])
    for step in (10, 20):
        state = {
            "model.weight": dist.shard_tensor(weight + step, mesh, [dist.Shard(0)]),
            "model.bias": dist.shard_tensor(paddle.ones([8]), mesh, [dist.Replicate()]),
            "optimizer.weight_moment1_0": dist.shard_tensor(weight, mesh, [dist.Shard(0)]),
            "step": dist.shard_tensor(paddle.to_tensor([step]), mesh, [dist.Replicate()]),
        }
        dist.save_state_dict(state, str(out / f"step_{step}"))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("hapi", "loop", "distributed"))
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", default="10,20")
    parser.add_argument("--slow", action="store_true", help="slow enough for kill.py")
    options = parser.parse_args()
    if options.kind == "loop":
        loop(options.out, [int(step) for step in options.steps.split(",")], options.slow)
    else:
        {"hapi": hapi, "distributed": distributed}[options.kind](options.out)


if __name__ == "__main__":
    main()
