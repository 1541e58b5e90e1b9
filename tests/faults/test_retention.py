"""Public reports in which a clean-up removed too much, or the wrong one, or stopped half-way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.thresholds import Thresholds, levels_of
from ckpt_tui.core.vocabulary import Level, Severity, Verdict
from tests.faults.states import (
    SAMPLES,
    START,
    codes,
    copy_of,
    edit_json,
    finding,
    picture_of,
    resume_name,
    run_of,
    stamp,
    trainer_series,
    unlink,
    verdict_of,
)
from tests.formats.torch_builder import write_torch

if TYPE_CHECKING:
    from pathlib import Path


def test_b02_the_export_shows_that_the_job_went_on(tmp_path: Path) -> None:
    """huggingface/transformers#26961: 1100 steps were run, and only 400, 600 and 800 are left."""
    trainer_series(tmp_path, (400, 600, 800))
    for path in (SAMPLES / "hf-trainer" / "single").iterdir():
        if path.is_file():
            stamp(copy_of(path, tmp_path / path.name), START + 3000)
    edit_json(tmp_path / "trainer_state.json", global_step=1100)
    run = run_of(tmp_path)
    gap = finding(run.findings, "cadence-gap")
    assert gap.severity is Severity.WARNING
    assert "step 1000 is absent, though the job reached 1100" in gap.message
    assert resume_name(run) == "checkpoint-800"


def test_b04_text_order_at_a_power_of_ten(tmp_path: Path) -> None:
    """huggingface/transformers#27138: 9000 … 9900 stayed, 10000 and later went at once."""
    trainer_series(tmp_path, range(9000, 10000, 100))
    run = run_of(tmp_path)
    assert resume_name(run) == "checkpoint-9900"
    gap = finding(run.findings, "cadence-gap")
    assert "step 10000 is next" in gap.message
    assert "sorts names as text takes 10000 for the oldest" in gap.message


def test_b04_numbers_are_compared_as_numbers(tmp_path: Path) -> None:
    trainer_series(tmp_path, (9800, 9900, 10000, 10100))
    run = run_of(tmp_path)
    assert [c.step for c in run.checkpoints] == [10100, 10000, 9900, 9800]
    assert codes(run.findings) == set()


@pytest.mark.parametrize("steps", [(), (72, 80, 104)])
def test_b53_a_counter_at_two_digits(tmp_path: Path, corpus: Path, steps: tuple[int, ...]) -> None:
    """huggingface/accelerate#1163: with a limit of three, 8 and 9 stay and only the last joins."""
    run_directory = tmp_path / "checkpoints"
    source = corpus / "torch" / "accelerate_plain" / "checkpoints" / "checkpoint_0"
    for place, counter in enumerate((8, 9, 12)):
        checkpoint = copy_of(source, run_directory / f"checkpoint_{counter}")
        (checkpoint / "custom_checkpoint_0.pkl").unlink()
        if steps:
            write_torch(checkpoint / "custom_checkpoint_0.pkl", {"step": steps[place]})
        stamp(checkpoint, START + place * 600)
    run = run_of(run_directory)
    gap = finding(run.findings, "cadence-gap")
    assert gap.severity is Severity.WARNING
    assert "sorts names as text takes 10 for the oldest" in gap.message
    absent = "steps 88–96 are absent between 80 and 104" if steps else "saves 10–11 are absent"
    assert absent in gap.message
    assert next(c.facts.name for c in run.checkpoints) == "checkpoint_12"


def test_a_run_that_keeps_its_best_and_its_newest_has_no_gap(tmp_path: Path) -> None:
    trainer_series(tmp_path, (1100, 8000, 8100, 8200))
    assert codes(run_of(tmp_path).findings) == set()


def test_b08_a_removal_that_was_cut(tmp_path: Path) -> None:
    """huggingface/transformers#20988: two nodes removed the same old one, and one died of it."""
    oldest, *_ = trainer_series(tmp_path, (100, 200, 300))
    unlink(oldest, "trainer_state.json", "rng_state*.pth")
    judged = verdict_of(oldest)
    assert not judged.resumable
    remark = finding(judged.findings, "partly-deleted")
    assert "Safe to delete" in remark.remedy
    run = run_of(tmp_path)
    assert (resume_name(run), run.level) == ("checkpoint-300", Level.OK)


