"""Paddle's rarer forms: static programs, several directories, what PaddleNLP's Trainer asks for."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.tensors import tensors_of
from tests.formats.helpers import claims, copy_of, judged, judged_run, read_directory
from tests.formats.test_paddle import ADAM, READER, SAMPLES, SCHEDULE, WEIGHTS, run_of, write

if TYPE_CHECKING:
    from pathlib import Path


def test_a_static_program(tmp_path: Path) -> None:
    """Its optimizer keeps the rate as a variable, which is no model; the program is not loaded."""
    rate = {"learning_rate_0": np.ones(1, "f4")}
    moments = {name: part for name, part in ADAM.items() if name != "LR_Scheduler"}
    write(tmp_path / "step_20.pdparams", WEIGHTS)
    write(tmp_path / "step_20.pdopt", moments | rate)
    (tmp_path / "step_20.json").write_text('{"base_code":{"magic":"pir","trai')
    assert run_of(tmp_path) == {"step_20.pdparams": "inexact"}
    (tmp_path / "step_20.pdparams").unlink()
    assert run_of(tmp_path) == {"step_20.pdopt": "incomplete"}


def test_the_schedule_of_the_trainer_is_a_file_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path / "checkpoint-20/model_state.pdparams", WEIGHTS).parent
    write(path / "optimizer.pdopt", ADAM)
    write(path / "scheduler.pdparams", SCHEDULE)
    (path / "trainer_state.json").write_text('{"global_step": 20}')
    assert judged(READER, path).resumable
    (path / "scheduler.pdparams").unlink()
    assert judged(READER, path).verdict == "incomplete"


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        (None, "inexact"),
        ("model_state/0_0.distcp", "incomplete"),
        ("optimizer_state/1_0.distcp", "incomplete"),
        ("optimizer_state/0.metadata", "incomplete"),
    ],
)
def test_the_distributed_form_in_several_directories(
    tmp_path: Path, name: str | None, verdict: str
) -> None:
    """PaddleNLP keeps the model and the optimizer's state apart; every one of them counts."""
    path = write(tmp_path / "step_20/meta.pdparams", {"step": 20}).parent
    for directory in ("model_state", "optimizer_state"):
        copy_of(SAMPLES / "distributed/step_20", path / directory)
    if name is not None:
        (path / name).unlink()
    found = judged(READER, path)
    assert (found.verdict, found.facts.step) == (verdict, 20), found.why
    assert [shard.rank for shard in found.facts.shards] == [0, 1]


def test_copies_of_weights_are_no_optimizer(tmp_path: Path) -> None:
    whole = {}
    for step in (10, 20):
        path = write(tmp_path / f"step_{step}/meta.pdparams", {"step": step}).parent
        for directory in ("optimizer_state", "master_weight", "model_state"):
            copy_of(SAMPLES / "distributed/step_20", path / directory)
        whole[path.name] = path
    shutil.rmtree(whole["step_20"] / "master_weight")
    facts = [read_directory(READER, path) for path in whole.values()]
    found = judged_run(facts)
    assert found["step_10"].resumable
    assert found["step_20"].verdict == "incomplete"
    role = judged(READER, whole["step_10"]).facts.role("optimizer")
    assert role is not None
    assert "master_weight" not in role.evidence


def kept_apart(path: Path, *names: str) -> Path:
    for name in names:
        copy_of(SAMPLES / "distributed/step_20", path / name)
    return path


@pytest.mark.parametrize(
    "names",
    [("model", "opt"), ("model_state", "optimizer_state"), ("model", "optimizer"), ("opt",)],
)
def test_a_step_of_nothing_but_directories_is_one_checkpoint(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    for step in (10, 20):
        kept_apart(tmp_path / f"step_{step}", *names)
    assert run_of(tmp_path) == {"step_10": "inexact", "step_20": "inexact"}


def test_the_directory_that_a_dead_job_did_not_reach(tmp_path: Path) -> None:
    for step in (10, 20):
        kept_apart(tmp_path / f"step_{step}", "model", "opt")
    shutil.rmtree(tmp_path / "step_20/opt")
    assert run_of(tmp_path) == {"step_10": "inexact", "step_20": "incomplete"}


def test_each_directory_has_its_own_call(tmp_path: Path) -> None:
    facts = judged(READER, kept_apart(tmp_path / "step_20", "model", "opt")).facts
    calls = facts.loader.flag.split("; ")
    assert [call.partition("(")[2].partition(",")[0] for call in calls] == [
        "model_state",
        "opt_state",
    ]
    assert [call.partition('"')[2] for call in calls] == [
        f'{tmp_path}/step_20/model")',
        f'{tmp_path}/step_20/opt")',
    ]
    assert "metadata is written first" in facts.commit.rule


def test_two_directories_that_each_save_writes_over(tmp_path: Path) -> None:
    kept_apart(tmp_path / "run", "model", "opt")
    assert len(discover(str(tmp_path)).claims) == 1


@pytest.mark.parametrize("names", [("model", "eval"), ("step_10", "step_20"), ("model",)])
def test_other_directories_of_a_run_are_not_joined(tmp_path: Path, names: tuple[str, ...]) -> None:
    assert not claims(READER, kept_apart(tmp_path / "run", *names))


class Index:
    """Stands for `LocalTensorIndex`."""

    def __init__(self, key: str) -> None:
        self.tensor_key = key
        self.global_offset = (0,)
        self.local_shape = (4,)


@pytest.mark.parametrize(("name", "held"), [("opt", "optimizer"), ("model", "model")])
def test_the_directory_names_tensors_of_no_known_name(tmp_path: Path, name: str, held: str) -> None:
    """Rprop's do not look like an optimizer's."""
    key = "linear_0.w_0_prevs_0"
    about = {"global_offset": (0,), "local_shape": (4,), "dtype": "float32"}
    metadata = {
        "storage_metadata": {Index(key): "0_0.distcp"},
        "state_dict_metadata": {key: [about]},
    }
    path = write(tmp_path / "step_20" / name / "0.metadata", metadata).parent
    write(path / "0_0.distcp", {key: np.ones(4, "f4")})
    found = judged(READER, path.parent)
    assert [role.role for role in found.facts.roles] == [held, "progress"]
    assert [tensor.role for tensor in tensors_of(found).tensors] == [held]
