"""Public reports in which a framework, left alone, takes a broken one, or begins at step 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli.app import run as command
from ckpt_tui.core.vocabulary import Level, Severity, Verdict
from tests.faults.states import (
    SAMPLES,
    codes,
    copy_of,
    drop,
    finding,
    rename,
    resume_name,
    run_of,
    trainer_series,
    unlink,
)
from tests.formats.helpers import cut

if TYPE_CHECKING:
    from pathlib import Path

PLACES = {
    "deepspeed": ("deepspeed_zero1_ws2", "latest", "tag="),
    "megatron-dist": (
        "megatron_torch_dist_tp2",
        "latest_checkpointed_iteration.txt",
        "--ckpt-step",
    ),
}


def test_b01_the_highest_number_is_half_written(tmp_path: Path) -> None:
    """huggingface/transformers#35782: automatic resume never falls back to the older whole one."""
    *_, newest = trainer_series(tmp_path, (100, 200, 300))
    unlink(newest, "trainer_state.json", "scheduler.pt", "rng_state*.pth")
    run = run_of(tmp_path)
    assert resume_name(run) == "checkpoint-200"
    assert run.level is Level.WARNING
    (rejected,) = run.rejected_newer
    assert rejected.verdict is Verdict.UNCOMMITTED
    trap = finding(run.findings, "auto-resume-trap")
    assert "checkpoint-300 (uncommitted)" in trap.message
    assert f"--resume_from_checkpoint {tmp_path}/checkpoint-200" in trap.remedy


def test_the_trainer_does_not_look_at_other_names(tmp_path: Path) -> None:
    """`get_last_checkpoint` matches checkpoint-N alone: what was put aside is not the latest."""
    *_, newest = trainer_series(tmp_path, (100, 200))
    newest.rename(tmp_path / "keep-200")
    run = run_of(tmp_path)
    assert resume_name(run) == "keep-200"
    assert "takes checkpoint-100" in finding(run.findings, "auto-resume-trap").message


def test_a_link_beside_the_checkpoints_is_no_tracker(tmp_path: Path, corpus: Path) -> None:
    """Megatron reads its tracker alone; without it training starts from step 0."""
    sample, tracker, flag = PLACES["megatron-dist"]
    directory = copy_of(corpus / "torch" / sample, tmp_path / "run")
    drop(directory / tracker)
    newest = max(place.name for place in directory.iterdir() if place.is_dir())
    (directory / "best").symlink_to(newest)
    assert flag in finding(run_of(directory).findings, "starts-from-zero").remedy


@pytest.mark.parametrize("format_name", PLACES)
def test_w06_without_the_file_that_names_it_a_job_starts_from_zero(
    tmp_path: Path, corpus: Path, format_name: str
) -> None:
    """facebookresearch/metaseq#602: a job should stop rather than begin anew in silence."""
    run_name, pointer, flag = PLACES[format_name]
    run_directory = copy_of(corpus / "torch" / run_name, tmp_path / "run")
    assert codes(run_of(run_directory).findings) == set()
    drop(run_directory / pointer)
    run = run_of(run_directory)
    assert run.format == format_name
    assert run.level is Level.WARNING
    assert flag in finding(run.findings, "starts-from-zero").remedy


def test_w06_a_first_save_that_died_is_passed_over(tmp_path: Path, corpus: Path) -> None:
    source = corpus / "torch_broken" / "deepspeed_z1_sigkill_in_optim"
    run_directory = copy_of(source, tmp_path / "run")
    drop(run_directory / "latest")
    drop(run_directory / "global_step5")
    run = run_of(run_directory)
    assert (run.resume, run.level) == (None, Level.CRITICAL)
    found = finding(run.findings, "starts-from-zero")
    assert found.severity is Severity.ERROR
    assert "each restart begins at step 0 silently" in found.message


