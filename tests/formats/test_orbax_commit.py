"""How an Orbax step was committed: names, markers, times, and what the steps beside it show."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from ckpt_tui.formats.base import Claim
from ckpt_tui.formats.claiming import staged
from ckpt_tui.formats.orbax.names import (
    final_name,
    is_step_name,
    is_temporary,
    is_trash,
    process_of,
    processes_by_name,
    started_by_name,
    step_prefix,
)
from ckpt_tui.formats.orbax.reader import OrbaxReader
from tests.faults.states import finding, picture_of, resume_name, run_of, verdict_of
from tests.formats.helpers import copy_of, read_directory

READER = OrbaxReader()
SAMPLES = Path(__file__).parents[2] / "sample_runs" / "orbax"
MARKER = "commit_success.txt"


def rule_of(path: Path) -> tuple[bool | None, str]:
    """(whether the rule is met, which protocol it is)."""
    commit = read_directory(READER, path).commit
    return commit.met, "marker" if "commit-file" in commit.rule else "rename"


def without_markers(path: Path) -> None:
    for marker in path.rglob(MARKER):
        marker.unlink()


@pytest.mark.parametrize(
    ("name", "final", "temporary"),
    [
        ("30.orbax-checkpoint-tmp", "30", True),
        ("30.orbax-checkpoint-tmp-3", "30", True),
        ("0.orbax-checkpoint-tmp-1703334121930256", "0", True),
        ("state.orbax-checkpoint-tmp", "state", True),
        ("checkpoint_00000010", "checkpoint_00000010", False),
    ],
)
def test_temporary_names_of_all_versions(name: str, final: str, temporary: bool) -> None:
    assert (final_name(name), is_temporary(name)) == (final, temporary)
    assert staged(Claim("orbax", f"/run/{name}")) is temporary


def test_the_time_in_a_temporary_name() -> None:
    assert started_by_name("0.orbax-checkpoint-tmp-1703334121930256") == 1703334121.930256
    assert started_by_name("0.orbax-checkpoint-tmp-3") is None
    assert started_by_name("1703334121930256") is None


def test_names() -> None:
    assert (step_prefix("20"), step_prefix("checkpoint_00000020")) == ("", "checkpoint")
    assert is_step_name("step-7")
    assert not is_step_name("params")
    assert [is_trash(name) for name in ("trash", "to_delete", "old.trash", "run", "states")] == [
        True, True, True, False, False,
    ]  # fmt: skip
    assert process_of("ocdbt.process_12") == 12
    assert process_of("process_1-of-4.json") == 1
    assert process_of("process_9999999999") is None
    assert processes_by_name("process_0-of-0.json") is None


def test_a_step_without_its_marker_was_renamed_all_the_same(tmp_path: Path) -> None:
    path = copy_of(SAMPLES / "whole" / "20", tmp_path / "20")
    (path / MARKER).unlink()
    assert rule_of(path) == (True, "rename")


def test_by_the_commit_file_protocol_the_marker_is_all(tmp_path: Path) -> None:
    path = copy_of(SAMPLES / "commit_file_killed" / "10", tmp_path / "10")
    assert rule_of(path) == (True, "marker")
    (path / MARKER).unlink()
    assert rule_of(path) == (False, "marker")


def test_without_a_time_of_the_commit_nothing_was_renamed() -> None:
    assert rule_of(SAMPLES / "commit_file_killed" / "20") == (False, "marker")


@pytest.mark.parametrize(
    ("run", "met", "protocol"), [("whole", True, "rename"), ("commit_file_killed", False, "marker")]
)
def test_the_steps_beside_it_tell(tmp_path: Path, run: str, met: bool, protocol: str) -> None:
    copy_of(SAMPLES / run / "10", tmp_path / "10")
    path = copy_of(SAMPLES / run / "10", tmp_path / "20")
    without_markers(path)
    (path / "_CHECKPOINT_METADATA").unlink()
    assert rule_of(path) == (met, protocol)
    facts = read_directory(READER, path)
    assert [each.path for each in facts.neighbours] == [str(tmp_path / "10" / MARKER)]


def test_alone_it_is_taken_for_a_rename(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / "jax/orbax_0.4.8_legacy_api/30", tmp_path / "30")
    assert rule_of(path) == (True, "rename")


FINISHED_BY_HAND = [
    "orbax_kill_step_before_rename/30.orbax-checkpoint-tmp",
    "orbax_kill_item_before_rename/30.orbax-checkpoint-tmp",
    "orbax_v1free_kill_before_rename/step_30.orbax-checkpoint-tmp",
    "orbax_commit_kill_no_item_marker/30",
]


@pytest.mark.parametrize("place", FINISHED_BY_HAND)
def test_a_whole_save_is_finished_by_the_command_that_is_told(
    corpus: Path, tmp_path: Path, place: str
) -> None:
    run, name = place.split("/")
    copy = copy_of(corpus / "jax_broken" / run, tmp_path / run)
    told = finding(verdict_of(copy / name).findings, "finishable").remedy
    command = told.partition("job writes it: ")[2]
    for part in command.split(" && "):
        subprocess.run(shlex.split(part), check=True, cwd=tmp_path)
    step = verdict_of(copy / final_name(name))
    assert step.verdict == "inexact"
    assert resume_name(run_of(copy)) == final_name(name)


@pytest.mark.parametrize(
    "place",
    [
        "orbax_kill_mid_arrays/30.orbax-checkpoint-tmp",
        "orbax_kill_manifest_lock/30.orbax-checkpoint-tmp",
        "orbax_kill_item_dirs_empty/30.orbax-checkpoint-tmp",
        "orbax_v1_kill_mid_arrays/30.orbax-checkpoint-tmp",
        "orbax_zarr_kill_mid_arrays/30.orbax-checkpoint-tmp",
        "orbax_zarr_kill_lock/30.orbax-checkpoint-tmp",
        "orbax_multiproc_kill_rank0/20.orbax-checkpoint-tmp",
        "orbax_commit_kill_mid_arrays/30",
    ],
)
def test_what_lacks_content_is_not_finishable(corpus: Path, place: str) -> None:
    checkpoint = verdict_of(corpus / "jax_broken" / place)
    assert checkpoint.verdict == "uncommitted"
    assert "finishable" not in {each.code for each in checkpoint.findings}


def test_a_removal_that_was_cut_is_not_to_be_finished(tmp_path: Path) -> None:
    path = copy_of(SAMPLES / "commit_file_killed" / "10", tmp_path / "10")
    (path / MARKER).unlink()
    assert read_directory(READER, path).commit.finish
    (path / "_CHECKPOINT_METADATA").unlink()
    facts = read_directory(READER, path)
    assert (facts.commit.met, facts.commit.finish) == (False, "")
    assert "partly-deleted" in {each.code for each in facts.findings}


def test_an_empty_step_is_told_by_its_siblings(tmp_path: Path) -> None:
    run = copy_of(SAMPLES / "whole", tmp_path / "run")
    shutil.rmtree(run / "20")
    os.mkdir(run / "20")
    assert verdict_of(run / "20").verdict in ("incomplete", "uncommitted")


def test_moved_steps_are_no_run_of_their_own(tmp_path: Path) -> None:
    run = copy_of(SAMPLES / "whole", tmp_path / "run")
    copy_of(run / "10", run / "trash" / "5")
    (only,) = picture_of(run).runs
    assert [c.step for c in only.checkpoints] == [20, 10]


def test_items_with_a_counter_in_their_temporary_names_are_no_run(tmp_path: Path) -> None:
    """Versions before 0.12 end a temporary name with a number, as the names of steps do."""
    step = tmp_path / "10.orbax-checkpoint-tmp-3"
    for item in ("state.orbax-checkpoint-tmp-7", "dataset.orbax-checkpoint-tmp-6"):
        (step / item).mkdir(parents=True)
    (step / "_CHECKPOINT_METADATA").write_text('{"commit_timestamp_nsecs": null}')
    (only,) = picture_of(tmp_path).runs
    assert only.path == str(tmp_path)
    assert [(c.path, c.verdict) for c in only.checkpoints] == [(str(step), "uncommitted")]
