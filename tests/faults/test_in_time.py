"""Public reports that need a second look: what is seen now may be whole in a moment."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Level, Verdict
from ckpt_tui.store.index import Store
from tests.faults.states import (
    codes,
    copy_of,
    finding,
    resume_name,
    run_of,
    stamp,
    unlink,
    verdict_of,
)
from tests.formats.helpers import cut

if TYPE_CHECKING:
    from pathlib import Path


def test_b18_one_client_sees_a_part_for_a_moment(tmp_path: Path, corpus: Path) -> None:
    """KempnerInstitute/KempnerForge#49: on a network mount the last files show up late."""
    source = corpus / "torch" / "dcp_titan_ws4" / "checkpoint" / "step-30"
    checkpoint = copy_of(source, tmp_path / "checkpoint" / "step-30")
    stamp(checkpoint, time.time())
    hidden = tmp_path / "hidden"
    (checkpoint / ".metadata").rename(hidden)
    store = Store(str(tmp_path / "checkpoint"))
    (first,) = store.look().checkpoints
    assert first.verdict is Verdict.SAVING
    assert store.unsettled()
    hidden.rename(checkpoint / ".metadata")
    (second,) = store.look().checkpoints
    assert second.resumable
    assert not store.unsettled()


def test_b17_in_flight_or_dead_is_told_by_growth(tmp_path: Path, corpus: Path) -> None:
    """KempnerInstitute/KempnerForge#102: the target of `latest` while it is written, and after."""
    source = corpus / "torch" / "dcp_titan_ws4" / "checkpoint" / "step-30"
    run_directory = tmp_path / "checkpoint"
    checkpoint = copy_of(source, run_directory / "step-30")
    unlink(checkpoint, ".metadata")
    (run_directory / "latest").symlink_to("step-30")
    stamp(checkpoint, time.time())
    clock = [0.0]
    store = Store(str(run_directory), monotonic=lambda: clock[0], wall=lambda: time.time())
    (run,) = store.look().runs
    assert run.in_flight is not None
    assert "Wait for" in finding(run.findings, "pointer-ahead").remedy
    later = time.time() + 3600
    quiet = Store(str(run_directory), wall=lambda: later)
    (run,) = quiet.look().runs
    assert run.in_flight is None
    assert run.level is Level.CRITICAL


def test_b78_a_temporary_file_of_a_write_that_failed(tmp_path: Path, corpus: Path) -> None:
    """rwth-i6/returnn#1829: one write failed, and the temporary file of it stayed."""
    source = corpus / "torch" / "plain_numbered"
    copy_of(source / "ckpt_000100.pt", tmp_path / "epoch.001.pt")
    copy_of(source / "ckpt_000200.pt", tmp_path / "epoch.002.pt")
    left = copy_of(source / "ckpt_000300.pt", tmp_path / "epoch.003.pt.tmp")
    cut(left, 20_000)
    run = run_of(tmp_path)
    assert resume_name(run) == "epoch.002.pt"
    (newest,) = [c for c in run.checkpoints if c.facts.name == "epoch.003.pt.tmp"]
    assert newest.verdict in (Verdict.UNCOMMITTED, Verdict.CORRUPT)
    assert newest.facts.staging
    assert codes(newest.findings) & {"staging-leftover", "not-committed"}


def test_w15_a_save_under_way_says_how_far_it_is(tmp_path: Path, corpus: Path) -> None:
    """PrimeIntellect-ai/prime-rl#2664: operators should not kill a job while it saves."""
    source = corpus / "torch" / "dcp_titan_ws4" / "checkpoint"
    run_directory = copy_of(source, tmp_path / "checkpoint")
    unlink(run_directory / "step-30", ".metadata")
    big = max((run_directory / "step-30").glob("*.distcp"), key=lambda path: path.stat().st_size)
    cut(big, 10)
    os.utime(big)
    (run,) = Store(str(run_directory)).look().runs
    assert run.level is Level.OK
    assert run.in_flight is not None
    assert run.in_flight.progress is not None
    assert 0 < (run.in_flight.progress.fraction or 0) < 1


@pytest.mark.parametrize("missing_bytes", [1, 8, 20_000])
def test_b41_a_legacy_file_that_a_kill_cut(
    tmp_path: Path, corpus: Path, missing_bytes: int
) -> None:
    """Lightning-AI/pytorch-lightning#688: no central directory tells, only the storages' sizes."""
    run_directory = copy_of(corpus / "torch" / "plain_legacy_nonzip", tmp_path / "run")
    newest = run_directory / "ckpt_000300.pt"
    cut(newest, newest.stat().st_size - missing_bytes)
    judged = verdict_of(newest)
    assert judged.verdict is Verdict.CORRUPT
    assert "truncated-file" in codes(judged.findings)
    assert resume_name(run_of(run_directory)) == "ckpt_000200.pt"
