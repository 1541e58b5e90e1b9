"""Public reports in which what names the latest checkpoint is wrong; each is judged apart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Level, PointerState, Severity, Verdict
from tests.faults.states import codes, copy_of, drop, finding, rename, resume_name, run_of, unlink

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.runs import Run


def states(run: Run) -> dict[str, PointerState]:
    return {pointer.path.rpartition("/")[2]: pointer.state for pointer in run.pointers}


def titan(corpus: Path, target: Path) -> Path:
    return copy_of(corpus / "torch" / "dcp_titan_ws4" / "checkpoint", target / "checkpoint")


def test_b17_latest_leads_to_a_save_that_never_ended(tmp_path: Path, corpus: Path) -> None:
    """KempnerInstitute/KempnerForge#102: link and clean-up run before the async save is done."""
    run_directory = titan(corpus, tmp_path)
    unlink(run_directory / "step-30", ".metadata")
    (run_directory / "latest").symlink_to("step-30")
    run = run_of(run_directory)
    assert resume_name(run) == "step-20"
    ahead = finding(run.findings, "pointer-ahead")
    assert "step-20" in ahead.remedy

    drop(run_directory / "step-20")
    drop(run_directory / "step-10")
    run = run_of(run_directory)
    assert (run.resume, run.level) == (None, Level.CRITICAL)
    ahead = finding(run.findings, "pointer-ahead")
    assert ahead.severity is Severity.ERROR
    assert "Nothing here can be resumed from" in ahead.remedy


def test_b28_the_tracker_names_what_the_clean_up_removed(tmp_path: Path, corpus: Path) -> None:
    """NVIDIA-NeMo/Megatron-Bridge#5184: only a half-written one is left, tracker one older."""
    run_directory = copy_of(corpus / "torch_broken" / "megatron_sigkill_in_data", tmp_path / "run")
    drop(run_directory / "iter_0000010")
    run = run_of(run_directory)
    assert (run.resume, run.level) == (None, Level.CRITICAL)
    assert [c.verdict for c in run.checkpoints] == [Verdict.UNCOMMITTED]
    dangling = finding(run.findings, "pointer-dangling")
    assert dangling.severity is Severity.ERROR
    assert "(10)" in dangling.message
    assert "Nothing here can be resumed from" in dangling.remedy


def test_b28_with_a_whole_one_the_flag_names_it(tmp_path: Path, corpus: Path) -> None:
    source = corpus / "torch" / "megatron_torch_dist_tp2"
    run_directory = copy_of(source, tmp_path / "run")
    drop(run_directory / "iter_0000030")
    run = run_of(run_directory)
    assert states(run) == {"latest_checkpointed_iteration.txt": PointerState.DANGLING}
    assert "--ckpt-step 20" in finding(run.findings, "pointer-dangling").remedy


def test_the_tracker_may_say_release(tmp_path: Path, corpus: Path) -> None:
    source = corpus / "torch" / "megatron_torch_dist_tp2"
    run_directory = copy_of(source, tmp_path / "run")
    (run_directory / "latest_checkpointed_iteration.txt").write_text("release\n")
    assert states(run_of(run_directory)) == {
        "latest_checkpointed_iteration.txt": PointerState.DANGLING
    }
    rename(run_directory / "iter_0000030", "release")
    run = run_of(run_directory)
    assert states(run) == {"latest_checkpointed_iteration.txt": PointerState.OK}
    assert "pointer-dangling" not in codes(run.findings)


def test_b37_each_pointer_to_a_marked_one_is_broken(tmp_path: Path, corpus: Path) -> None:
    """NVIDIA-NeMo/Automodel#3261: LATEST is right, LOWEST_VAL leads to a save in progress."""
    run_directory = titan(corpus, tmp_path)
    for step in (10, 20, 30):
        rename(run_directory / f"step-{step}", f"epoch_0_step_{step}")
    (run_directory / "epoch_0_step_20-unfinished").touch()
    (run_directory / "LATEST").symlink_to("epoch_0_step_30")
    (run_directory / "LOWEST_VAL.txt").write_text("epoch_0_step_20\n")
    run = run_of(run_directory)
    assert resume_name(run) == "epoch_0_step_30"
    assert states(run) == {"LATEST": PointerState.OK, "LOWEST_VAL.txt": PointerState.AHEAD}
    assert finding(run.findings, "pointer-ahead").path.endswith("LOWEST_VAL.txt")


def test_a_pointer_to_the_best_may_be_older(tmp_path: Path, corpus: Path) -> None:
    run_directory = titan(corpus, tmp_path)
    (run_directory / "LOWEST_VAL").write_text("step-10")
    (run_directory / "latest").symlink_to("step-30")
    assert codes(run_of(run_directory).findings) == set()


def test_b39_a_link_to_itself(tmp_path: Path, corpus: Path) -> None:
    """Lightning-AI/pytorch-lightning#21110: save_last="link" made last.ckpt a link to itself."""
    run_directory = lightning(tmp_path, corpus)
    (run_directory / "last.ckpt").symlink_to("last.ckpt")
    run = run_of(run_directory)
    assert states(run) == {"last.ckpt": PointerState.LOOP}
    assert "link to itself" in finding(run.findings, "pointer-unreadable").message
    assert resume_name(run) == "epoch=2-step=12-val_loss=3.362.ckpt"


def test_a_loop_of_several_links_is_told_for_each(tmp_path: Path, corpus: Path) -> None:
    run_directory = lightning(tmp_path, corpus)
    (run_directory / "last.ckpt").symlink_to("latest.ckpt")
    (run_directory / "latest.ckpt").symlink_to("last.ckpt")
    assert set(states(run_of(run_directory)).values()) == {PointerState.LOOP}


