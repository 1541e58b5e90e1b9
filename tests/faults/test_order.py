"""Public reports in which the order of steps and that of times disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Level, Severity
from tests.faults.states import (
    START,
    codes,
    copy_of,
    finding,
    resume_name,
    run_of,
    stamp,
    trainer_series,
    verdict_of,
)

if TYPE_CHECKING:
    from pathlib import Path

HOUR = 3600.0


def test_b02_a_mount_whose_clock_runs_backwards(tmp_path: Path) -> None:
    """huggingface/transformers#26961: rotation by time removed the newest of 400 … 1000."""
    for checkpoint, hours in zip(trainer_series(tmp_path, (400, 600, 800)), (2, 3, 1), strict=True):
        stamp(checkpoint, START + hours * HOUR)
    run = run_of(tmp_path)
    assert resume_name(run) == "checkpoint-800"
    assert run.level is Level.WARNING
    disagrees = finding(run.findings, "order-disagrees")
    assert "step 600 was committed after step 800" in disagrees.message
    assert "step 1000 is not here" in finding(run.findings, "cadence-gap").message


def test_b03_a_second_job_in_a_used_directory(tmp_path: Path) -> None:
    """huggingface/transformers#37260: the young checkpoint-100 beside an old run's 500 … 700."""
    trainer_series(tmp_path, (500, 600, 700, 100))
    run = run_of(tmp_path)
    mixed = finding(run.findings, "mixed-runs")
    assert mixed.severity is Severity.WARNING
    assert "steps 500–700 had been saved before step 100" in mixed.message
    assert "checkpoint-700" in mixed.remedy
    assert "checkpoint-100" in mixed.remedy
    assert "order-disagrees" in codes(run.findings)
    assert run.level is Level.WARNING


def test_two_jobs_that_write_in_turns(tmp_path: Path) -> None:
    trainer_series(tmp_path, (1000, 110, 1100, 210, 1200, 310))
    assert "mixed-runs" in codes(run_of(tmp_path).findings)


def test_a_job_that_went_back_is_one_run(tmp_path: Path) -> None:
    trainer_series(tmp_path, (100, 200, 300, 250))
    run = run_of(tmp_path)
    assert codes(run.findings) == {"order-disagrees"}
    assert [(r.from_step, r.reached_step) for r in run.restarts] == [(200, 300)]


def test_a_copied_run_is_in_order(tmp_path: Path) -> None:
    """A copy without its times has them in the order of copying, close together."""
    for place, checkpoint in enumerate(reversed(trainer_series(tmp_path, (100, 200, 300)))):
        stamp(checkpoint, START + place * 0.5)
    run = run_of(tmp_path)
    assert codes(run.findings) == set()
    assert run.restarts == ()


def test_b55_a_counter_that_began_anew(tmp_path: Path, corpus: Path) -> None:
    """huggingface/accelerate#3306: after checkpoint_5 was loaded, the next save is checkpoint_0."""
    run_directory = _counted(tmp_path, corpus, (4, 5, 0))
    run = run_of(run_directory)
    assert resume_name(run) == "checkpoint_0"
    assert run.resume is not None
    assert run.resume.step == 24  # by the step inside, not by the counter
    trap = finding(run.findings, "auto-resume-trap")
    assert "checkpoint_5" in trap.message
    assert str(run_directory / "checkpoint_0") in trap.remedy


def test_b55_where_no_step_is_inside_the_counter_and_the_times_disagree(
    tmp_path: Path, corpus: Path
) -> None:
    run_directory = _counted(tmp_path, corpus, (4, 5, 0))
    for checkpoint in run_directory.iterdir():
        (checkpoint / "custom_checkpoint_0.pkl").unlink()
    disagrees = finding(run_of(run_directory).findings, "order-disagrees")
    assert "checkpoint_0" in disagrees.remedy
    assert "checkpoint_5" in disagrees.remedy


def test_b44_two_tries_of_one_save_in_one_checkpoint(tmp_path: Path, corpus: Path) -> None:
    """ray-project/ray#41700: a retried upload of the same number, with a score in the name."""
    source = corpus / "torch" / "plain_numbered"
    mixed = tmp_path / "trial" / "checkpoint_000000"
    stamp(copy_of(source / "ckpt_000100.pt", mixed / "ckpt-loss=0.123.pt"), START)
    stamp(copy_of(source / "ckpt_000100.pt", mixed / "ckpt-loss=0.119.pt"), START + HOUR)
    whole = tmp_path / "trial" / "checkpoint_000001"
    stamp(copy_of(source / "ckpt_000200.pt", whole / "ckpt-loss=0.110.pt"), START + 2 * HOUR)
    remark = finding(verdict_of(mixed).findings, "mixed-saves")
    assert remark.severity is Severity.WARNING
    assert "ckpt-loss=0.119.pt hold the same state, written 1h 00m apart" in remark.message
    assert resume_name(run_of(tmp_path)) == "checkpoint_000001"
    # Ray counts reports in the names: that is not the step, and no contradiction.
    assert codes(verdict_of(whole).findings) == set()


def _counted(tmp_path: Path, corpus: Path, counters: tuple[int, ...]) -> Path:
    """accelerate's checkpoint_0 … under other numbers, saved in this order."""
    run_directory = tmp_path / "checkpoints"
    source = corpus / "torch" / "accelerate_plain" / "checkpoints"
    for place, counter in enumerate(counters):
        copied = copy_of(source / f"checkpoint_{place}", run_directory / f"checkpoint_{counter}")
        stamp(copied, START + place * HOUR)
    return run_directory
