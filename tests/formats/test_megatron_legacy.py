from __future__ import annotations

import shutil
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.megatron_legacy.reader import MegatronLegacyReader
from ckpt_tui.fs.listing import list_directory
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
)
from tests.formats.torch_builder import OPTIMIZER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable

READER = MegatronLegacyReader()
GOOD = "torch/megatron_legacy_tp2/iter_0000020"
SAMPLES = Path(__file__).parents[2] / "sample_runs" / "megatron-legacy"
DISTRIBUTED = SAMPLES / "pp2_distributed" / "iter_0000020"
MODEL_FILE = "model_optim_rng.pt"

ROWS = [
    Row("torch/megatron_legacy_tp2/iter_0000010", "exact", 10, ()),
    Row("torch/megatron_legacy_tp2/iter_0000020", "exact", 20, ()),
]


def part(iteration: int = 20, **more: object) -> dict[str, object]:
    return {
        "args": Namespace(tensor_model_parallel_size=1, pipeline_model_parallel_size=1),
        "checkpoint_version": 3.0,
        "iteration": iteration,
        "model": dict(WEIGHTS),
        "optimizer": {"optimizer": dict(OPTIMIZER)},
        "opt_param_scheduler": {"num_steps": 160},
        "rng_state": [{"torch_rng_state": Shape((4,))}],
        **more,
    }


def write_grid(path: Path, values: dict[str, dict[str, object]]) -> Path:
    for name, value in values.items():
        write_torch(path / name / MODEL_FILE, value)
    return path


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_verdicts(corpus: Path, row: Row) -> None:
    check_row(READER, corpus, row)


def test_a_whole_checkpoint(corpus: Path) -> None:
    facts = read_directory(READER, corpus / GOOD)
    assert facts.findings == ()
    assert (facts.world_size, facts.expected_ranks) == (2, (0, 1))
    assert facts.loader.flag == f"--load {(corpus / GOOD).parent} --ckpt-step 20"
    assert facts.reshard is not None
    assert (facts.reshard.converts, facts.reshard.loses) == (True, ("rng",))
    assert "tools/checkpoint/convert.py" in facts.reshard.how
    assert any("data-parallel" in phrase for phrase in facts.not_checked)


def test_a_distributed_optimizer_is_chosen_by_the_tracker_alone() -> None:
    checkpoint = judged(READER, DISTRIBUTED)
    assert checkpoint.verdict == "exact"
    assert checkpoint.facts.loader.flag == f"--load {DISTRIBUTED.parent}"
    (remark,) = checkpoint.findings
    assert (remark.code, remark.severity) == ("lossy-loader", "info")
    assert "write 20 into it" in remark.remedy


@pytest.mark.parametrize(
    ("damage", "verdict", "code", "path"),
    [
        (lambda d: shutil.rmtree(d / "mp_rank_01"), "incomplete", "missing-shard",
         "mp_rank_01/model_optim_rng.pt"),
        (lambda d: (d / "mp_rank_00" / MODEL_FILE).unlink(), "incomplete", "missing-shard",
         "mp_rank_00/model_optim_rng.pt"),
        (lambda d: cut(d / "mp_rank_01" / MODEL_FILE, 9000), "corrupt", "truncated-file",
         "mp_rank_01/model_optim_rng.pt"),
        (lambda d: cut(d / "mp_rank_01" / MODEL_FILE, 0), "corrupt", "empty-file",
         "mp_rank_01/model_optim_rng.pt"),
        (lambda d: (d / "mp_rank_00" / MODEL_FILE).write_bytes(b"no zip" * 99), "corrupt",
         "unreadable-archive", "mp_rank_00/model_optim_rng.pt"),
        (lambda d: write_torch(d / "mp_rank_01" / MODEL_FILE, [1, 2]), "incomplete",
         "missing-role", "mp_rank_01/model_optim_rng.pt"),
        (lambda d: shutil.copytree(d / "mp_rank_01", d / "mp_rank_07"), "exact", "extra-shard",
         "mp_rank_07/model_optim_rng.pt"),
    ],
)  # fmt: skip
def test_damage(
    corpus: Path,
    tmp_path: Path,
    damage: Callable[[Path], object],
    verdict: str,
    code: str,
    path: str,
) -> None:
    copy = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    damage(copy)
    assert claims(READER, copy)
    checkpoint = judged(READER, copy)
    assert checkpoint.verdict == verdict
    assert (code, path) in {(found.code, found.path) for found in checkpoint.findings}


