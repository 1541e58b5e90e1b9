"""Public reports of Orbax, as MaxText and Keras use it: saves that were cut or never merged."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Commit, Verdict
from tests.faults.states import codes, copy_of, finding, picture_of, resume_name, run_of, verdict_of

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding

ORBAX = Path(__file__).parents[2] / "sample_runs" / "orbax"


def renamed(source: Path, run: Path, step: int) -> Path:
    return copy_of(source, run / str(step))


def test_b22_a_step_without_its_marker_is_no_commit(tmp_path: Path) -> None:
    """AI-Hypercomputer/maxtext#5260: 1820 was taken for the latest, and stopped the recovery."""
    renamed(ORBAX / "commit_file_killed" / "10", tmp_path, 1800)
    renamed(ORBAX / "commit_file_killed" / "20", tmp_path, 1820)
    run = run_of(tmp_path)
    assert resume_name(run) == "1800"
    cut = verdict_of(tmp_path / "1820")
    assert (cut.verdict, cut.commit) == (Verdict.UNCOMMITTED, Commit.UNCOMMITTED)
    trap: Finding = finding(run.findings, "auto-resume-trap")
    assert "1820" in trap.message
    assert f'CheckpointManager("{tmp_path}").restore(1800' in trap.remedy


def test_b22_saves_that_were_passed_over_leave_a_gap(tmp_path: Path) -> None:
    for step in (1500, 1520, 1540, 1560, 1580, 1600, 1680, 1700):
        renamed(ORBAX / "whole" / "10", tmp_path, step)
    assert "cadence-gap" in codes(run_of(tmp_path).findings)


def test_b24_a_step_that_is_there_under_its_temporary_name_only(tmp_path: Path) -> None:
    """google/orbax#647: 0 was restored before the rename came."""
    name = "0.orbax-checkpoint-tmp-1703334121930256"
    copy_of(ORBAX / "killed" / "20.orbax-checkpoint-tmp", tmp_path / name)
    (tmp_path / name / "_CHECKPOINT_METADATA").unlink()
    checkpoint = verdict_of(tmp_path / name)
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert checkpoint.facts.step == 0
    assert checkpoint.facts.started_at == 1703334121.930256


def test_b25_failed_tries_behind_the_last_good_one(tmp_path: Path) -> None:
    """google/orbax#605: saves fail in the background, and training goes on."""
    renamed(ORBAX / "whole" / "20", tmp_path, 100)
    for step in (200, 300, 400):
        copy_of(
            ORBAX / "killed" / "20.orbax-checkpoint-tmp",
            tmp_path / f"{step}.orbax-checkpoint-tmp-7",
        )
    run = run_of(tmp_path)
    assert resume_name(run) == "100"
    assert [c.step for c in run.rejected_newer] == [400, 300, 200]
    assert {c.verdict for c in run.rejected_newer} == {Verdict.UNCOMMITTED}


def test_b26_databases_that_were_never_merged(corpus: Path, tmp_path: Path) -> None:
    """keras-team/keras#23609: a save that timed out ends like a good one."""
    run = copy_of(corpus / "jax/keras_orbax_checkpoint", tmp_path / "run")
    pytree = run / "2" / "pytree"
    (pytree / "manifest.ocdbt").unlink()
    shutil.rmtree(pytree / "d")
    assert resume_name(run_of(run)) == "1"
    last = verdict_of(run / "2")
    assert last.verdict is Verdict.INCOMPLETE
    assert "pytree/manifest.ocdbt" in last.why


def test_b26_a_last_step_that_is_absent_leaves_the_one_before(corpus: Path, tmp_path: Path) -> None:
    run = copy_of(corpus / "jax/keras_orbax_checkpoint", tmp_path / "run")
    (run / "2").rename(run / "2.orbax-checkpoint-tmp")
    (found,) = picture_of(run).runs
    assert resume_name(found) == "1"
