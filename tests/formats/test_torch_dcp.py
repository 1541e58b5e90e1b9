from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.torch_dcp.reader import TorchDcpReader
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import (
    Row,
    check_row,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    overwrite,
    read_directory,
)
from tests.formats.torch_builder import SCHEDULER, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = TorchDcpReader()
TITAN = "torch/dcp_titan_ws4/checkpoint/step-10"
NESTED = "torch/dcp_nested_ws4/step_000015"
HF = "torch/dcp_hfwriter_ws4/checkpoint/step-10"
HF_PLAIN = "torch/dcp_hfwriter_ws4/checkpoint/step-30"

ALL_BUT_MODEL = ("optimizer", "scheduler", "rng")
NOTHING = ("model", *ALL_BUT_MODEL, "progress")

ROWS = [
    Row(TITAN, "inexact", 10, ("rng",)),
    Row(NESTED, "exact", 15, ()),
    Row("torch/dcp_filepertensor_ws4/step-5", "weights-only", 15, ALL_BUT_MODEL),
    Row("torch/dcp_overwritten_ws4_then_ws2/step-10", "weights-only", 10, ALL_BUT_MODEL),
    Row(
        "torch/dcp_model_only_ws4/checkpoint/step-30",
        "weights-only",
        30,
        (*ALL_BUT_MODEL, "progress"),
    ),
    Row(HF, "weights-only", 10, (*ALL_BUT_MODEL, "progress")),
    Row(HF_PLAIN, "weights-only", 30, (*ALL_BUT_MODEL, "progress")),
    Row("torch_broken/dcp_sigkill_in_data/checkpoint/step-20", "uncommitted", 20, NOTHING),
    Row("torch_broken/dcp_enospc/dcp_titan_ws4/checkpoint/step-20", "uncommitted", 20, NOTHING),
    Row("torch_broken/dcp_sigkill_in_overwrite/checkpoint/step-10", "corrupt", 10, ("rng",)),
    Row(
        "torch_broken/dcp_hfwriter_sigkill_in_consolidation/checkpoint/step-20",
        "uncommitted",
        20,
        (*ALL_BUT_MODEL, "progress"),
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_verdicts(corpus: Path, row: Row) -> None:
    check_row(READER, corpus, row)


def test_a_whole_checkpoint(corpus: Path) -> None:
    facts = read_directory(READER, corpus / TITAN)
    assert (facts.world_size, facts.expected_ranks) == (4, (0, 1, 2, 3))
    assert facts.commit.met is True
    assert facts.commit.committed_at == (corpus / TITAN / ".metadata").stat().st_mtime_ns / 1e9
    assert facts.save_seconds is not None
    assert 0 < facts.save_seconds < 1
    assert facts.findings == ()
    model, optimizer = facts.role("model"), facts.role("optimizer")
    assert model is not None
    assert optimizer is not None
    assert model.size_bytes == 4 * 2048
    assert model.files == 4
    assert "tok_embeddings.weight" in model.evidence
    assert facts.tensors_total == len(facts.tensors) == 18
    assert facts.reshard is not None
    assert facts.reshard.possible is True
    assert facts.reshard.loses == ("dataloader",)
    assert f'checkpoint_id="{corpus / TITAN}"' in facts.loader.flag
    assert "train_state.step" in facts.evidence


def test_files_of_an_earlier_save_are_named_but_harmless(corpus: Path) -> None:
    path = corpus / "torch/dcp_overwritten_ws4_then_ws2/step-10"
    facts = read_directory(READER, path)
    (extra,) = facts.findings
    assert (extra.code, extra.path, extra.effect) == ("extra-shard", "__2_0.distcp", Effect.NONE)
    assert "and 1 more" in extra.message
    assert "s before the rest" in extra.message
    assert facts.world_size == 2


def test_overwriting_that_never_finished(corpus: Path) -> None:
    facts = read_directory(
        READER, corpus / "torch_broken/dcp_sigkill_in_overwrite/checkpoint/step-10"
    )
    assert facts.commit.rewritten
    assert {finding.code for finding in facts.findings} == {"truncated-file"}
    assert "`.metadata` needs 27970" in facts.findings[0].message
    assert [shard.problem for shard in facts.shards] == ["short"] * 4


@pytest.mark.parametrize(
    ("name", "size_bytes", "code"),
    [("__2_0.distcp", 30_000, "truncated-file"), ("__2_0.distcp", 0, "empty-file"),
     (".metadata", 900, "truncated-file"), (".metadata", 0, "empty-file")],
)  # fmt: skip
def test_cut_files(corpus: Path, tmp_path: Path, name: str, size_bytes: int, code: str) -> None:
    path = copy_of(corpus / TITAN, tmp_path / "step-10")
    cut(path / name, size_bytes)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "corrupt"
    assert code in codes(checkpoint)
    assert not checkpoint.facts.commit.rewritten


def test_a_shard_is_missing(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / TITAN, tmp_path / "step-10")
    (path / "__3_0.distcp").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert checkpoint.missing_ranks == (3,)
    (finding,) = [f for f in checkpoint.findings if f.code == "missing-shard"]
    assert finding.path == "__3_0.distcp"
    assert "items in it" in finding.message


def test_a_directory_in_place_of_a_shard(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / TITAN, tmp_path / "step-10")
    (path / "__3_0.distcp").unlink()
    (path / "__3_0.distcp").mkdir()
    assert judged(READER, path).verdict == "incomplete"


@pytest.mark.parametrize("offset", [0, 1325, -40])
def test_garbage_where_an_item_begins_or_ends(corpus: Path, tmp_path: Path, offset: int) -> None:
    path = copy_of(corpus / TITAN, tmp_path / "step-10")
    size = (path / "__0_0.distcp").stat().st_size
    overwrite(path / "__0_0.distcp", offset % size, b"\xff" * 32)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "corrupt"
    assert codes(checkpoint) & {"unreadable-archive", "truncated-file"}


def test_two_ranks_files_in_each_others_place(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / NESTED, tmp_path / "step_000015")
    first, second = path / "__0_0.distcp", path / "__1_0.distcp"
    first_data, second_data = first.read_bytes(), second.read_bytes()
    first.write_bytes(second_data)
    second.write_bytes(first_data)
    assert not judged(READER, path).resumable


def test_bytes_after_the_last_item_and_empty_ranks_are_no_fault(
    corpus: Path, tmp_path: Path
) -> None:
    path = copy_of(corpus / TITAN, tmp_path / "step-10")
    with (path / "__1_0.distcp").open("ab") as file:
        file.write(b"more")
    (path / "__7_0.distcp").touch()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "inexact"
    assert checkpoint.facts.world_size == 4
    assert "extra-shard" not in codes(checkpoint)


def test_only_the_rename_is_missing(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / NESTED, tmp_path / "step 15")
    (path / ".metadata").rename(path / ".metadata.tmp")
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert {"finishable", "staging-leftover", "not-committed"} <= codes(checkpoint)
    remedy = next(f.remedy for f in checkpoint.findings if f.code == "finishable")
    assert f"mv '{path}/.metadata.tmp' '{path}/.metadata'" in remedy
    cut(path / "__0_0.distcp", 5000)
    assert "finishable" not in codes(judged(READER, path))


def test_a_cut_metadata_tmp_does_not_complete_anything(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / NESTED, tmp_path / "step_000015")
    (path / ".metadata").rename(path / ".metadata.tmp")
    cut(path / ".metadata.tmp", 1000)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert "finishable" not in codes(checkpoint)
    assert checkpoint.facts.role_names() == frozenset()


def test_one_nodes_part_of_a_save(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / TITAN, tmp_path / "step-10")
    for name in (".metadata", "__0_0.distcp", "__1_0.distcp"):
        (path / name).unlink()
    checkpoint = judged(READER, path)
    assert claims(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert {"node-local-part", "missing-shard"} <= codes(checkpoint)
    assert checkpoint.missing_ranks == (0, 1, 2, 3)
    assert checkpoint.facts.world_size is None


def test_an_attempt_without_any_file(tmp_path: Path) -> None:
    (tmp_path / "step-30").mkdir()
    checkpoint = judged(READER, tmp_path / "step-30")
    assert (checkpoint.verdict, checkpoint.step) == ("uncommitted", 30)


def test_the_step_of_a_file_beside_the_data(tmp_path: Path) -> None:
    path = write_dcp(
        tmp_path / "step-7",
        {"model.w": Shape((4, 2)), "optim.state.w.exp_avg": Shape((4, 2))},
    )
    assert judged(READER, path).verdict == "incomplete"
    write_torch(path / "train_state.pt", {"global_step": 8, "scheduler": SCHEDULER})
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("inexact", 8)
    assert "step-mismatch" in codes(checkpoint)
    assert checkpoint.missing_roles == ("rng",)
    (path / "train_state.pt").unlink()
    (path / "trainer_state.json").write_text('{"global_step": 7')
    assert judged(READER, path).verdict == "corrupt"
    (path / "trainer_state.json").write_text('{"global_step": 7}')
    assert judged(READER, path).verdict == "inexact"


def test_a_stateful_application_object(tmp_path: Path) -> None:
    """The form of torch's own tutorial: everything under one key."""
    path = write_dcp(
        tmp_path / "checkpoint",
        {
            "app.model.net.w": Shape((4, 2)),
            "app.optim.state.net.w.exp_avg": Shape((4, 2)),
            "app.progress": {"step": 12, "epoch": 1},
        },
        rank_of=len,
    )
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("inexact", 12)


def test_a_scheduler_is_no_measure_of_the_step(tmp_path: Path) -> None:
    path = write_dcp(
        tmp_path / "run",
        {
            "model.w": Shape((2, 2)),
            "optimizer.state.w.step": Shape(()),
            "optimizer.state.w.exp_avg": Shape((2, 2)),
            "lr_scheduler.last_epoch": 40,
        },
    )
    checkpoint = judged(READER, path)
    assert checkpoint.step is None
    assert checkpoint.verdict == "incomplete"


@pytest.mark.parametrize(
    ("extra", "missing", "verdict"),
    [
        ({f"dataloader.dp_rank_{rank}": {} for rank in range(4)}, (), "exact"),
        ({"dataloader.dp_rank_0": {}}, (1, 2, 3), "inexact"),
        ({"dataloader.dp_rank_0": {}, "dataloader.world_size": 1}, (), "exact"),
        ({"dataloader.dp_rank_0": {}, "dataloader.world_size": 2}, (1,), "inexact"),
    ],
)
def test_data_loader_of_some_ranks(
    tmp_path: Path, extra: dict[str, object], missing: tuple[int, ...], verdict: str
) -> None:
    state: dict[str, object] = {f"layers.{number}.weight": Shape((2, 2)) for number in range(4)}
    state |= {"optimizer.state.w.exp_avg": Shape((2, 2)), "lr_scheduler.last_epoch": 3}
    state |= {f"rng_rank{rank}": b"x" for rank in range(4)} | {"train_state.step": 3} | extra
    path = write_dcp(
        tmp_path / "step-3", state, lambda key: int(key.split(".")[1]) if "weight" in key else 0
    )
    checkpoint = judged(READER, path)
    role = checkpoint.facts.role("dataloader")
    assert role is not None
    assert role.missing_ranks == missing
    assert checkpoint.verdict == verdict
    if missing:
        assert "dataloader" in checkpoint.why


def test_one_random_state_for_all_ranks_is_said(tmp_path: Path) -> None:
    state = {"model.w": Shape((2, 2)), "rng": b"x", "optimizer.state.w": Shape((2, 2)), "step": 1}
    path = write_dcp(tmp_path / "step-1", state, lambda key: len(key) % 3)
    rng = read_directory(READER, path).role("rng")
    assert rng is not None
    assert "stored once for 3 ranks" in rng.evidence
    assert rng.missing_ranks == ()


def test_siblings_show_that_a_role_is_lost(tmp_path: Path) -> None:
    state = {"model.w": Shape((2, 2)), "optimizer.state.w": Shape((2, 2)), "lr_scheduler.x": 1}
    for step in (1, 2):
        write_dcp(tmp_path / f"step-{step}", state | {"step": step})
    del state["lr_scheduler.x"]
    write_dcp(tmp_path / "step-3", state | {"step": 3})
    run = judged_run([read_directory(READER, tmp_path / f"step-{step}") for step in (1, 2, 3)])
    assert run["step-2"].verdict == "inexact"
    assert run["step-3"].verdict == "incomplete"
    assert judged(READER, tmp_path / "step-3").verdict == "inexact"


def test_places_out_of_the_directory_are_not_followed(corpus: Path, tmp_path: Path) -> None:
    other = copy_of(corpus / TITAN / "__0_0.distcp", tmp_path / "elsewhere" / "__0_0.distcp")
    path = copy_of(corpus / TITAN, tmp_path / "step-10")
    (path / "__0_0.distcp").unlink()
    (path / "__0_0.distcp").symlink_to(other)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "unknown"
    assert "outside-path" in codes(checkpoint)


def test_names_that_are_no_text(corpus: Path, tmp_path: Path) -> None:
    target = os.fsdecode(os.fsencode(tmp_path) + b"/step-10\xff\n[red]")
    shutil.copytree(corpus / TITAN, target)
    (tmp_path / "x").mkdir()
    checkpoint = judged(READER, tmp_path / os.path.basename(target))
    assert checkpoint.verdict == "inexact"


def test_limits_leave_the_verdict_open(corpus: Path) -> None:
    facts = read_directory(READER, corpus / TITAN, Limits(metadata_bytes=1000))
    checkpoint = judge(facts)
    assert checkpoint.verdict == "unknown"
    assert "limit-exceeded" in codes(checkpoint)


@pytest.mark.parametrize(
    ("name", "claimed"),
    [("__0_0.distcp", True), (".metadata", True), ("0_0.distcp", False), ("0.metadata", False),
     (".snapshot_metadata", False), ("model-00001-of-00002.safetensors", False),
     ("shard-00001-model-00001-of-00001.safetensors", True)],
)  # fmt: skip
def test_which_directories_are_claimed(tmp_path: Path, name: str, claimed: bool) -> None:
    (tmp_path / name).write_bytes(b"x")
    assert claims(READER, tmp_path) is claimed


def test_hf_writer_shards_and_index(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / HF, tmp_path / "step-10")
    facts = read_directory(READER, path)
    assert facts.world_size == 4
    model = facts.role("model")
    assert model is not None
    assert (model.size_bytes, model.files) == (8192, 2)
    (path / "model-00002-of-00002.safetensors").unlink()
    assert judged(READER, path).verdict == "incomplete"
    (path / "model.safetensors.index.json").unlink()
    assert judged(READER, path).verdict == "uncommitted"


def test_hf_writer_without_index(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / HF_PLAIN, tmp_path / "step-30")
    assert read_directory(READER, path).commit.met is None
    (path / "shard-00002-model-00001-of-00001.safetensors").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    cut(path / "shard-00003-model-00001-of-00001.safetensors", 1500)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "corrupt"
    assert "truncated-file" in codes(checkpoint)
