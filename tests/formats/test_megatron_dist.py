from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.megatron_dist.reader import MegatronDistReader
from ckpt_tui.formats.torch_dcp.reader import TorchDcpReader
from ckpt_tui.fs.listing import list_directory
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import (
    Row,
    check_row,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    read_directory,
)
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = MegatronDistReader()
GOOD = "torch/megatron_torch_dist_tp2/iter_0000020"

ROWS = [
    Row("torch/megatron_torch_dist_tp2/iter_0000010", "exact", 10, ()),
    Row("torch/megatron_torch_dist_tp2/iter_0000030", "exact", 30, ()),
    Row(
        "torch_broken/megatron_sigkill_in_data/iter_0000020",
        "uncommitted",
        20,
        ("model", "optimizer", "rng"),
    ),
    Row(
        "torch_broken/megatron_sigkill_common_only/iter_0000020",
        "uncommitted",
        20,
        ("model", "optimizer", "rng"),
    ),
]

NEW_LAYOUT: dict[str, object] = {
    "decoder.layers.weight": Shape((4, 2)),
    "optimizer.state.exp_avg.decoder.layers.weight": Shape((4, 2)),
    "rng_state/shard_0.0_1.2": b"x",
    "rng_state/shard_0.1_1.2": b"y",
    "common_state": {
        "iteration": 50,
        "args": {},
        "opt_param_scheduler": {"max_lr": 0.1},
        "optimizer": {"param_groups": []},
    },
}
INDEX = {"sharded_backend": "torch_dist", "sharded_backend_version": 1}


def write_index(path: Path, document: object = INDEX) -> None:
    (path / "metadata.json").write_text(json.dumps(document))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_verdicts(corpus: Path, row: Row) -> None:
    check_row(READER, corpus, row)


def test_a_whole_checkpoint(corpus: Path) -> None:
    facts = read_directory(READER, corpus / GOOD)
    assert facts.world_size == 2
    assert facts.findings == ()
    assert facts.loader.flag == f"--load {corpus / GOOD.rpartition('/')[0]} --ckpt-step 20"
    assert facts.commit.committed_at == (corpus / GOOD / "metadata.json").stat().st_mtime_ns / 1e9
    assert facts.reshard is not None
    assert (facts.reshard.possible, facts.reshard.loses) == (True, ("rng",))
    scheduler, optimizer = facts.role("scheduler"), facts.role("optimizer")
    assert scheduler is not None
    assert "opt_param_scheduler" in scheduler.evidence
    assert optimizer is not None
    assert "common.pt" in optimizer.paths
    assert "__0_0.distcp" in optimizer.paths


@pytest.mark.parametrize(
    ("name", "verdict"),
    [("__1_1.distcp", "incomplete"), (".metadata", "incomplete"), ("common.pt", "incomplete"),
     ("metadata.json", "uncommitted")],
)  # fmt: skip
def test_a_missing_file(corpus: Path, tmp_path: Path, name: str, verdict: str) -> None:
    path = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    (path / name).unlink()
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == verdict
    assert codes(checkpoint) & {"missing-shard", "not-committed"}


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [("__1_1.distcp", "corrupt", "truncated-file"), (".metadata", "corrupt", "truncated-file"),
     ("common.pt", "corrupt", "truncated-file"), ("metadata.json", "uncommitted", "invalid-json")],
)  # fmt: skip
def test_a_cut_file(corpus: Path, tmp_path: Path, name: str, verdict: str, code: str) -> None:
    path = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    cut(path / name, (path / name).stat().st_size // 2)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == verdict
    assert code in codes(checkpoint)


def test_only_the_last_acts_are_missing(corpus: Path, tmp_path: Path) -> None:
    """What a kill right before the rename of `.metadata` leaves can be completed by hand."""
    path = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    (path / ".metadata").rename(path / ".metadata.tmp")
    (path / "metadata.json").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert "finishable" in codes(checkpoint)
    subprocess.run(["/bin/sh", "-c", checkpoint.facts.commit.finish], check=True)
    assert judged(READER, path).verdict == "exact"


def test_the_common_state_may_lie_inside_the_data(tmp_path: Path) -> None:
    path = write_dcp(tmp_path / "iter_0000050", NEW_LAYOUT, rank_of=lambda key: len(key) % 2)
    write_index(path)
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 50)


