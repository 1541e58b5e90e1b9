"""PaddlePaddle: `paddle.save` of each part, and `paddle.distributed.save_state_dict`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Configuration, Outcome
from tests.framework.jobs.step_names import by_step, step_of

if TYPE_CHECKING:
    from pathlib import Path

STEPS = 10
WIDTH = 512


def _configuration(name: str, **options: Any) -> Configuration:
    return Configuration(name, 1, options)


class PaddleJob:
    """A network, AdamW and a schedule, filled as functions of the step."""

    name = "paddle"
    format = "paddle"
    configurations = (
        _configuration("directory-per-step"),
        _configuration("distributed", distributed=True),
    )

    def train(self, directory: Path, configuration: Configuration, saves: int) -> None:
        """Saves directories that are named by their step."""
        import paddle

        network, schedule, optimizer = _objects()
        for step in range(STEPS, STEPS * saves + STEPS, STEPS):
            _fill(network, schedule, optimizer, step)
            target = directory / f"step_{step}"
            target.mkdir(parents=True)
            if configuration.options.get("distributed"):
                state = _flat(network, optimizer, step)
                paddle.distributed.save_state_dict(state, str(target))
                continue
            paddle.save(network.state_dict(), str(target / "model.pdparams"))
            paddle.save(optimizer.state_dict(), str(target / "optimizer.pdopt"))
            progress = {"global_step": step, "epoch": step // STEPS}
            paddle.save(progress, str(target / "trainer_state.pdstates"))

    def checkpoints(self, directory: Path, configuration: Configuration) -> list[Path]:
        """The steps' directories."""
        return by_step(directory)

    def load(self, checkpoint: Path, configuration: Configuration) -> Outcome:
        """All that was saved must be there, and go into a network of the same making."""
        import paddle

        network, _, optimizer = _objects()
        if configuration.options.get("distributed"):
            state = _flat(network, optimizer, 0)
            paddle.distributed.load_state_dict(state, str(checkpoint))
            return _compared_flat(state, step_of(checkpoint))
        network.set_state_dict(paddle.load(str(checkpoint / "model.pdparams")))
        optimizer.set_state_dict(paddle.load(str(checkpoint / "optimizer.pdopt")))
        progress = paddle.load(str(checkpoint / "trainer_state.pdstates"))
        return _compared(network, optimizer, progress["global_step"], step_of(checkpoint))


def _objects() -> tuple[Any, Any, Any]:
    """With one step done, so that the moments are there."""
    import paddle
    from paddle import nn

    network = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH // 2))
    schedule = paddle.optimizer.lr.CosineAnnealingDecay(1e-3, 100)
    optimizer = paddle.optimizer.AdamW(schedule, parameters=network.parameters())
    network(paddle.zeros([1, WIDTH])).mean().backward()
    optimizer.step()
    optimizer.clear_grad()
    return network, schedule, optimizer


def _value(tensor: Any, step: int, place: int) -> Any:
    import numpy as np

    return np.random.default_rng([step, place]).random(tuple(tensor.shape), dtype=np.float32)


def _moments(optimizer: Any) -> list[Any]:
    """The optimizer's tensors, in the order of their names."""
    state = optimizer.state_dict()
    return [state[key] for key in sorted(state) if "moment" in key]


def _fill(network: Any, schedule: Any, optimizer: Any, step: int) -> None:
    for place, tensor in enumerate([*network.parameters(), *_moments(optimizer)]):
        tensor.set_value(_value(tensor, step, place))
    schedule.step(step)


def _equal(tensors: list[Any], step: int, first: int) -> bool:
    import numpy as np

    return len(tensors) > 0 and all(
        np.array_equal(tensor.numpy(), _value(tensor, step, first + place))
        for place, tensor in enumerate(tensors)
    )


def _compared(network: Any, optimizer: Any, step: int, wanted: int) -> Outcome:
    parameters = list(network.parameters())
    return Outcome(
        model=_equal(parameters, wanted, 0),
        optimizer=_equal(_moments(optimizer), wanted, len(parameters)),
        step=step == wanted,
    )


def _flat(network: Any, optimizer: Any, step: int) -> dict[str, Any]:
    """Names of structure, as Paddle gives them to what is distributed; and the step."""
    import paddle

    model = network.sharded_state_dict()
    both = {**model, **optimizer.sharded_state_dict(model)}
    tensors = {name: part.local_tensor for name, part in both.items()}
    return {**tensors, "global_step": paddle.to_tensor(step)}


def _compared_flat(state: dict[str, Any], wanted: int) -> Outcome:
    moments = [name for name in sorted(state) if "moment" in name]
    model = [name for name in state if name.endswith(("weight", "bias"))]
    return Outcome(
        model=_equal([state[name] for name in model], wanted, 0),
        optimizer=_equal([state[name] for name in moments], wanted, len(model)),
        step=int(state["global_step"]) == wanted,
    )


JOB = PaddleJob()
