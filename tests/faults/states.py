"""Builds the on-disk states of public reports from real checkpoints, and asks the store about them.

The sources are the runs of `sample_runs/` and of the `corpus` fixture: real frameworks wrote them.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.store.index import Store
from ckpt_tui.store.members import Options
from tests.formats.helpers import copy_of
from tests.formats.torch_builder import write_torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot


SAMPLES = Path(__file__).parents[2] / "sample_runs"

START = 1_700_000_000.0
"""When the built runs begin, seconds since the epoch: long ago, so that nothing is in flight."""

_AN_HOUR_LATER = 3600.0


# -- asking ---------------------------------------------------------------------------------------


def picture_of(root: Path, **options: object) -> Snapshot:
    """What the store sees an hour later, when nothing that the test wrote moves any more."""
    chosen = Options()._replace(**options)
    return Store(str(root), chosen, wall=lambda: time.time() + _AN_HOUR_LATER).look()


def run_of(root: Path, **options: object) -> Run:
    """The one run below a directory."""
    (run,) = picture_of(root, **options).runs
    return run


def verdict_of(checkpoint: Path, **options: object) -> Checkpoint:
    """One checkpoint, judged among the others of its run."""
    found = picture_of(checkpoint.parent, **options).checkpoints
    return next(c for c in found if c.path == str(checkpoint))


def codes(findings: Iterable[Finding]) -> set[str]:
    """Codes of findings, of a run's (`run.findings`) or a checkpoint's."""
    return {finding.code for finding in findings}


def finding(findings: Iterable[Finding], code: str) -> Finding:
    """The only finding of a code."""
    (found,) = [f for f in findings if f.code == code]
    return found


def resume_name(run: Run) -> str | None:
    """Name of the resume point, or None."""
    return run.resume.facts.name if run.resume else None


# -- building -------------------------------------------------------------------------------------


def stamp(path: Path, at: float) -> Path:
    """Sets the times of a file, or of all in a directory, keeping the order of the originals."""
    found = [path, *path.rglob("*")] if path.is_dir() and not path.is_symlink() else [path]
    times = {entry: entry.lstat().st_mtime_ns for entry in found}
    newest = max(times.values())
    for entry, mtime_ns in times.items():
        moment_ns = int(at * 1e9) - min(newest - mtime_ns, 1_000_000_000)
        os.utime(entry, ns=(moment_ns, moment_ns), follow_symlinks=False)
    return path


def unlink(directory: Path, *patterns: str) -> None:
    """Removes files by pattern; each must match at least one."""
    for pattern in patterns:
        found = [path for path in directory.glob(pattern) if not path.is_dir()]
        assert found, f"{pattern} matches nothing in {directory}"
        for path in found:
            path.unlink()


def series(
    source: Path,
    run: Path,
    steps: Iterable[int],
    restep: Callable[[Path, int], None],
    name: str = "checkpoint-{}",
    seconds_apart: float = 600.0,
) -> list[Path]:
    """Copies of one real checkpoint, each made to be of another step, committed one by one."""
    made = []
    for place, step in enumerate(steps):
        checkpoint = copy_of(source, run / name.format(step))
        restep(checkpoint, step)
        made.append(stamp(checkpoint, START + place * seconds_apart))
    return made


def trainer_series(run: Path, steps: Iterable[int], seconds_apart: float = 600.0) -> list[Path]:
    """A run of the Hugging Face Trainer with checkpoints of these steps."""
    source = SAMPLES / "hf-trainer" / "single" / "checkpoint-20"
    return series(source, run, steps, restep_trainer, seconds_apart=seconds_apart)


def restep_trainer(checkpoint: Path, step: int, save_steps: int | None = None) -> None:
    """Makes a Trainer checkpoint one of another step: in its state, optimizer and scheduler."""
    state = checkpoint / "trainer_state.json"
    document = json.loads(state.read_text())
    before = document["global_step"]
    document |= {"global_step": step, "max_steps": max(step, 1000)}
    document["save_steps"] = save_steps or document["save_steps"]
    _rewrite(checkpoint / "optimizer.pt", struct.pack("<f", before), struct.pack("<f", step))
    scheduler = {"base_lrs": [5e-05], "last_epoch": step, "_step_count": step + 1}
    for path, write in (
        (checkpoint / "scheduler.pt", lambda path: write_torch(path, scheduler)),
        (state, lambda path: path.write_text(json.dumps(document))),
    ):
        times = path.stat()
        write(path)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def edit_json(path: Path, **changes: object) -> None:
    """Changes keys of a JSON file, and leaves its time as it was."""
    times = path.stat()
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def _rewrite(archive: Path, old: bytes, new: bytes) -> None:
    """Replaces the records of a torch file that hold just these bytes."""
    times = archive.stat()
    with zipfile.ZipFile(archive) as source:
        records = {name: source.read(name) for name in source.namelist()}
    with zipfile.ZipFile(archive, "w") as target:
        for name, data in records.items():
            target.writestr(name, new if data == old else data)
    os.utime(archive, ns=(times.st_atime_ns, times.st_mtime_ns))


def rename(path: Path, name: str) -> Path:
    """Renames in place."""
    return path.rename(path.with_name(name))


def drop(path: Path) -> None:
    """Removes a file, a link or a directory."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
