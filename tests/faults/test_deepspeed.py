"""Public reports about DeepSpeed's step directories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.vocabulary import Level, Verdict
from tests.faults.states import (
    codes,
    finding,
    picture_of,
    resume_name,
    run_of,
    trainer_series,
    unlink,
    verdict_of,
)
from tests.formats.deepspeed_builder import write_step, write_universal
from tests.formats.helpers import copy_of, cut

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.findings import Finding


@pytest.fixture
def stage_three(corpus: Path, tmp_path: Path) -> Path:
    """A real step of ZeRO stage 3, of two ranks."""
    source = corpus / "torch" / "deepspeed_zero3_ws2" / "global_step10"
    return copy_of(source, tmp_path / "run" / "global_step10")


def test_b13_a_workers_directory_holds_no_model(tmp_path: Path) -> None:
    """EleutherAI/gpt-neox#765: ranks 8 to 15 keep their partitions on a disk of their own."""
    worker = write_step(tmp_path / "run" / "global_step10", 1, dp=16, step=10)
    unlink(worker, "mp_rank_00_model_states.pt", *(f"*pp_rank_{rank}_*" for rank in range(8)))
    checkpoint = verdict_of(worker)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "model" in checkpoint.missing_roles
    found = finding(checkpoint.findings, "node-local-part")
    assert "ranks 8–15 of 16" in found.message
    assert "Bring the other nodes' files" in found.remedy


def test_b13_the_main_directory_lacks_the_workers_partitions(tmp_path: Path) -> None:
    """EleutherAI/gpt-neox#765: the main node has the model, and half of the optimizer."""
    main = write_step(tmp_path / "run" / "global_step10", 1, dp=16, step=10)
    unlink(main, *(f"*pp_rank_{rank}_*" for rank in range(8, 16)))
    checkpoint = verdict_of(main)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert checkpoint.missing_ranks == tuple(range(8, 16))
    assert "16 ranks (`dp_world_size`" in checkpoint.why


def test_b14_model_states_of_rank_zero_only(stage_three: Path) -> None:
    """deepspeedai/DeepSpeed#7546: in stage 3 each rank has a model file beside its partition."""
    assert verdict_of(stage_three).verdict is Verdict.EXACT
    unlink(stage_three, "zero_pp_rank_1_mp_rank_00_model_states.pt")
    checkpoint = verdict_of(stage_three)
    found = finding(checkpoint.findings, "missing-shard")
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert found.path == "zero_pp_rank_1_mp_rank_00_model_states.pt"
    assert "ZeRO stage 3 wants one for each of 2 ranks" in found.message


@pytest.mark.parametrize("source", ["checkpoint-20", "global_step20"])
def test_b15_a_conversion_that_was_cut_is_no_attempt(tmp_path: Path, source: str) -> None:
    """deepspeedai/DeepSpeed#5405: half a universal copy lies beside its whole source."""
    if source == "checkpoint-20":
        trainer_series(tmp_path, (10, 20))
    else:
        write_step(tmp_path / source, 1, step=20)
        (tmp_path / "latest").write_text(source)
    copy = write_universal(tmp_path / f"{source}_universal", step=20)
    unlink(copy, "mp_rank_00_model_states.pt", "zero/optimizer_state.pt")
    snapshot = picture_of(tmp_path)
    found = verdict_of(copy)
    assert found.verdict is Verdict.INCOMPLETE
    assert "was not finished" in found.why
    assert "ds_to_universal" in finding_of(found.findings, "optimizer_state.pt").remedy
    (run,) = [run for run in snapshot.runs if run.resume is not None]
    assert resume_name(run) == source
    assert all(run.level in (Level.OK, Level.EMPTY) for run in snapshot.runs)


def test_b15_whole_at_its_own_world_size_only(tmp_path: Path) -> None:
    """deepspeedai/DeepSpeed#5405: another number of ranks needs the conversion first."""
    step = write_step(tmp_path / "run" / "global_step3", 2, dp=2, step=3)
    assert verdict_of(step).resumable
    (run,) = picture_of(step.parent, requirements=Requirements(world_size=4)).runs
    assert "ds_to_universal" in finding(run.checkpoints[0].findings, "world-size-mismatch").remedy


def test_b59_random_states_of_data_parallel_ranks_only(tmp_path: Path, corpus: Path) -> None:
    """NVIDIA-NeMo/Automodel#3437: fewer random states than the partitions tell ranks."""
    source = corpus / "torch" / "deepspeed_zero1_ws2" / "global_step10"
    step = copy_of(source, tmp_path / "run" / "global_step10")
    checkpoint = verdict_of(step)
    assert checkpoint.verdict is Verdict.INEXACT
    assert "rng of rank 1" in checkpoint.why
    assert checkpoint.facts.world_size == 2


def test_b72_partitions_of_the_other_node(tmp_path: Path, corpus: Path) -> None:
    """pytorch/pytorch#125740: what one node sees of a step is not enough for its own ranks."""
    source = corpus / "torch" / "deepspeed_zero1_ws2"
    run_directory = copy_of(source, tmp_path / "run")
    unlink(run_directory, "*/*rank_1_*optim_states.pt")
    run = run_of(run_directory)
    assert run.level is Level.CRITICAL
    assert {c.verdict for c in run.checkpoints} == {Verdict.INCOMPLETE}
    assert all("missing-shard" in codes(c.findings) for c in run.checkpoints)


def test_b65_the_disk_filled_while_a_rank_wrote(stage_three: Path) -> None:
    """verl-project/verl#3346: 88 bytes are missing at the end of one rank's file."""
    name = "bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"
    cut(stage_three / name, (stage_three / name).stat().st_size - 88)
    checkpoint = verdict_of(stage_three)
    assert checkpoint.verdict is Verdict.CORRUPT
    assert finding(checkpoint.findings, "truncated-file").path == name


def finding_of(findings: tuple[Finding, ...], ending: str) -> Finding:
    """The finding about a file."""
    return next(found for found in findings if found.path.endswith(ending))