def test_b40_last_leads_to_the_best(tmp_path: Path, corpus: Path) -> None:
    """Lightning-AI/pytorch-lightning#19189: a resume from last.ckpt would go back."""
    run_directory = lightning(tmp_path, corpus)
    rename(run_directory / "epoch=1-step=8-val_loss=3.363.ckpt", "best_model.ckpt")
    (run_directory / "last.ckpt").symlink_to("best_model.ckpt")
    run = run_of(run_directory)
    assert states(run) == {"last.ckpt": PointerState.STALE}
    stale = finding(run.findings, "pointer-stale")
    assert "best_model.ckpt" in stale.message
    assert "epoch=2-step=12-val_loss=3.362.ckpt" in stale.remedy


def test_b40_as_a_copy(tmp_path: Path, corpus: Path) -> None:
    """A full copy is no link, but a job that asks for the last one goes back all the same."""
    source = corpus / "torch" / "lightning_single" / "checkpoints"
    run_directory = lightning(tmp_path, corpus)
    copy_of(source / "last.ckpt", run_directory / "last.ckpt")
    run = run_of(run_directory)
    assert states(run) == {"last.ckpt": PointerState.OK}
    assert codes(run.findings) == set()
    drop(run_directory / "last.ckpt")
    copy_of(source / "epoch=1-step=8-val_loss=3.363.ckpt", run_directory / "last.ckpt")
    run = run_of(run_directory)
    assert states(run) == {"last.ckpt": PointerState.STALE}
    stale = finding(run.findings, "pointer-stale")
    assert "copy of an older checkpoint" in stale.message
    assert "epoch=2-step=12-val_loss=3.362.ckpt" in stale.remedy


def test_b42_the_link_was_uploaded_before_the_shards(tmp_path: Path, corpus: Path) -> None:
    """mosaicml/composer#3376: the small file that stands for a link came first to the store."""
    run_directory = titan(corpus, tmp_path)
    for step in (10, 20, 30):
        rename(run_directory / f"step-{step}", f"ep0-ba{step}")
    (run_directory / "latest-rank0.pt.symlink").write_text("ep0-ba30/__0_0.distcp")
    assert states(run_of(run_directory)) == {"latest-rank0.pt.symlink": PointerState.OK}
    unlink(run_directory / "ep0-ba30", "__3_*.distcp")
    run = run_of(run_directory)
    assert states(run) == {"latest-rank0.pt.symlink": PointerState.AHEAD}
    assert resume_name(run) == "ep0-ba20"
    (newest,) = run.rejected_newer
    assert "rank 3" in finding(newest.findings, "missing-shard").message


def test_links_per_rank_are_judged_apart(tmp_path: Path, corpus: Path) -> None:
    source = corpus / "torch" / "plain_numbered"
    for batch in (100, 200):
        for rank in (0, 1):
            target = tmp_path / f"ep0-ba{batch}-rank{rank}.pt"
            copy_of(source / f"ckpt_000{batch}.pt", target)
    (tmp_path / "latest-rank0.pt").symlink_to("ep0-ba200-rank0.pt")
    (tmp_path / "latest-rank1.pt").symlink_to("ep0-ba100-rank1.pt")
    run = run_of(tmp_path)
    assert states(run) == {
        "latest-rank0.pt": PointerState.OK,
        "latest-rank1.pt": PointerState.STALE,
    }
    assert finding(run.findings, "pointer-stale").path.endswith("latest-rank1.pt")


def test_b45_the_state_file_names_what_rotation_removed(tmp_path: Path, corpus: Path) -> None:
    """ray-project/ray#27790: the state is written more seldom than checkpoints are rotated."""
    source = corpus / "torch" / "plain_numbered"
    for number, step in ((3, 200), (4, 300)):
        copy_of(source / f"ckpt_000{step}.pt", tmp_path / f"checkpoint_00000{number}" / "model.pt")
    state = {"checkpoint_dir_name": "checkpoint_000002", "metrics": {}}
    document = {"latest_checkpoint_result": state, "checkpoint_results": [state]}
    (tmp_path / "checkpoint_manager_snapshot.json").write_text(json.dumps(document))
    run = run_of(tmp_path)
    dangling = finding(run.findings, "pointer-dangling")
    assert "checkpoint_000002" in dangling.message
    assert "checkpoint_000004" in dangling.remedy
    assert resume_name(run) == "checkpoint_000004"


def test_a_state_file_that_was_cut_is_unreadable(tmp_path: Path, corpus: Path) -> None:
    copy_of(
        corpus / "torch" / "plain_numbered" / "ckpt_000300.pt",
        tmp_path / "checkpoint_000001" / "model.pt",
    )
    for text in ("", "{", "[]", '{"latest_checkpoint_result": {"checkpoint_dir_name": "../x"}}'):
        (tmp_path / "checkpoint_manager_snapshot.json").write_text(text)
        expected = [] if text.endswith("}}") else [PointerState.UNREADABLE]
        assert list(states(run_of(tmp_path)).values()) == expected


def lightning(tmp_path: Path, corpus: Path) -> Path:
    """Lightning's two checkpoints, without the copy of the last."""
    source = corpus / "torch" / "lightning_single" / "checkpoints"
    run_directory = copy_of(source, tmp_path / "checkpoints")
    drop(run_directory / "last.ckpt")
    return run_directory
