"""Public reports about checkpoints of torch.distributed.checkpoint."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Level, Severity, Verdict
from tests.faults.states import (
    codes,
    drop,
    finding,
    resume_name,
    run_of,
    unlink,
    verdict_of,
)
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import copy_of, cut, overwrite
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def titan(corpus: Path, tmp_path: Path) -> Path:
    """A run of four ranks as torchtitan lays it out: step-10, step-20 and step-30."""
    return copy_of(corpus / "torch" / "dcp_titan_ws4" / "checkpoint", tmp_path / "checkpoint")


def test_b20_the_newest_was_cut_in_mid_save(titan: Path) -> None:
    """awslabs/awsome-distributed-ai#190: some data files, no `.metadata`; the older is whole."""
    unlink(titan / "step-30", ".metadata", "__3_0.distcp")
    checkpoint = verdict_of(titan / "step-30")
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert "older checkpoint" in finding(checkpoint.findings, "not-committed").remedy
    run = run_of(titan)
    assert (resume_name(run), run.level) == ("step-20", Level.WARNING)


@pytest.mark.parametrize("last_only", [False, True])
def test_b35_a_marker_on_data_that_is_whole(titan: Path, last_only: bool) -> None:
    """NVIDIA-NeMo/Speech#10228, #7952: uncommitted by its marker, and how to finish it by hand."""
    if last_only:
        for step in ("step-10", "step-20"):
            drop(titan / step)
    marker = titan / "step-30-unfinished"
    marker.touch()
    checkpoint = verdict_of(titan / "step-30")
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert f"rm {marker}" in finding(checkpoint.findings, "finishable").remedy
    run = run_of(titan)
    assert resume_name(run) == (None if last_only else "step-20")
    assert run.level is (Level.CRITICAL if last_only else Level.WARNING)


def test_b49_an_empty_shard_that_the_index_refers_to(titan: Path) -> None:
    """pytorch/xla#7919: `.metadata` places chunks in a file that a bucket mount left empty."""
    cut(titan / "step-30" / "__1_0.distcp", 0)
    checkpoint = verdict_of(titan / "step-30")
    found = finding(checkpoint.findings, "empty-file")
    assert checkpoint.verdict is Verdict.CORRUPT
    assert found.path == "__1_0.distcp"
    assert "`.metadata` needs" in found.message
    assert resume_name(run_of(titan)) == "step-20"


def test_b50_empty_shards_that_nothing_refers_to(tmp_path: Path) -> None:
    """pytorch/xla#7118: replicated parameters are written by rank 0 only, and that is fine."""
    state = {"model.w": Shape((8, 4)), "optimizer.state.w.exp_avg": Shape((8, 4)), "step": 5}
    checkpoint = write_dcp(tmp_path / "step-5", state)
    for rank in (1, 2, 3):
        (checkpoint / f"__{rank}_0.distcp").touch()
    found = verdict_of(checkpoint)
    assert found.resumable
    assert codes(found.findings) == {"missing-role"}  # neither scheduler nor rng was ever saved


def test_b52_data_loader_state_of_one_rank_of_many(tmp_path: Path) -> None:
    """pytorch/torchtitan#409: all ranks but the first would repeat their data, so it is said."""
    layers = [f"layers.{rank}.weight" for rank in range(32)]
    state: dict[str, object] = dict.fromkeys(layers, Shape((4, 2)))
    state |= {f"optimizer.state.{name}.exp_avg": Shape((4, 2)) for name in layers}
    state |= {"dataloader.dp_rank_0": b"state", "train_state.step": 5}
    checkpoint = write_dcp(tmp_path / "step-5", state, rank_of=_rank_of_layer)
    found = verdict_of(checkpoint)
    remark = next(f for f in found.findings if "dataloader" in f.message)
    assert found.verdict is Verdict.INEXACT
    assert "dataloader of ranks 1–31" in found.why
    assert remark.severity is Severity.WARNING
    assert "every rank" in remark.remedy


def _rank_of_layer(key: str) -> int:
    _, found, rest = key.partition("layers.")
    return int(rest.split(".")[0]) if found else 0


def test_b59_random_states_by_data_parallel_rank(titan: Path) -> None:
    """NVIDIA-NeMo/Automodel#3437: one random state beside the data of four ranks."""
    write_torch(titan / "step-30" / "rng_dp_rank_0.pt", {"cpu_rng_state": Shape((16,))})
    checkpoint = verdict_of(titan / "step-30")
    assert checkpoint.verdict is Verdict.INEXACT
    assert checkpoint.facts.world_size == 4
    assert "rng of ranks 1–3" in checkpoint.why


def test_b61_damaged_values_are_whole_by_structure(titan: Path) -> None:
    """facebookresearch/metaseq#122: only a checksum can tell, and what was looked at is said."""
    before = verdict_of(titan / "step-30")
    data = titan / "step-30" / "__1_0.distcp"
    values = re.search(rb"/data/0FB.*?Z+", data.read_bytes(), re.DOTALL)
    assert values is not None
    overwrite(data, values.end() + 8, b"\xff" * 18)
    checkpoint = verdict_of(titan / "step-30")
    assert checkpoint.verdict is before.verdict
    assert "the bytes of tensors" in checkpoint.facts.not_checked


def test_b72_files_of_another_node(titan: Path) -> None:
    """pytorch/pytorch#125740: the rank's own file is here, and two that it also reads are not."""
    unlink(titan / "step-30", "__2_0.distcp", "__3_0.distcp")
    checkpoint = verdict_of(titan / "step-30")
    absent = [f for f in checkpoint.findings if f.code == "missing-shard"]
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert checkpoint.missing_ranks == (2, 3)
    assert [found.path for found in absent] == ["__2_0.distcp", "__3_0.distcp"]
    assert "another node's own disk" in absent[0].remedy


def test_b72_what_that_other_node_has(titan: Path) -> None:
    """pytorch/pytorch#125740: no `.metadata`, and ranks that begin at 2."""
    unlink(titan / "step-30", "__0_0.distcp", "__1_0.distcp", ".metadata")
    checkpoint = verdict_of(titan / "step-30")
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    found = finding(checkpoint.findings, "node-local-part")
    assert "ranks 2–3" in found.message
    assert "all nodes" in found.remedy
