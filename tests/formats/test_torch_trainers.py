"""Torch files of published trainers: Composer, fairseq, Ray Train, verl and RLinf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.formats.base import CheckpointFiles, Claim
from ckpt_tui.formats.torch_file.reader import TorchFileReader
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import (
    claimed_files,
    claims,
    codes,
    copy_of,
    judged,
    judged_run,
    read_directory,
    read_file,
)
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = TorchFileReader()
VERL = "torch/verl_like_ws2"


def composer(batch: int, *, named: bool = True) -> dict[str, Any]:
    timestamp: dict[str, object] = {"epoch": 0, "batch": batch, "sample": batch * 8}
    return {
        "state": {
            "model": WEIGHTS,
            "optimizers": {"DecoupledAdamW": OPTIMIZER},
            "schedulers": {"CosineAnnealingWithWarmupScheduler": SCHEDULER},
            "timestamp": {"Timestamp": timestamp} if named else timestamp,
        },
        "rng": [{"python": [3], "numpy": [1], "torch": [2]}],
    }


@pytest.mark.parametrize("named", [True, False])
def test_composer(tmp_path: Path, named: bool) -> None:
    path = write_torch(tmp_path / "ep0-ba100-rank0.pt", composer(100, named=named))
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 100)
    assert "timestamp" in checkpoint.facts.evidence


def test_composers_batch_wins_over_the_name(tmp_path: Path) -> None:
    checkpoint = judged(READER, write_torch(tmp_path / "ep0-ba300-rank0.pt", composer(100)))
    assert checkpoint.step == 100
    assert "step-mismatch" in codes(checkpoint)


def test_composers_links_are_pointers(tmp_path: Path) -> None:
    write_torch(tmp_path / "ep0-ba100-rank0.pt", composer(100))
    (tmp_path / "latest-rank0.pt").symlink_to("ep0-ba100-rank0.pt")
    (tmp_path / "latest-rank1.pt").symlink_to("latest-rank1.pt")
    (tmp_path / "latest-rank0.pt.symlink").write_text("ep0-ba100-rank0.pt")
    directory = list_directory(str(tmp_path))
    found = {pointer.path.rpartition("/")[2]: pointer for pointer in READER.pointers(directory)}
    target = str(tmp_path / "ep0-ba100-rank0.pt")
    assert found["latest-rank0.pt"].targets[0] == target
    assert found["latest-rank0.pt.symlink"].targets[0] == target
    assert found["latest-rank1.pt"].problem == "loop"
    assert claimed_files(READER, tmp_path) == ["ep0-ba100-rank0.pt"]


def test_a_rank_that_only_one_save_lacks(tmp_path: Path) -> None:
    for name in ("ep0-ba100-rank0.pt", "ep0-ba100-rank1.pt", "ep0-ba200-rank0.pt"):
        write_torch(tmp_path / name, composer(100 if "100" in name else 200))
    whole, lone = READER.claims_files(list_directory(str(tmp_path)))
    assert (len(whole), len(lone)) == (2, 1)
    facts = [read_group(tmp_path, whole), read_file(READER, tmp_path / lone[0])]
    run = judged_run(facts)
    assert run["ep0-ba100-rank0.pt"].verdict == "exact"
    assert run["ep0-ba200-rank0.pt"].verdict == "incomplete"
    assert "missing-shard" in codes(run["ep0-ba200-rank0.pt"])


def read_group(path: Path, members: tuple[str, ...]) -> Any:
    claim = Claim(READER.name, str(path / members[0]), members)
    return READER.read(CheckpointFiles(claim, list_tree(claim.path, members), Limits()))


def fairseq(updates: int) -> dict[str, Any]:
    return {
        "model": WEIGHTS,
        "last_optimizer_state": OPTIMIZER,
        "optimizer_history": [{"num_updates": 1}, {"num_updates": updates}],
        "extra_state": {"train_iterator": {"epoch": 23}},
    }


def shards(path: Path, stem: str, count: int) -> None:
    for rank in range(count):
        write_torch(path / f"{stem}-shard{rank}.pt", fairseq(22_750))


def test_fairseqs_updates_are_the_step(tmp_path: Path) -> None:
    shards(tmp_path, "checkpoint_last", 3)
    (group,) = READER.claims_files(list_directory(str(tmp_path)))
    facts = read_group(tmp_path, group)
    assert (facts.step, facts.world_size) == (22_750, 3)


def test_a_shard_of_full_size_lacks_its_rename_only(tmp_path: Path) -> None:
    """facebookresearch/metaseq#53."""
    stem = "checkpoint_23_22750-model_part-7"
    shards(tmp_path, stem, 4)
    (tmp_path / f"{stem}-shard2.pt").rename(tmp_path / f"{stem}-shard2.pt.tmp")
    (group,) = READER.claims_files(list_directory(str(tmp_path)))
    facts = read_group(tmp_path, group)
    assert {f.code for f in facts.findings} == {"missing-shard", "staging-leftover", "finishable"}
    (finishable,) = [f for f in facts.findings if f.code == "finishable"]
    whole = tmp_path / f"{stem}-shard2.pt"
    assert finishable.remedy.endswith(f"mv {whole}.tmp {whole}")


