"""Torch files whose states have no key of their own."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.torch_file.reader import TorchFileReader
from tests.artifacts.builders import Global, tensor, torch_zip
from tests.formats.helpers import judged, read_directory, read_file
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = TorchFileReader()
ADAM = Global("torch.optim.adam.Adam", ())
STEP_LR = Global("torch.optim.lr_scheduler.StepLR", ())
SCRIPTED = Global("__torch__.torch.nn.modules.container.Sequential", ())


@pytest.mark.parametrize(
    ("name", "value", "verdict", "step"),
    [
        ("ckpt_9.pt", [WEIGHTS, OPTIMIZER], "inexact", 9),
        ("ckpt_9.pt", [WEIGHTS, OPTIMIZER, 3], "inexact", 9),
        ("last.pt", [WEIGHTS, OPTIMIZER, 3], "inexact", None),
        ("ckpt_9.pt", [WEIGHTS, OPTIMIZER, {"step": 8}], "inexact", 8),
        ("ckpt_9.pt", [WEIGHTS, WEIGHTS, ADAM, STEP_LR], "inexact", 9),
        ("ckpt_9.pt", [{"model": WEIGHTS}, {"optimizer": OPTIMIZER}], "inexact", 9),
        ("ckpt_9.pt", [WEIGHTS, ADAM, SCHEDULER, 9, Global("torch.Size", ())], "inexact", 9),
        ("ckpt_9.pt", [WEIGHTS, 9], "weights-only", 9),
        ("ckpt_9.pt", {**WEIGHTS, "optimizer": OPTIMIZER, "step": 9}, "inexact", 9),
        ("ckpt_9.pt", {**WEIGHTS, "optimizer": OPTIMIZER, "step": 5, "epoch": 9}, "inexact", 5),
        ("ckpt_9.pt", SCRIPTED, "weights-only", 9),
        # Weights lie elsewhere, and dotted keys are of a log or a random state.
        ("ckpt_9.pt", {"optimizer": OPTIMIZER, "rng.cpu": Shape((8,)), "step": 9}, "incomplete", 9),
        (
            "ckpt_9.pt",
            {"optimizer": OPTIMIZER, "train.loss": Shape(()), "step": 9},
            "incomplete",
            9,
        ),
        (
            "ckpt_9.pt",
            {"optimizer": OPTIMIZER, "loss.map": Shape((9, 9)), "step": 9},
            "incomplete",
            9,
        ),
        # A data set is none: its tensors are not named as those of a module.
        ("data.pt", [{"x": Shape((4, 2)), "y": Shape((4,))}, {"x": [0, 4]}], "incomplete", None),
        ("data.pt", [Shape((4, 2)), Shape((4,))], "incomplete", None),
        ("ckpt_9.pt", [OPTIMIZER, 9], "incomplete", 9),
    ],
)
def test_a_part_is_known_by_its_kind(
    tmp_path: Path, name: str, value: object, verdict: str, step: int | None
) -> None:
    checkpoint = judged(READER, write_torch(tmp_path / name, value))
    assert (checkpoint.verdict, checkpoint.step) == (verdict, step)


def test_all_roles_of_a_list(tmp_path: Path) -> None:
    generator = tensor("9", (5056,), kind="ByteStorage")
    value = ({"layer.weight": tensor("0", (4,))}, OPTIMIZER | {"state": {}}, SCHEDULER, generator)
    path = tmp_path / "ckpt_9.pt"
    path.write_bytes(torch_zip(value, {"0": bytes(16), "9": bytes(5056)}))
    facts = read_file(READER, path)
    told = {role.role: role.evidence for role in facts.roles}
    assert told.pop("progress").startswith("step 9 in the name")
    assert told == {
        "model": "item 0 in ckpt_9.pt",
        "optimizer": "item 1 in ckpt_9.pt",
        "scheduler": "item 2 in ckpt_9.pt",
        "rng": "item 3 in ckpt_9.pt",
    }
    assert [tensor.name for tensor in facts.tensors[:1]] == ["model.layer.weight"]
    assert judged(READER, path).verdict == "exact"


def test_the_attributes_of_an_object(tmp_path: Path) -> None:
    weights = {"layer.weight": tensor("0", (4,))}
    value = Namespace(model=weights, optimizer=OPTIMIZER | {"state": {}}, step=9)
    path = tmp_path / "last.pt"
    path.write_bytes(torch_zip(value, {"0": bytes(16)}))
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("inexact", 9)
    model = checkpoint.facts.role("model")
    assert model is not None
    assert model.evidence == "attribute `model` of the object in last.pt"


def test_weights_beside_an_optimizer(tmp_path: Path) -> None:
    value = {**WEIGHTS, "optimizer": OPTIMIZER, "step": 9}
    model = read_file(READER, write_torch(tmp_path / "c.pt", value)).role("model")
    assert model is not None
    assert model.evidence == "2 tensors under keys of their own in c.pt"
    assert model.size_bytes == 4 * (4 * 2 + 4)


@pytest.mark.parametrize(
    ("name", "value", "role"),
    [
        ("optimizer.pt", [OPTIMIZER, OPTIMIZER], "optimizer"),
        ("optimizer.pt", ADAM, "optimizer"),
        ("scheduler.pt", [SCHEDULER], "scheduler"),
        ("scheduler.pt", STEP_LR, "scheduler"),
        ("model.pt", SCRIPTED, "model"),
        ("model.pt", [WEIGHTS, {"arch": "x"}], "model"),
        ("optimizer.pt", [WEIGHTS], ""),
        ("optimizer.pt", [None, 3], ""),
        ("model.pt", [Shape((2,))], ""),
    ],
)
def test_a_file_of_one_state_is_what_its_name_and_its_kind_say(
    tmp_path: Path, name: str, value: object, role: str
) -> None:
    states = {"model.pt": WEIGHTS, "optimizer.pt": OPTIMIZER, "scheduler.pt": SCHEDULER}
    directory = tmp_path / "step_9"
    for path, state in (states | {name: value}).items():
        write_torch(directory / path, state)
    facts = read_directory(READER, directory)
    held = {found.role: found.paths for found in facts.roles if found.paths}
    assert held.get(name.removesuffix(".pt"), ()) == ((name,) if role else ())
    assert {file.path: file.role for file in facts.files}[name] == role
    assert judged(READER, directory).resumable is (bool(role))