@pytest.mark.parametrize("kind", ["file", "directory"])
def test_b35_the_only_one_is_marked_unfinished(tmp_path: Path, corpus: Path, kind: str) -> None:
    """NVIDIA-NeMo/Speech#10228: each start skipped it and trained from scratch, many times."""
    if kind == "file":
        source = corpus / "torch" / "lightning_single" / "checkpoints" / "last.ckpt"
        copy_of(source, tmp_path / "megatron--step=12-last.ckpt")
    else:
        source = corpus / "torch" / "megatron_torch_dist_tp2" / "iter_0000030"
        copy_of(source, tmp_path / "megatron--step=30-last")
    step = 12 if kind == "file" else 30
    marker = tmp_path / f"megatron--step={step}-last-unfinished"
    marker.touch()
    run = run_of(tmp_path)
    assert (run.resume, run.level) == (None, Level.CRITICAL)
    (only,) = run.checkpoints
    assert only.verdict is Verdict.UNCOMMITTED
    assert "finishable" in codes(only.findings)
    found = finding(run.findings, "starts-from-zero")
    assert found.severity is Severity.ERROR
    assert f"rm {marker}" in found.remedy

    drop(marker)
    assert run_of(tmp_path).resume is not None


def test_b34_a_marker_beside_an_older_whole_one(tmp_path: Path, corpus: Path) -> None:
    """NVIDIA-NeMo/Speech#7952: a marked one is not committed, even with every shard there."""
    source = corpus / "torch" / "megatron_torch_dist_tp2"
    copy_of(source / "iter_0000020", tmp_path / "megatron--step=20")
    copy_of(source / "iter_0000030", tmp_path / "megatron--step=30-last")
    (tmp_path / "megatron--step=30-last-unfinished").touch()
    run = run_of(tmp_path)
    assert resume_name(run) == "megatron--step=20"
    assert "starts-from-zero" not in codes(run.findings)


def test_w10_counters_have_a_latest_too(tmp_path: Path, corpus: Path) -> None:
    """huggingface/accelerate#1601: what names folders by itself should find the latest itself."""
    source = corpus / "torch" / "accelerate_plain" / "checkpoints"
    run_directory = copy_of(source, tmp_path / "checkpoints")
    rename(run_directory / "checkpoint_2", "checkpoint_10")
    run = run_of(run_directory)
    assert resume_name(run) == "checkpoint_10"
    assert "auto-resume-trap" not in codes(run.findings)


def test_w02_and_w21_none_yet_is_not_broken(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """huggingface/transformers#40790, Lightning-AI/pytorch-lightning#4366."""
    assert command(["latest", str(tmp_path)]) == 4
    copy_of(SAMPLES / "hf-trainer" / "killed" / "checkpoint-20", tmp_path / "checkpoint-20")
    assert command(["latest", str(tmp_path), "--settle", "0"]) == 2
    trainer_series(tmp_path, (10,))
    capfd.readouterr()
    assert command(["latest", str(tmp_path), "--settle", "0"]) == 0
    assert capfd.readouterr().out == f"{tmp_path}/checkpoint-10\n"
    assert command(["latest", str(tmp_path / "not-there")]) == 3


def test_w20_latest_takes_the_current_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """NVIDIA-NeMo/RL#3692: what lies in run_<n>/ is not asked about."""
    trainer_series(tmp_path, (100,))
    trainer_series(tmp_path / "run_1", (900,))
    assert command(["latest", str(tmp_path), "--settle", "0"]) == 0
    assert capfd.readouterr().out == f"{tmp_path}/checkpoint-100\n"


def test_torchtitan_takes_the_highest_with_an_index_though_a_shard_is_cut(
    tmp_path: Path, corpus: Path
) -> None:
    source = corpus / "torch" / "dcp_titan_ws4" / "checkpoint"
    run_directory = copy_of(source, tmp_path / "checkpoint")
    cut(run_directory / "step-30" / "__2_0.distcp", 100)
    trap = finding(run_of(run_directory).findings, "auto-resume-trap")
    assert "step-30 (corrupt)" in trap.message
    assert "step-20" in trap.remedy

    unlink(run_directory / "step-30", ".metadata")  # passed over, so no trap
    run = run_of(run_directory)
    assert resume_name(run) == "step-20"
    assert "auto-resume-trap" not in codes(run.findings)


def test_verl_without_its_tracker_trains_from_scratch(tmp_path: Path, corpus: Path) -> None:
    run_directory = copy_of(corpus / "torch" / "verl_like_ws2", tmp_path / "run")
    assert "starts-from-zero" not in codes(run_of(run_directory).findings)
    drop(run_directory / "latest_checkpointed_iteration.txt")
    found = finding(run_of(run_directory).findings, "starts-from-zero")
    assert f"resume_from_path={run_directory}/global_step_20" in found.remedy
