"""Saves of accelerate: its own files, what a kill leaves, and which directories are its own."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.facts import OwnChoice
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES
from ckpt_tui.formats.accelerate.reader import AccelerateReader
from tests.artifacts.builders import Global, safetensors
from tests.formats.accelerate_builder import HEADER, RANDOM, save, store_of
from tests.formats.helpers import (
    Row,
    check_row,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    read_directory,
    remove,
)
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READER = AccelerateReader()
PLAIN = "torch/accelerate_plain/checkpoints/checkpoint_1"
MANUAL = "torch/accelerate_manual_bin/step_16"

ROWS = [
    Row(PLAIN, "exact", 16, ()),
    Row("torch/accelerate_plain/checkpoints/checkpoint_2", "exact", 24, ()),
    Row(MANUAL, "exact", 16, ()),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_verdicts(corpus: Path, row: Row) -> None:
    check_row(READER, corpus, row)


def test_a_whole_save(corpus: Path) -> None:
    facts = read_directory(READER, corpus / PLAIN)
    assert facts.commit.met is None
    assert facts.evidence == "step from key `step` in custom_checkpoint_0.pkl"
    assert facts.world_size == 1
    assert facts.tensors_total == 8
    assert facts.reshard is not None
    assert facts.reshard.possible is True
    assert facts.loader.flag == f"accelerator.load_state({json.dumps(str(corpus / PLAIN))})"
    assert facts.loader.own_choice is OwnChoice.HIGHEST_NAME
    assert read_directory(READER, corpus / MANUAL).loader.own_choice is OwnChoice.NONE
    assert facts.loader.opens == {
        "model.safetensors",
        "optimizer.bin",
        "scheduler.bin",
        "custom_checkpoint_0.pkl",
    }


CUSTOM = "custom_checkpoint_0.pkl"
DAMAGE: list[tuple[Callable[[Path], None], str, set[str]]] = [
    (remove("model.safetensors"), "incomplete", {"missing-role"}),
    (remove("optimizer.bin"), "weights-only", set()),
    (remove("scheduler.bin"), "incomplete", {"missing-shard"}),
    (remove("custom_checkpoint_0.pkl"), "incomplete", {"missing-role"}),
    (remove("random_states_0.pkl"), "inexact", set()),
    (remove("random_states_0.pkl", "custom_checkpoint_0.pkl"), "incomplete", {"missing-role"}),
    (lambda path: cut(path / "model.safetensors", 900), "corrupt", {"truncated-file"}),
    (lambda path: cut(path / "optimizer.bin", 900), "corrupt", {"truncated-file"}),
    (lambda path: cut(path / "scheduler.bin", 0), "corrupt", {"empty-file"}),
    (lambda path: cut(path / "custom_checkpoint_0.pkl", 90), "corrupt", {"truncated-file"}),
    (lambda path: cut(path / "random_states_0.pkl", 900), "inexact", {"truncated-file"}),
    (lambda path: cut(path / "random_states_0.pkl", 0), "inexact", {"empty-file"}),
    (lambda path: swap(path, "scheduler.bin", "optimizer.bin"), "incomplete", {"missing-role"}),
    (lambda path: swap(path, "optimizer.bin", "scheduler.bin"), "incomplete", {"missing-role"}),
    (lambda path: link_out(path, "optimizer.bin"), "unknown", {"outside-path"}),
    (lambda path: link_out(path, "model.safetensors"), "unknown", {"outside-path"}),
    (lambda path: directory_in_place(path, "scheduler.bin"), "incomplete", {"missing-shard"}),
    (lambda path: directory_in_place(path, CUSTOM), "incomplete", {"missing-shard"}),
]


def swap(path: Path, name: str, other: str) -> None:
    shutil.copy2(path / other, path / name)


def link_out(path: Path, name: str) -> None:
    (path / name).rename(path.parent / name)
    (path / name).symlink_to(path.parent / name)


def directory_in_place(path: Path, name: str) -> None:
    (path / name).unlink()
    (path / name).mkdir()


@pytest.mark.parametrize(("damage", "verdict", "found"), DAMAGE)
def test_damage(
    corpus: Path, tmp_path: Path, damage: Callable[[Path], None], verdict: str, found: set[str]
) -> None:
    path = copy_of(corpus / PLAIN, tmp_path / "checkpoint_1")
    damage(path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == verdict
    assert found <= codes(checkpoint)


def test_the_weights_may_be_a_torch_file(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / MANUAL, tmp_path / "step_16")
    cut(path / "pytorch_model.bin", 5000)
    assert judged(READER, path).verdict == "corrupt"
    shutil.copy2(corpus / PLAIN / "model.safetensors", path)
    checkpoint = judged(READER, path)  # the loader takes safetensors first
    assert checkpoint.verdict == "exact"
    (export,) = [file for file in checkpoint.facts.files if file.path == "pytorch_model.bin"]
    assert export.role == "export"


@pytest.mark.parametrize("name", ["model.bin", "optimizer.bin", "scheduler.bin"])
def test_what_weights_only_refuses(tmp_path: Path, name: str) -> None:
    """Accelerate loads all but registered objects so that no pickle can run code."""
    unsafe = {"x": Global("os.system", ("true",))}
    path = save(tmp_path / "checkpoint_0")
    if name == "model.bin":
        (path / "model.safetensors").unlink()
        write_torch(path / "pytorch_model.bin", {**WEIGHTS, **unsafe})
    else:
        write_torch(path / name, (OPTIMIZER if "opt" in name else SCHEDULER) | unsafe)
    assert judged(READER, path).verdict == "incomplete"


@pytest.mark.parametrize(
    ("named", "verdict"),
    [
        ("pathlib.PosixPath", "incomplete"),
        ("numpy._core.multiarray._reconstruct", "exact"),
        ("collections.defaultdict", "incomplete"),
        ("torch.device", "exact"),
    ],
)
def test_classes_that_weights_only_refuses(tmp_path: Path, named: str, verdict: str) -> None:
    path = save(tmp_path / "checkpoint_0")
    write_torch(path / "optimizer.bin", OPTIMIZER | {"x": Global(named, ("a",))})
    assert judged(READER, path).verdict == verdict


def test_an_older_torch_may_load_what_newer_ones_refuse(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0")
    refused = OPTIMIZER | {"x": Global("collections.defaultdict", ("a",))}
    write_torch(path / "optimizer.bin", refused, recent=False)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "exact"
    assert "refused-pickle" in codes(checkpoint)


def test_a_sampler_is_an_object_of_accelerates_own(tmp_path: Path) -> None:
    sampler = Global("accelerate.data_loader.SeedableRandomSampler", ("a",))
    checkpoint = judged(READER, save(tmp_path / "c", **{"sampler.bin": sampler}))
    assert checkpoint.verdict == "exact"


def test_registered_objects_may_name_anything(tmp_path: Path) -> None:
    unsafe = {"step": 8, "x": Global("os.system", ("true",))}
    checkpoint = judged(READER, save(tmp_path / "c", **{"custom_checkpoint_0.pkl": unsafe}))
    assert checkpoint.verdict == "exact"
    assert "unsafe-pickle" in codes(checkpoint)


@pytest.mark.parametrize(
    ("name", "custom", "step", "ordinal", "verdict"),
    [
        ("checkpoint_3", {"step": 8}, 8, None, "exact"),
        ("checkpoint_3", {"global_step": 8, "epoch": 1}, 8, None, "exact"),
        ("checkpoint_3", {"epoch": 1}, None, 1, "exact"),
        ("checkpoint_3", {"other": 1}, None, 3, "incomplete"),
        ("step_12", {"other": 1}, 12, None, "exact"),
        ("step_12", {"step": 8}, 8, None, "exact"),
        ("checkpoint-500", {"other": 1}, 500, None, "exact"),
        ("epoch_2", {"other": 1}, None, 2, "exact"),
        ("final", {"other": 1}, None, None, "incomplete"),
        # A registered scheduler counts its own steps.
        ("checkpoint_3", SCHEDULER, None, 3, "incomplete"),
    ],
)
def test_where_the_step_is(
    tmp_path: Path,
    name: str,
    custom: dict[str, object],
    step: int | None,
    ordinal: int | None,
    verdict: str,
) -> None:
    path = save(tmp_path / name, **{"custom_checkpoint_0.pkl": custom})
    checkpoint = judged(READER, path)
    assert (checkpoint.step, checkpoint.facts.ordinal) == (step, ordinal)
    assert checkpoint.verdict == verdict
    assert ("step-mismatch" in codes(checkpoint)) is (name == "step_12" and step == 8)


def test_without_a_step_the_loader_is_not_to_blame(tmp_path: Path) -> None:
    """`load_state` restores such a save: what is missing is any record of the step."""
    path = save(tmp_path / "checkpoint_3")
    (path / "custom_checkpoint_0.pkl").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "cannot resume" not in checkpoint.why
    assert "`load_state` asks for no step" in checkpoint.why
    assert "`register_for_checkpointing`" in checkpoint.why
    asked = Requirements(tuple(role for role in REQUIRED_ROLES if role != "progress"))
    assert judge(checkpoint.facts, asked).resumable
    (path / "optimizer.bin").unlink()
    assert "asks for no step" not in judged(READER, path).why


def test_several_objects(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0", **{"optimizer_1.bin": OPTIMIZER})
    (path / "model_1.safetensors").write_bytes(safetensors(HEADER, bytes(8)))
    assert judged(READER, path).verdict == "exact"
    (path / "optimizer.bin").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert any(f.path == "optimizer.bin" for f in checkpoint.findings)


@pytest.mark.parametrize("gone", ["model.safetensors", "custom_checkpoint_0.pkl"])
def test_a_gap_in_the_numbers(tmp_path: Path, gone: str) -> None:
    path = save(tmp_path / "checkpoint_0", **{"custom_checkpoint_1.pkl": {"step": 8}})
    (path / "model_1.safetensors").write_bytes(safetensors(HEADER, bytes(8)))
    (path / gone).unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert gone in {f.path for f in checkpoint.findings if f.code == "missing-shard"}


def test_more_schedulers_than_optimizers(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0", **{"scheduler_1.bin": SCHEDULER})
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert any(f.path == "optimizer_1.bin" for f in checkpoint.findings)


@pytest.mark.parametrize(
    "gone", ["model_1.safetensors", "optimizer_1.bin", "custom_checkpoint_1.pkl", "scaler.pt"]
)
def test_a_file_that_the_other_saves_have(tmp_path: Path, gone: str) -> None:
    more = {"optimizer_1.bin": OPTIMIZER, "custom_checkpoint_1.pkl": {"seen": 1}, "scaler.pt": {}}
    paths = [save(tmp_path / f"checkpoint_{n}", **more) for n in range(2)]
    for path in paths:
        (path / "model_1.safetensors").write_bytes(safetensors(HEADER, bytes(8)))
    assert {c.verdict for c in judged_run(read_directory(READER, p) for p in paths).values()} == {
        "exact"
    }
    (paths[1] / gone).unlink()
    checkpoint = judged_run(read_directory(READER, path) for path in paths)["checkpoint_1"]
    assert checkpoint.verdict == "incomplete"
    assert gone in checkpoint.why


def test_random_states_of_several_processes(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0", processes=3)
    facts = read_directory(READER, path)
    assert facts.world_size == 3
    assert any("shuffle sampler" in phrase for phrase in facts.not_checked)
    (path / "random_states_1.pkl").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "inexact"
    assert "rng of rank 1" in checkpoint.why


def test_a_rank_that_cannot_be(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0")
    write_torch(path / "random_states_999999999.pkl", RANDOM)
    assert "limit-exceeded" in codes(judged(READER, path))


def test_what_a_kill_leaves(corpus: Path, tmp_path: Path) -> None:
    """In the order of writing: at no point before its end can the save be resumed from."""
    order = ["model.safetensors", "optimizer.bin", "scheduler.bin", "random_states_0.pkl"]
    for count in range(len(order)):
        path = copy_of(corpus / MANUAL, tmp_path / str(count) / "step_16")
        shutil.copy2(corpus / PLAIN / "model.safetensors", path)
        remove("pytorch_model.bin", "custom_checkpoint_0.pkl", *order[count + 1 :])(path)
        cut(path / order[count], 700)
        checkpoint = judged(READER, path)
        assert checkpoint.verdict in ("corrupt", "incomplete"), order[count]
        assert all(run.resume is None for run in store_of(path.parent).snapshot().runs)


def test_a_leftover_of_safetensors(tmp_path: Path) -> None:
    path = save(tmp_path / "checkpoint_0")
    (path / "model.safetensors").rename(path / ".tmpAb12Cd")
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "staging-leftover" in codes(checkpoint)


@pytest.mark.parametrize(
    ("directory", "names", "claimed"),
    [
        ("any", ("random_states_0.pkl",), True),
        ("any", ("custom_checkpoint_0.pkl",), True),
        ("any", ("model.safetensors", "scheduler.bin"), True),
        ("checkpoint_3", ("optimizer.bin",), True),
        ("checkpoint_3", ("model.safetensors", "optimizer.bin", ".tmpAb12"), True),
        ("checkpoint_3", ("model.safetensors",), False),
        ("checkpoint_3", ("optimizer.bin", "extra_state.pt"), False),
        ("any", ("optimizer.bin",), False),
        # The Trainer's.
        ("checkpoint-3", ("optimizer.bin", "pytorch_model_fsdp.bin"), False),
        ("checkpoint-3", ("random_states_0.pkl", "trainer_state.json"), False),
        ("checkpoint-3", ("scheduler.bin", "training_args.bin"), False),
    ],
)
def test_which_directories_are_claimed(
    tmp_path: Path, directory: str, names: tuple[str, ...], claimed: bool
) -> None:
    (tmp_path / directory).mkdir()
    for name in names:
        (tmp_path / directory / name).write_bytes(b"PK\x03\x04")
    assert claims(READER, tmp_path / directory) is claimed


def test_its_own_choice_is_the_highest_number(tmp_path: Path) -> None:
    """A counter that began anew: the highest number is not the highest step."""
    for number, step in ((0, 30), (5, 20)):
        custom = {"custom_checkpoint_0.pkl": {"step": step}}
        save(tmp_path / "checkpoints" / f"checkpoint_{number}", **custom)
    (run,) = store_of(tmp_path).snapshot().runs
    assert run.resume is not None
    assert run.resume.facts.name == "checkpoint_0"
    assert "auto-resume-trap" in {finding.code for finding in run.findings}


def test_links_are_no_default(tmp_path: Path) -> None:
    path = save(tmp_path / "run" / "step_8")
    os.symlink("step_8", tmp_path / "run" / "latest")
    (run,) = store_of(path.parent).snapshot().runs
    (pointer,) = run.pointers
    assert not pointer.default


def test_an_early_kill_that_looks_like_the_trainers(tmp_path: Path) -> None:
    """`checkpoint-1000` with no more than a cut optimizer: the save beside it says whose it is."""
    custom = {"custom_checkpoint_0.pkl": {"seen": 1}}
    for step in (500, 1000):
        save(tmp_path / f"checkpoint-{step}", **custom)
    killed = tmp_path / "checkpoint-1000"
    remove("model.safetensors", "scheduler.bin", "random_states_0.pkl", "custom_checkpoint_0.pkl")(
        killed
    )
    cut(killed / "optimizer.bin", 100)
    (run,) = store_of(tmp_path).snapshot().runs
    assert run.format == "accelerate"
    assert run.resume is not None
    assert run.resume.step == 500