def test_a_dead_save_of_the_newest_is_no_removal(tmp_path: Path) -> None:
    *_, newest = trainer_series(tmp_path, (100, 200, 300))
    unlink(newest, "trainer_state.json", "rng_state*.pth")
    assert "partly-deleted" not in codes(verdict_of(newest).findings)


def test_w12_old_ones_that_were_thinned_on_purpose(tmp_path: Path) -> None:
    """facebookresearch/fairseq2#605: weights of old ones are kept, the rest is dropped."""
    made = trainer_series(tmp_path, (100, 200, 300, 400))
    for checkpoint in made[:2]:
        unlink(checkpoint, "optimizer.pt", "scheduler.pt", "rng_state*.pth")
    for checkpoint in made[:2]:
        judged = verdict_of(checkpoint)
        assert judged.verdict is Verdict.WEIGHTS_ONLY
        assert "partly-deleted" not in codes(judged.findings)
    run = run_of(tmp_path)
    assert (resume_name(run), run.level) == ("checkpoint-400", Level.OK)


def test_w09_one_good_checkpoint_is_left(tmp_path: Path) -> None:
    """RWKV/RWKV-infctx-trainer#13: a crash in mid-save once destroyed the only one."""
    trainer_series(tmp_path, (100,))
    assert finding(run_of(tmp_path).findings, "too-few-good").severity is Severity.INFO
    trainer_series(tmp_path, (200,))
    assert codes(run_of(tmp_path).findings) == set()


def test_w20_what_was_put_aside_is_not_the_current_run(tmp_path: Path) -> None:
    """NVIDIA-NeMo/RL#3692: told not to resume, a job moves the older ones into run_<n>/."""
    trainer_series(tmp_path / "run_1", (500, 600))
    trainer_series(tmp_path, (100, 200))
    dead = trainer_series(tmp_path / "run_2", (300,))[0]
    unlink(dead, "trainer_state.json")
    snapshot = picture_of(tmp_path)
    assert len(snapshot.runs) == 3
    (current,) = snapshot.current
    assert resume_name(current) == "checkpoint-200"
    assert levels_of(snapshot, Thresholds()) == (Level.OK,)


def test_b73_one_file_of_a_stored_checkpoint_was_removed(tmp_path: Path, corpus: Path) -> None:
    """determined-ai/determined#6901: the platform still lists it as complete."""
    names = ("0a1b2c3d-0000-4000-8000-000000000001", "7f1b2c3d-0000-4000-8000-000000000002")
    for name, step in zip(names, (100, 200), strict=True):
        stored = tmp_path / name
        source = corpus / "torch" / "plain_numbered" / f"ckpt_000{step}.pt"
        copy_of(source, stored / "state_dict.pth")
        (stored / "load_data.json").write_text('{"trial_type": "PyTorchTrial"}')
        (stored / "trial_state.pkl").write_bytes(b"\x80\x04}\x94.")
    assert [c.verdict for c in run_of(tmp_path).checkpoints] == [Verdict.EXACT, Verdict.EXACT]
    unlink(tmp_path / names[1], "load_data.json")
    run = run_of(tmp_path)
    newest = run.checkpoints[0]
    assert newest.verdict is Verdict.INCOMPLETE
    assert "load_data.json is missing" in newest.why
    assert newest.facts.role("model") is not None  # its weights can still be had
    assert resume_name(run) == names[0]


def test_b60_a_part_that_only_the_newest_lacks(tmp_path: Path, corpus: Path) -> None:
    """RLinf/RLinf#1469: without data.pt the loader only warns, and repeats what was consumed."""
    run_directory = copy_of(corpus / "torch" / "verl_like_ws2", tmp_path / "run")
    unlink(run_directory / "global_step_20", "data.pt")
    run = run_of(run_directory)
    assert resume_name(run) == "global_step_10"
    (newest,) = run.rejected_newer
    assert newest.verdict is Verdict.INCOMPLETE
    assert "no dataloader" in newest.why
    assert "global_step_10" in finding(run.findings, "pointer-ahead").remedy