@pytest.mark.parametrize(
    ("name", "size", "verdict"),
    [("distrib_optim.pt", None, "incomplete"), ("distrib_optim.pt", 2000, "corrupt"),
     ("model_optim_rng.pt", None, "incomplete")],
)  # fmt: skip
def test_damage_of_a_distributed_optimizer(
    tmp_path: Path, name: str, size: int | None, verdict: str
) -> None:
    copy = copy_of(DISTRIBUTED, tmp_path / "iter_0000020")
    file = copy / "mp_rank_00_001" / name
    if size is None:
        file.unlink()
    else:
        cut(file, size)
    assert judged(READER, copy).verdict == verdict


def test_a_part_of_another_iteration(corpus: Path, tmp_path: Path) -> None:
    copy = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    older = copy.parent / "iter_0000010"
    copy_of((corpus / GOOD).parent / older.name, older)
    shutil.copy2(older / "mp_rank_01" / MODEL_FILE, copy / "mp_rank_01" / MODEL_FILE)
    checkpoint = judged(READER, copy)
    assert checkpoint.verdict == "incomplete"
    assert "mixed-saves" in codes(checkpoint)


def test_a_link_out_is_not_followed(corpus: Path, tmp_path: Path) -> None:
    copy = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    (copy / "mp_rank_01").rename(tmp_path / "elsewhere")
    (copy / "mp_rank_01").symlink_to(tmp_path / "elsewhere")
    checkpoint = judged(READER, copy)
    assert checkpoint.verdict == "unknown"
    assert "outside-path" in codes(checkpoint)


@pytest.mark.parametrize(
    ("key", "verdict"),
    [("model", "incomplete"), ("optimizer", "weights-only"), ("opt_param_scheduler", "incomplete"),
     ("iteration", "incomplete"), ("checkpoint_version", "incomplete"), ("rng_state", "inexact")],
)  # fmt: skip
def test_what_the_loader_takes(tmp_path: Path, key: str, verdict: str) -> None:
    value = {name: held for name, held in part().items() if name != key}
    path = write_grid(tmp_path / "iter_0000020", {"mp_rank_00": value})
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == verdict
    assert ("--no-load-rng" in checkpoint.facts.loader.flag) is (key == "rng_state")


@pytest.mark.parametrize(
    ("old", "new"), [("iteration", "total_iters"), ("opt_param_scheduler", "lr_scheduler")]
)
def test_older_keys(tmp_path: Path, old: str, new: str) -> None:
    value = part()
    value[new] = value.pop(old)
    path = write_grid(tmp_path / "iter_0000020", {"mp_rank_00": value})
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 20)


def test_without_arguments_the_data_begins_anew_and_the_names_tell_the_grid(tmp_path: Path) -> None:
    value = part(args=None)
    names = ("mp_rank_00_000", "mp_rank_00_001", "mp_rank_01_001")
    path = write_grid(tmp_path / "iter_0000020", dict.fromkeys(names, value))
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "mp_rank_01_000/model_optim_rng.pt" in checkpoint.why
    assert "lossy-loader" in codes(checkpoint)


def test_chunks_of_a_virtual_pipeline(tmp_path: Path) -> None:
    value = part()
    value |= {"model0": value.pop("model"), "model1": dict(WEIGHTS)}
    path = write_grid(tmp_path / "iter_0000020", {"mp_rank_00": value})
    assert judged(READER, path).verdict == "exact"


@pytest.mark.parametrize(
    ("sizes", "names", "ranks"),
    [
        ({"expert_model_parallel_size": 2}, ["mp_rank_00_000", "mp_rank_00_001"], (0, 1)),
        ({"pipeline_model_parallel_size": 2, "expert_model_parallel_size": 2, "world_size": 8},
         ["mp_rank_00_000_000", "mp_rank_00_000_001", "mp_rank_00_001_000", "mp_rank_00_001_001"],
         (0, 1, 2, 3)),
        ({"tensor_model_parallel_size": 2, "expert_model_parallel_size": 2,
          "expert_tensor_parallel_size": 1}, ["mp_rank_00_000", "mp_rank_01_001"], (0, 1)),
    ],
)  # fmt: skip
def test_experts(
    tmp_path: Path, sizes: dict[str, int], names: list[str], ranks: tuple[int, ...]
) -> None:
    value = part(args=Namespace(**({"tensor_model_parallel_size": 1} | sizes)))
    path = write_grid(tmp_path / "iter_0000020", dict.fromkeys(names, value))
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "exact"
    assert checkpoint.findings == ()
    assert checkpoint.facts.expected_ranks == ranks


