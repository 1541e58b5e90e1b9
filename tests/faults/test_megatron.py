"""Public reports about Megatron's distributed checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Level, Verdict
from tests.faults.states import SAMPLES, codes, finding, resume_name, run_of, unlink, verdict_of
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import copy_of
from tests.formats.test_megatron_dist import NEW_LAYOUT

if TYPE_CHECKING:
    from pathlib import Path

NEWEST = "iter_0000020"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two ranks that megatron-core wrote, with its tracker."""
    return copy_of(SAMPLES / "megatron-dist" / "tp2", tmp_path / "run")


def test_b30_the_common_state_lies_inside_the_shards(run: Path) -> None:
    """modelscope/ms-swift#9908: newer versions write no common.pt, and the save is whole."""
    newest = run / NEWEST
    for path in newest.iterdir():
        if path.name != "metadata.json":
            path.unlink()
    write_dcp(newest, NEW_LAYOUT)
    checkpoint = verdict_of(newest)
    assert checkpoint.verdict is Verdict.EXACT
    assert not {"missing-role", "missing-shard"} & codes(checkpoint.findings)
    assert checkpoint.step == 50


def test_b30_an_older_layout_without_its_common_state(run: Path) -> None:
    """The same report: where no key holds the common state, common.pt is demanded."""
    unlink(run / NEWEST, "common.pt")
    checkpoint = verdict_of(run / NEWEST)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "common.pt" in checkpoint.why
    assert resume_name(run_of(run)) == "iter_0000010"


def test_b31_a_node_that_has_its_own_shards_only(run: Path) -> None:
    """NVIDIA/Megatron-LM#1530: without `.metadata` and metadata.json the ranks start at one."""
    newest = run / NEWEST
    unlink(newest, ".metadata", "metadata.json", "common.pt", "__0_*.distcp")
    checkpoint = verdict_of(newest)
    assert checkpoint.facts.format == "megatron-dist"
    assert not checkpoint.resumable
    found = finding(checkpoint.findings, "node-local-part")
    assert found.message.startswith("only rank 1 wrote here")
    assert "other nodes' files" in found.remedy
    assert resume_name(run_of(run)) == "iter_0000010"


def test_b32_a_small_common_file_is_no_fault(run: Path) -> None:
    """NVIDIA/Megatron-LM#1405: a common.pt of a few kB beside large shards is as it should be."""
    checkpoint = verdict_of(run / NEWEST)
    sizes = {file.path: file.size_bytes for file in checkpoint.facts.files}
    assert sizes["common.pt"] < max(sizes.values())
    assert (checkpoint.verdict, checkpoint.findings) == (Verdict.EXACT, ())
    assert run_of(run).level is Level.OK
