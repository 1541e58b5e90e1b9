"""DeepSpeed steps: what real runs and killed saves left, and steps damaged by hand."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.checkpoint import Activity, Requirements
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.deepspeed.names import PartKind, PartName, file_name, parse_part
from ckpt_tui.formats.deepspeed.reader import DeepSpeedReader
from ckpt_tui.fs.listing import list_directory
from tests.formats.deepspeed_builder import (
    MODULE,
    model_state,
    partition,
    write_step,
    write_universal,
)
from tests.formats.helpers import Row, claims, codes, copy_of, cut, judged, read_directory
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READER = DeepSpeedReader()
Z0 = "torch/deepspeed_zero0_ws2/global_step10"
Z1 = "torch/deepspeed_zero1_ws2/global_step10"
Z3 = "torch/deepspeed_zero3_ws2/global_step10"
UNIVERSAL = "torch/deepspeed_universal/global_step15_universal"
MODEL_FILE = "mp_rank_00_model_states.pt"
OPTIMIZER_FILE = "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"

EVERYTHING = ("model", "optimizer", "scheduler", "rng", "progress")
ROWS = [
    Row(Z0, "inexact", 10, ()),
    Row(Z1, "inexact", 10, ()),
    Row(Z3, "exact", 10, ()),
    Row("torch/deepspeed_universal/global_step15", "inexact", 15, ()),
    Row(UNIVERSAL, "inexact", 15, ()),
    Row("torch_broken/deepspeed_z1_enospc/global_step10", "corrupt", 10, EVERYTHING),
    Row("torch_broken/deepspeed_z1_sigkill_in_model/global_step10", "corrupt", 10, EVERYTHING),
    Row("torch_broken/deepspeed_z1_sigkill_in_optim/global_step10", "corrupt", 10, ("optimizer",)),
    Row("torch_broken/deepspeed_z1_latest_names_incomplete/global_step10", "corrupt", 10, ()),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_what_the_framework_left(corpus: Path, row: Row) -> None:
    path = corpus / row.path
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict.value, checkpoint.step) == (row.verdict, row.step)
    assert checkpoint.missing_roles == row.missing
    assert checkpoint.facts.world_size == (None if path.name.endswith("universal") else 2)


def test_the_scheduler_is_found_in_the_model_file(corpus: Path) -> None:
    facts = read_directory(READER, corpus / Z1)
    role = facts.role("scheduler")
    assert role is not None
    assert role.paths == (MODEL_FILE,)
    assert [(shard.rank, shard.problem) for shard in facts.shards] == [(0, ""), (1, "")]


def test_stage_3_keeps_the_weights_in_the_partitions(corpus: Path) -> None:
    facts = read_directory(READER, corpus / Z3)
    model = facts.role("model")
    assert model is not None
    assert all("optim_states" in path for path in model.paths)
    assert "fp32_flat_groups" in model.evidence
    assert "empty-tensors" not in {finding.code for finding in facts.findings}


def test_who_stored_no_random_state_is_named(corpus: Path) -> None:
    for path, missing in ((Z1, (1,)), (Z3, ())):
        rng = read_directory(READER, corpus / path).role("rng")
        assert rng is not None
        assert rng.missing_ranks == missing


@pytest.mark.parametrize(
    ("path", "how"), [(Z0, "natively"), (Z1, "ds_to_universal"), (UNIVERSAL, "load_universal")]
)
def test_how_another_world_size_can_load_it(corpus: Path, path: str, how: str) -> None:
    facts = read_directory(READER, corpus / path)
    assert facts.reshard is not None
    assert facts.reshard.possible
    assert how in facts.reshard.how
    assert judge(facts, Requirements(world_size=1)).resumable


def test_the_loader_is_called_by_tag(corpus: Path) -> None:
    loader = read_directory(READER, corpus / Z1).loader
    run = corpus / "torch/deepspeed_zero1_ws2"
    assert loader.flag == f'load_checkpoint("{run}", tag="global_step10")'
    assert loader.tag == "global_step10"


def test_pointers_of_both_kinds(corpus: Path) -> None:
    (latest,) = READER.pointers(list_directory(str(corpus / "torch/deepspeed_zero1_ws2")))
    assert latest.default
    assert latest.targets[0].endswith("/global_step15")
    (universal,) = READER.pointers(list_directory(str(corpus / "torch/deepspeed_universal")))
    assert universal.targets[0].endswith("/global_step15_universal")


def test_latest_wins_over_latest_universal(tmp_path: Path) -> None:
    (tmp_path / "latest").write_text("global_step5")
    (tmp_path / "latest_universal").write_text("global_step5_universal")
    assert [p.default for p in READER.pointers(list_directory(str(tmp_path)))] == [True, False]


@pytest.mark.parametrize(
    ("stage", "damage", "verdict", "code"),
    [
        (1, lambda d: (d / MODEL_FILE).unlink(), Verdict.INCOMPLETE, "missing-shard"),
        (1, lambda d: (d / OPTIMIZER_FILE).unlink(), Verdict.INCOMPLETE, "missing-shard"),
        (1, lambda d: cut(d / OPTIMIZER_FILE, 300), Verdict.CORRUPT, "truncated-file"),
        (1, lambda d: cut(d / OPTIMIZER_FILE, 0), Verdict.CORRUPT, "empty-file"),
        (1, lambda d: (d / MODEL_FILE).write_bytes(b"hello" * 9), Verdict.CORRUPT, ""),
        (0, lambda d: (d / MODEL_FILE).unlink(), Verdict.INCOMPLETE, "missing-shard"),
        (
            3,
            lambda d: (d / f"zero_pp_rank_1_{MODEL_FILE}").unlink(),
            Verdict.INCOMPLETE,
            "missing-shard",
        ),
        (3, lambda d: (d / OPTIMIZER_FILE).unlink(), Verdict.INCOMPLETE, "missing-shard"),
        # A file of another kind, of another rank count, of another step.
        (
            1,
            lambda d: shutil.copy(d / MODEL_FILE, d / OPTIMIZER_FILE),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            1,
            lambda d: write_torch(d / OPTIMIZER_FILE, partition(10, 2, 1)),
            Verdict.INCOMPLETE,
            "mixed-saves",
        ),
        (
            1,
            lambda d: [write_torch(p, partition(50, 2, 1)) for p in d.glob("*optim*")],
            Verdict.INCOMPLETE,
            "mixed-saves",
        ),
        (
            3,
            lambda d: write_torch(d / f"zero_pp_rank_1_{MODEL_FILE}", model_state(10, 2, 3)),
            Verdict.INCOMPLETE,
            "mixed-saves",
        ),
        # What the loader takes from the model file.
        (
            1,
            lambda d: write_torch(d / MODEL_FILE, model_state(5, 2, 1, module=None)),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            1,
            lambda d: write_torch(d / MODEL_FILE, model_state(5, 2, 1, global_steps=None)),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            1,
            lambda d: write_torch(d / MODEL_FILE, model_state(5, 2, 1, lr_scheduler=None)),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        # Fine: what the job never had, and what a larger job left.
        (
            1,
            lambda d: write_torch(
                d / MODEL_FILE, model_state(5, 2, 1, lr_scheduler=None, ds_config={})
            ),
            Verdict.INEXACT,
            "missing-role",
        ),
        (
            1,
            lambda d: write_torch(
                d / "bf16_zero_pp_rank_2_mp_rank_00_optim_states.pt", partition(5, 3, 1)
            ),
            Verdict.INEXACT,
            "extra-shard",
        ),
        (
            1,
            lambda d: [write_torch(p, partition(3, 2, 1)) for p in d.glob("*optim*")],
            Verdict.INEXACT,
            "step-mismatch",
        ),
        (
            0,
            lambda d: write_torch(d / MODEL_FILE, model_state(5, 2, 0, optimizer=None)),
            Verdict.WEIGHTS_ONLY,
            "weights-only",
        ),
    ],
)
def test_damaged_steps(
    tmp_path: Path,
    stage: int,
    damage: Callable[[Path], object],
    verdict: Verdict,
    code: str,
) -> None:
    directory = write_step(tmp_path / "global_step5", stage)
    assert judged(READER, directory).resumable
    damage(directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is verdict
    assert not code or code in codes(checkpoint)


def test_a_missing_partition_is_named_with_its_rank(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 2, dp=4, mp=2)
    name = "bf16_zero_pp_rank_3_mp_rank_01_optim_states.pt"
    (directory / name).unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.facts.world_size == 8
    assert checkpoint.missing_ranks == (7,)
    assert f"{name} of rank 7 is missing" in checkpoint.why


def test_counts_of_stage_3_must_agree(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 3, dp=4)
    for rank in (1, 2, 3):
        (directory / f"zero_pp_rank_{rank}_{MODEL_FILE}").unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert sum(finding.code == "missing-shard" for finding in checkpoint.findings) == 3


def test_one_nodes_part(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1, dp=4)
    for rank in (0, 1):
        (directory / f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt").unlink()
    assert "node-local-part" in codes(judged(READER, directory))
    (directory / MODEL_FILE).unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "node-local-part" in codes(checkpoint)


def test_the_first_nodes_part_needs_the_count_in_the_file(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1, dp=4)
    for rank in (2, 3):
        (directory / f"bf16_zero_pp_rank_{rank}_mp_rank_00_optim_states.pt").unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.missing_ranks == (2, 3)
    assert "node-local-part" not in codes(checkpoint)


def test_an_unreadable_model_file_does_not_hide_the_others(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1, dp=4)
    cut(directory / MODEL_FILE, 0)
    (directory / "bf16_zero_pp_rank_3_mp_rank_00_optim_states.pt").unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.CORRUPT
    assert checkpoint.facts.world_size == 4
    assert {"empty-file", "missing-shard"} <= codes(checkpoint)


def test_an_absurd_count_is_not_believed(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1, dp_world_size=10**12)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNKNOWN
    assert "limit-exceeded" in codes(checkpoint)


def test_two_precisions_in_one_directory(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1)
    write_torch(directory / "zero_pp_rank_0_mp_rank_00_optim_states.pt", partition(5, 1, 1))
    checkpoint = judged(READER, directory)
    assert checkpoint.resumable
    assert "extra-shard" in codes(checkpoint)


def test_while_a_rank_still_writes_it_is_a_save_in_flight(corpus: Path) -> None:
    facts = read_directory(READER, corpus / ROWS[-1].path)
    assert judge(facts, activity=Activity(True, "grew 0.2 s ago")).verdict is Verdict.SAVING


def test_the_name_of_another_step(tmp_path: Path) -> None:
    checkpoint = judged(READER, write_step(tmp_path / "global_step7", 1))
    assert checkpoint.step == 5
    assert "step-mismatch" in codes(checkpoint)
    assert checkpoint.resumable


def write_pipeline(directory: Path, layers: tuple[int, ...] = (0, 2, 3)) -> Path:
    shapes = [{f"{layer}.weight": [4, 2] for layer in (0, 2, 3)}]
    write_step(directory, 1, dp=1, mp=2, module=None, param_shapes=shapes)
    for layer in layers:
        for mp_rank in range(2):
            name = f"layer_{layer:02d}-model_{mp_rank:02d}-model_states.pt"
            write_torch(directory / name, {"weight": Shape((4, 2))})
    return directory


def test_a_pipeline_keeps_its_layers_apart(tmp_path: Path) -> None:
    directory = write_pipeline(tmp_path / "global_step5")
    checkpoint = judged(READER, directory)
    assert checkpoint.resumable
    model = checkpoint.facts.role("model")
    assert model is not None
    assert model.files == 6


@pytest.mark.parametrize("name", ["layer_02-model_01-model_states.pt", "layer_03*"])
def test_a_layer_with_parameters_needs_its_file(tmp_path: Path, name: str) -> None:
    directory = write_pipeline(tmp_path / "global_step5")
    for path in directory.glob(name):
        path.unlink()
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "layer_0" in checkpoint.why


def test_experts_are_counted(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1, num_experts=[4])
    for expert in range(3):
        name = f"layer_0_expert_{expert}_mp_rank_00_model_states.pt"
        write_torch(directory / name, dict(MODULE))
    assert judged(READER, directory).verdict is Verdict.INCOMPLETE
    write_torch(directory / "layer_0_expert_3_mp_rank_00_model_states.pt", dict(MODULE))
    assert judged(READER, directory).resumable


@pytest.mark.parametrize(
    ("damage", "verdict", "code"),
    [
        (lambda d: (d / "zero/layers.0.bias/exp_avg.pt").unlink(), Verdict.INCOMPLETE, ""),
        (lambda d: (d / "zero/layers.0.bias/fp32.pt").unlink(), Verdict.INCOMPLETE, ""),
        (lambda d: shutil.rmtree(d / "zero/layers.0.bias"), Verdict.INCOMPLETE, ""),
        (lambda d: (d / "zero/optimizer_state.pt").unlink(), Verdict.INCOMPLETE, ""),
        (lambda d: (d / MODEL_FILE).unlink(), Verdict.INCOMPLETE, "missing-shard"),
        (lambda d: shutil.rmtree(d / "zero"), Verdict.INCOMPLETE, "missing-shard"),
        (
            lambda d: [path.unlink() for path in d.glob("zero/*/exp_avg.pt")],
            Verdict.INCOMPLETE,
            "missing-shard",
        ),
        (
            lambda d: cut(d / "zero/layers.0.bias/fp32.pt", 90),
            Verdict.CORRUPT,
            "truncated-file",
        ),
        (
            lambda d: cut(d / "zero/optimizer_state.pt", 0),
            Verdict.CORRUPT,
            "empty-file",
        ),
        (lambda d: (d / "tmp").mkdir(), Verdict.INEXACT, "staging-leftover"),
        (
            lambda d: write_torch(d / "zero/a_buffer/fp32.pt", {"param": Shape((2,))}),
            Verdict.INEXACT,
            "",
        ),
    ],
)
def test_a_damaged_universal_checkpoint(
    tmp_path: Path, damage: Callable[[Path], object], verdict: Verdict, code: str
) -> None:
    directory = write_universal(tmp_path / "global_step5_universal")
    assert judged(READER, directory).verdict is Verdict.INEXACT
    damage(directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is verdict
    assert not code or code in codes(checkpoint)


def test_a_conversion_that_was_cut(tmp_path: Path) -> None:
    directory = tmp_path / "checkpoint-3_universal"
    write_torch(directory / "zero/layers.0.bias/fp32.pt", {"param": Shape((4,))})
    (directory / "tmp").mkdir()
    assert claims(READER, directory)
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert {"missing-shard", "staging-leftover"} <= codes(checkpoint)


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1)
    (directory / OPTIMIZER_FILE).rename(tmp_path / "elsewhere.pt")
    (directory / OPTIMIZER_FILE).symlink_to(tmp_path / "elsewhere.pt")
    checkpoint = judged(READER, directory)
    assert checkpoint.verdict is Verdict.UNKNOWN
    assert "outside-path" in codes(checkpoint)


def test_a_directory_in_place_of_a_file(corpus: Path, tmp_path: Path) -> None:
    directory = copy_of(corpus / Z1, tmp_path / "global_step10")
    (directory / OPTIMIZER_FILE).unlink()
    (directory / OPTIMIZER_FILE).mkdir()
    assert not judged(READER, directory).resumable


@pytest.mark.parametrize(
    ("name", "part"),
    [
        (MODEL_FILE, PartName(PartKind.MODEL, None, 0)),
        (f"zero_pp_rank_3_{MODEL_FILE}", PartName(PartKind.MODEL, 3, 0)),
        (OPTIMIZER_FILE, PartName(PartKind.OPTIMIZER, 1, 0, "bf16_")),
        (
            "zero_pp_rank_12_mp_rank_07_optim_states.pt",
            PartName(PartKind.OPTIMIZER, 12, 7),
        ),
    ],
)
def test_names_are_parsed_and_made(name: str, part: PartName) -> None:
    assert parse_part(name) == part
    assert file_name(part) == name


@pytest.mark.parametrize(
    "name",
    ["latest", "zero_to_fp32.py", "model.pt", "mp_rank_00", "zero_pp_rank_0_optim_states.pt.tmp"],
)
def test_other_names_are_no_parts(name: str) -> None:
    assert parse_part(name) is None


def test_old_names_of_partitions_are_known(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1, dp=1)
    name = "bf16_zero_pp_rank_0_mp_rank_00"
    (directory / f"{name}_optim_states.pt").rename(directory / f"{name}optim_states.pt")
    assert judged(READER, directory).verdict is Verdict.EXACT


def test_hostile_values_give_findings(tmp_path: Path) -> None:
    hostile: list[dict[str, Any]] = [
        {"dp_world_size": "2", "mp_world_size": [1]},
        {"ds_config": [1, 2]},
        {"ds_config": {"zero_optimization": 7}},
        {"param_shapes": {"a": 1}},
        {"param_shapes": [[1], {"x": None, 3: 4}]},
        {"global_steps": float("nan")},
        {"module": [1, 2]},
        {"num_experts": [{"a": 1}]},
    ]
    for number, changes in enumerate(hostile):
        directory = write_step(tmp_path / str(number) / "global_step5", 1, **changes)
        assert judged(READER, directory).why


def test_a_name_with_a_newline_does_not_matter(tmp_path: Path) -> None:
    directory = write_step(tmp_path / "global_step5", 1)
    (directory / "a\nb").write_bytes(b"x")
    os.close(os.open(os.path.join(os.fsencode(directory), b"\xff"), os.O_CREAT | os.O_WRONLY))
    assert judged(READER, directory).resumable
