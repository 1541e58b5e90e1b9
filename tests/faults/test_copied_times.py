"""Real runs after a copy without `-a`, or a touch: the times of their files are not the job's."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from tests.faults.states import SAMPLES, START, edit_json, finding, run_of, stamp, trainer_series

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HOUR = 3600.0


def restarts(run: Path) -> list[tuple[int | None, int]]:
    return [(r.from_step, r.reached_step) for r in run_of(run).restarts]


def disagreement(run: Path) -> str:
    return finding(run_of(run).findings, "order-disagrees").message


def manifest_series(run: Path, commits: Sequence[tuple[int, float]], dead: int) -> Path:
    """Checkpoints whose manifests store their time, and a save that died; then all is copied."""
    original = run.with_name("original")
    for step, hours in commits:
        made = original / f"step-{step}"
        shutil.copytree(SAMPLES / "manifest" / "whole" / "step-100", made)
        at = f"2026-01-01T{hours:02.0f}:00:00Z"
        edit_json(made / "manifest.json", step=step, started_at=at, committed_at=at)
    (original / f"step-{dead}").mkdir()
    shutil.copy(made / "model-rank0.bin", original / f"step-{dead}")
    shutil.copytree(original, run, copy_function=shutil.copyfile)
    return run


def test_a_dead_save_in_a_copy_is_no_restart(tmp_path: Path) -> None:
    run = manifest_series(tmp_path / "run", [(100, 1), (200, 3), (300, 4)], dead=150)
    assert restarts(run) == []


def test_stored_times_outlive_a_copy(tmp_path: Path) -> None:
    run = manifest_series(tmp_path / "run", [(100, 1), (300, 3), (500, 5), (400, 6)], dead=150)
    assert restarts(run) == [(300, 500)]


def test_a_copy_that_goes_through_one_after_the_other(tmp_path: Path) -> None:
    at = START
    for checkpoint in trainer_series(tmp_path, (100, 300, 500, 200, 400)):
        for path in sorted(checkpoint.iterdir()):
            at += 5.0 if path.suffix == ".json" else 40.0
            os.utime(path, (at, at))
    assert restarts(tmp_path) == []


def test_a_touch_of_the_oldest(tmp_path: Path) -> None:
    oldest = trainer_series(tmp_path, (100, 200, 300, 400), seconds_apart=HOUR)[0]
    assert restarts(tmp_path) == []
    stamp(oldest, START + 20 * HOUR)
    assert restarts(tmp_path) == []
    assert "or a copy or a touch set the times" in disagreement(tmp_path)


def test_a_job_that_went_back_is_found_by_the_times_of_its_files(tmp_path: Path) -> None:
    trainer_series(tmp_path, (100, 200, 300, 500, 400), seconds_apart=HOUR)
    assert restarts(tmp_path) == [(300, 500)]
    assert disagreement(tmp_path).endswith("the job went back, or two jobs write here")