def test_the_layout_before_23_06(tmp_path: Path) -> None:
    path = tmp_path / "iter_0000020"
    value = part(args=Namespace(tensor_model_parallel_size=1, data_parallel_size=2))
    optimizer = {key: value.pop(key) for key in ("optimizer", "opt_param_scheduler")}
    write_torch(path / "mp_rank_00" / "model_rng.pt", value)
    for rank in range(2):
        write_torch(path / f"mp_rank_00_{rank:03d}" / "optim.pt", optimizer)
    assert claims(READER, path)
    assert judged(READER, path).verdict == "exact"
    (path / "mp_rank_00_001" / "optim.pt").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "mp_rank_00_001/optim.pt" in checkpoint.why


def test_a_frozen_part_has_no_optimizer(tmp_path: Path) -> None:
    sizes = {"tensor_model_parallel_size": 1, "pipeline_model_parallel_size": 2}
    frozen = part(args=Namespace(freeze_LM=True, **sizes))
    without = {key: held for key, held in frozen.items() if key != "optimizer"}
    grid = {"mp_rank_00_000": frozen, "mp_rank_00_001": without}
    assert judged(READER, write_grid(tmp_path / "iter_0000020", grid)).verdict == "exact"
    trained = part(args=Namespace(**sizes))
    lost = {key: held for key, held in trained.items() if key != "optimizer"}
    grid = {"mp_rank_00_000": trained, "mp_rank_00_001": lost}
    assert judged(READER, write_grid(tmp_path / "iter_0000030", grid)).verdict == "incomplete"


def test_release_holds_weights_for_the_loader(tmp_path: Path) -> None:
    path = write_grid(tmp_path / "release", {"mp_rank_00": part()})
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.facts.export) == ("weights-only", True)
    assert checkpoint.facts.loader.flag == f"--load {tmp_path}"


def test_only_one_nodes_parts(tmp_path: Path) -> None:
    value = part(args=Namespace(tensor_model_parallel_size=4))
    path = write_grid(tmp_path / "iter_0000020", {"mp_rank_02": value, "mp_rank_03": value})
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "node-local-part" in codes(checkpoint)


def test_sizes_that_cannot_be(tmp_path: Path) -> None:
    value = part(args=Namespace(tensor_model_parallel_size=2**30))
    checkpoint = judged(READER, write_grid(tmp_path / "iter_0000020", {"mp_rank_00": value}))
    assert checkpoint.verdict == "unknown"
    assert "limit-exceeded" in codes(checkpoint)


def test_a_data_loaders_directory_is_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "iter_0000020"
    write_torch(path / "mp_rank_00" / "train_dataloader_dprank000.pt", {"position": 3})
    assert not claims(READER, path)
    write_torch(path / "mp_rank_00" / MODEL_FILE, part())
    assert claims(READER, path)
    assert judged(READER, path).facts.role("dataloader") is not None


def test_a_role_that_the_siblings_have(corpus: Path, tmp_path: Path) -> None:
    run = [read_directory(READER, (corpus / GOOD).parent / f"iter_{n:07d}") for n in (10, 20)]
    weights = {key: held for key, held in part(30).items() if key in ("model", "iteration")}
    path = write_grid(tmp_path / "iter_0000030", {"mp_rank_00": weights})
    verdicts = judged_run([*run, read_directory(READER, path)])
    assert verdicts["iter_0000030"].verdict == "incomplete"
    assert verdicts["iter_0000020"].verdict == "exact"


def test_the_tracker(corpus: Path) -> None:
    (pointer,) = READER.pointers(list_directory(str((corpus / GOOD).parent)))
    assert pointer.targets[0] == str(corpus / GOOD)
