"""Public reports about plain files of `torch.save`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Level, Verdict
from tests.faults.states import SAMPLES, START, codes, finding, picture_of, resume_name, run_of
from tests.formats.helpers import copy_of, cut
from tests.formats.torch_builder import OPTIMIZER, WEIGHTS, write_torch

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint


def test_b74_the_disk_ran_full(tmp_path: Path) -> None:
    """sml2h3/dddd_trainer#36: the newest file has no end; the one before it is the resume point."""
    run = copy_of(SAMPLES / "torch-file" / "numbered", tmp_path / "run")
    newest = run / "ckpt_000300.pt"
    cut(newest, newest.stat().st_size // 3)
    judged = run_of(run)
    assert judged.checkpoints[0].verdict is Verdict.CORRUPT
    found = finding(judged.checkpoints[0].findings, "truncated-file")
    assert found.path == "ckpt_000300.pt"
    assert "another checkpoint" in found.remedy
    assert (resume_name(judged), judged.level) == ("ckpt_000200.pt", Level.WARNING)
    assert picture_of(run).free_bytes is not None


def shards(run: Path, stem: str, count: int) -> None:
    for shard in range(count):
        state = {"model": WEIGHTS, "optimizer": OPTIMIZER, "num_updates": 22750}
        path = write_torch(run / f"{stem}-shard{shard}.pt", state)
        os.utime(path, (START, START))


def of_stem(run: Path, stem: str) -> Checkpoint:
    return next(c for c in picture_of(run).checkpoints if c.facts.name.startswith(stem))


def test_b51_the_last_copy_is_in_a_mixed_state(tmp_path: Path) -> None:
    """facebookresearch/metaseq#53: empty and short shards, and a whole one still named `.tmp`."""
    numbered, last = "checkpoint_23_22750-model_part-7", "checkpoint_last-model_part-0"
    shards(tmp_path, numbered, 5)
    shards(tmp_path, last, 5)
    (tmp_path / f"{numbered}-shard3.pt").rename(tmp_path / f"{numbered}-shard3.pt.tmp")
    cut(tmp_path / f"{last}-shard0.pt", 0)
    short = tmp_path / f"{last}-shard4.pt"
    cut(short, short.stat().st_size - 40)
    broken = of_stem(tmp_path, "checkpoint_last")
    assert broken.verdict is Verdict.CORRUPT
    bad = {f.path for f in broken.findings if f.code in ("empty-file", "truncated-file")}
    assert bad == {f"{last}-shard0.pt", short.name}
    staged = of_stem(tmp_path, "checkpoint_23")
    assert staged.verdict is Verdict.INCOMPLETE
    assert "finishable" in codes(staged.findings)
    assert f"mv {tmp_path}" in finding(staged.findings, "finishable").remedy