def test_no_common_state_at_all(tmp_path: Path) -> None:
    state = {key: value for key, value in NEW_LAYOUT.items() if key != "common_state"}
    path = write_dcp(tmp_path / "iter_0000050", state)
    write_index(path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "missing-shard" in codes(checkpoint)


def test_a_random_state_of_which_a_shard_is_absent(tmp_path: Path) -> None:
    state = {key: value for key, value in NEW_LAYOUT.items() if not key.endswith("0.1_1.2")}
    path = write_dcp(tmp_path / "iter_0000050", state)
    write_index(path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "rng_state" in checkpoint.why


def test_parameter_groups_alone_are_no_optimizer(tmp_path: Path) -> None:
    path = write_dcp(
        tmp_path / "iter_0000050", {"decoder.weight": Shape((2, 2)), "rng_state/shard_0_1": b"x"}
    )
    write_torch(path / "common.pt", NEW_LAYOUT["common_state"])
    write_index(path)
    assert judged(READER, path).verdict == "weights-only"


def test_a_schedule_is_demanded(tmp_path: Path) -> None:
    state = NEW_LAYOUT | {"common_state": {"iteration": 50}}
    path = write_dcp(tmp_path / "iter_0000050", state)
    write_index(path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "scheduler" in checkpoint.why


def test_another_backend_is_not_judged(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    write_index(path, {"sharded_backend": "zarr", "sharded_backend_version": 1})
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "unknown"
    assert "unsupported-version" in codes(checkpoint)


def test_one_nodes_part(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "iter_0000020"
    for part in ("__1_0.distcp", "__1_1.distcp"):
        copy_of(corpus / GOOD / part, path / part)
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert "node-local-part" in codes(checkpoint)


def test_step_in_name_and_content(corpus: Path, tmp_path: Path) -> None:
    checkpoint = judged(READER, copy_of(corpus / GOOD, tmp_path / "iter_0000099"))
    assert checkpoint.step == 20
    assert "step-mismatch" in codes(checkpoint)
    assert checkpoint.resumable


def test_an_unfinished_marker_beside_it(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / GOOD, tmp_path / "step=20-last")
    (tmp_path / "step=20-last-unfinished").touch()
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert f"rm {tmp_path / 'step=20-last-unfinished'}" in checkpoint.facts.commit.finish


def test_a_plain_dcp_directory_of_such_a_name_is_left_to_its_reader(tmp_path: Path) -> None:
    state = {"model.w": Shape((2, 2)), "optimizer.state.w": Shape((2, 2)), "step": 7}
    path = write_dcp(tmp_path / "iter_0000007", state)
    assert not claims(READER, path)
    write_index(path, {"loss": 0.5})
    assert not claims(READER, path)
    assert judged(TorchDcpReader(), path).verdict == "inexact"


@pytest.mark.parametrize(
    ("text", "target", "problem"),
    [("20", "iter_0000020", ""), ("release\n", "release", ""), ("40", "iter_0000040", ""),
     ("", None, "unreadable"), ("../x", None, "unreadable")],
)  # fmt: skip
def test_tracker(tmp_path: Path, text: str, target: str | None, problem: str) -> None:
    (tmp_path / "iter_0000020").mkdir()
    (tmp_path / "latest_checkpointed_iteration.txt").write_text(text)
    (pointer,) = READER.pointers(list_directory(str(tmp_path)))
    assert pointer.problem == problem
    assert pointer.targets[:1] == (() if target is None else (str(tmp_path / target),))


def test_the_common_state_is_stored_in_a_list(tmp_path: Path) -> None:
    """As megatron-core does that has no `common.pt` any more: each shard's object in a list."""
    state = {key: value for key, value in NEW_LAYOUT.items() if key != "common_state"}
    state["common_state/shard_0_1"] = [NEW_LAYOUT["common_state"]]
    path = write_dcp(tmp_path / "iter_0000050", state)
    write_index(path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 50)
    (path / ".metadata").rename(path / ".metadata.tmp")
    (path / "metadata.json").unlink()
    unfinished = judged(READER, path)
    assert "finishable" in codes(unfinished)
    subprocess.run(["/bin/sh", "-c", unfinished.facts.commit.finish], check=True)
    assert json.loads((path / "metadata.json").read_text()) == INDEX
    assert judged(READER, path).verdict == "exact"


def test_a_cut_index_can_be_written_again(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    cut(path / "metadata.json", 20)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, "finishable" in codes(checkpoint)) == ("uncommitted", True)


@pytest.mark.parametrize("index", [None, {"sharded_backend": "fsdp_dtensor"}])
def test_what_torchs_own_writer_saved(tmp_path: Path, index: object) -> None:
    state: dict[str, object] = {
        "model.weight": Shape((4, 2)),
        "optimizer.state.weight.exp_avg": Shape((4, 2)),
        "opt_param_scheduler.num_steps": b"160",
        "rng_state.(0, 0)": b"x",
        "checkpoint_version": 3.0,
        "iteration": 20,
    }
    path = write_dcp(tmp_path / "iter_0000020", state)
    if index is not None:
        write_index(path, index)
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 20)
    assert "torch DCP" in checkpoint.why


@pytest.mark.parametrize(
    ("index", "verdict"),
    [({"sharded_backend": "torch_dist", "sharded_backend_version": 2}, "unknown"), ({}, "unknown"),
     ({"sharded_backend": "torch_dist"}, "exact"), ([1], "uncommitted")],
)  # fmt: skip
def test_what_the_index_names(corpus: Path, tmp_path: Path, index: object, verdict: str) -> None:
    path = copy_of(corpus / GOOD, tmp_path / "iter_0000020")
    write_index(path, index)
    assert judged(READER, path).verdict == verdict
