"""Public reports about flax's own checkpoints."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Level, Verdict
from tests.faults.states import SAMPLES, START, codes, finding, resume_name, run_of
from tests.formats.helpers import copy_of, cut

if TYPE_CHECKING:
    from pathlib import Path


def test_b27_a_leftover_sorts_as_the_newest(tmp_path: Path) -> None:
    """google/flax#1200: killed before the rename; the leftover is never resumed from."""
    run = copy_of(SAMPLES / "flax" / "whole", tmp_path / "run")
    newest = run / "checkpoint_300"
    left = newest.rename(run / "checkpoint_tmp")
    os.utime(left, (START, START))
    judged = run_of(run)
    assert resume_name(judged) == "checkpoint_200"
    staged = next(c for c in judged.checkpoints if c.facts.name == "checkpoint_tmp")
    assert (staged.verdict, staged.resumable) == (Verdict.UNCOMMITTED, False)
    assert {"staging-leftover", "finishable"} <= codes(staged.findings)
    assert f"mv -n {left} {newest}" in finding(staged.findings, "finishable").remedy
    assert "Remove it" in finding(staged.findings, "staging-leftover").remedy


def test_the_newest_is_taken_whatever_is_in_it(tmp_path: Path) -> None:
    """`latest_checkpoint` goes by names alone: a cut newest file stops every restart."""
    run = copy_of(SAMPLES / "flax" / "whole", tmp_path / "run")
    cut(run / "checkpoint_300", 700)
    judged = run_of(run)
    assert (resume_name(judged), judged.level) == ("checkpoint_200", Level.WARNING)
    trap = finding(judged.findings, "auto-resume-trap")
    assert "checkpoint_200" in trap.remedy
