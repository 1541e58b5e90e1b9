"""Trees whose leaves numpy saved one by one: a file each, or numbered in an archive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from ckpt_tui.core.vocabulary import PROGRESS, Verdict
from ckpt_tui.formats.npz_file.reader import NpzFileReader
from ckpt_tui.formats.shared.archive_step import FoundStep
from ckpt_tui.formats.shared.array_states import states_of
from tests.formats.helpers import cut, judged

if TYPE_CHECKING:
    from pathlib import Path

NUMPY = NpzFileReader()


def test_a_tree_whose_leaves_are_a_file_each(tmp_path: Path) -> None:
    for step in (20, 30):
        path = tmp_path / f"step_{step}"
        path.mkdir()
        for name in ("params.w", "opt_state.0.mu.w", "opt_state.0.nu.w"):
            np.save(path / f"{name}.npy", np.ones((3, 4), np.float32))
        np.save(path / "opt_state.0.count.npy", np.int32(3))
        np.save(path / "step.npy", np.int64(step))
    newest = judged(NUMPY, tmp_path / "step_30")
    assert (newest.verdict, newest.facts.step) == (Verdict.INEXACT, 30), newest.why
    cut(tmp_path / "step_30/params.w.npy", 140)
    assert judged(NUMPY, tmp_path / "step_30").verdict is Verdict.CORRUPT
    (tmp_path / "step_30/params.w.npy").unlink()
    assert not judged(NUMPY, tmp_path / "step_30").resumable


def test_numbered_leaves_beside_a_named_step(tmp_path: Path) -> None:
    leaves = [np.int32(3), *(np.ones((n % 2 + 1, 3), np.float32) for n in range(6))]
    np.savez(tmp_path / "ckpt_20.npz", *leaves, step=30)
    found = judged(NUMPY, tmp_path / "ckpt_20.npz")
    assert (found.verdict, found.facts.step) == (Verdict.INEXACT, 30), found.why


@pytest.mark.parametrize(
    ("path", "step"), [("a/step.msgpack", FoundStep(7, "step.msgpack")), ("epoch.msgpack", None)]
)
def test_a_number_without_a_key_has_the_files_name(path: str, step: FoundStep | None) -> None:
    found = states_of(7, path, PROGRESS)
    assert (found.step, found.has(PROGRESS)) == (step, True)