def test_a_short_shard_is_not_finishable(tmp_path: Path) -> None:
    shards(tmp_path, "checkpoint_5_100", 3)
    whole = tmp_path / "checkpoint_5_100-shard1.pt"
    (tmp_path / "checkpoint_5_100-shard1.pt.tmp").write_bytes(whole.read_bytes()[:-9])
    whole.unlink()
    (group,) = READER.claims_files(list_directory(str(tmp_path)))
    assert "finishable" not in {f.code for f in read_group(tmp_path, group).findings}


def full(epoch: int) -> dict[str, Any]:
    return {"model": WEIGHTS, "optimizer": OPTIMIZER, "scheduler": SCHEDULER, "epoch": epoch}


def test_rays_number_counts_reports(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint_000002"
    write_torch(path / "model.pt", full(7))
    (path / ".is_checkpoint").touch()
    (path / ".metadata.json").write_text("{}")
    checkpoint = judged(READER, path)
    assert claims(READER, path)
    assert (checkpoint.step, checkpoint.facts.ordinal) == (None, 7)
    write_torch(path / "model.pt", {**full(7), "global_step": 900})
    assert judged(READER, path).step == 900


def test_rays_files_by_rank(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint_000000"
    for rank in (0, 2):
        write_torch(path / f"model-rank={rank}.pt", full(1))
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "model-rank=1.pt" in {finding.path for finding in checkpoint.findings}


def test_a_critic_that_only_this_one_lacks(corpus: Path, tmp_path: Path) -> None:
    for step in (10, 20):
        path = copy_of(corpus / VERL / f"global_step_{step}", tmp_path / f"global_step_{step}")
        copy_of(path / "actor", path / "critic")
    assert {c.verdict for c in verl_run(tmp_path).values()} == {"exact"}
    for file in (tmp_path / "global_step_20" / "critic").rglob("*.pt"):
        file.unlink()
    run = verl_run(tmp_path)
    assert (run["global_step_10"].verdict, run["global_step_20"].verdict) == ("exact", "incomplete")


def verl_run(path: Path) -> dict[str, Any]:
    return judged_run([read_directory(READER, p) for p in sorted(path.glob("global_step_*"))])


DCP = {"model.weight": Shape((4, 2)), "optimizer.state.weight.exp_avg": Shape((4, 2))}


def rlinf(path: Path, step: int) -> Path:
    directory = path / f"global_step_{step}"
    for model in ("actor", "critic"):
        write_torch(directory / model / "checkpoint.pt", {**full(1), "step": step})
    write_torch(directory / "data" / "data.pt", {"_num_yielded": step})
    return directory


@pytest.mark.parametrize("lost", ["critic/checkpoint.pt", "data/data.pt"])
def test_a_lost_part_of_several_models(tmp_path: Path, lost: str) -> None:
    """RLinf/RLinf#1469."""
    first, second = rlinf(tmp_path, 10), rlinf(tmp_path, 20)
    assert claims(READER, first)
    assert {c.verdict for c in verl_run(tmp_path).values()} == {"inexact"}
    (second / lost).unlink()
    run = verl_run(tmp_path)
    assert (run[first.name].verdict, run[second.name].verdict) == ("inexact", "incomplete")


def test_a_part_of_several_models_that_is_not_committed(tmp_path: Path) -> None:
    path = tmp_path / "global_step_10"
    for model in ("actor", "critic"):
        write_dcp(path / model / "dcp_checkpoint", DCP)
    assert claims(READER, path)
    assert judged(READER, path).facts.commit.met is None
    (path / "critic" / "dcp_checkpoint" / ".metadata").unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert checkpoint.facts.commit.missing == "critic/dcp_checkpoint/.metadata"


def test_directories_that_are_named_by_a_number_alone(tmp_path: Path) -> None:
    """vllm-project/speculators#739."""
    for number in (2, 10):
        write_torch(tmp_path / str(number) / "checkpoint.pt", full(number))
        assert claims(READER, tmp_path / str(number))
    assert not claims(READER, tmp_path)
