"""Public reports about TensorFlow's checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Level, PointerState, Verdict
from ckpt_tui.formats.tensors import tensors_of
from tests.faults.states import SAMPLES, codes, picture_of, resume_name, run_of
from tests.formats.helpers import copy_of, cut

if TYPE_CHECKING:
    from pathlib import Path


def test_w04_tensors_without_the_model() -> None:
    """tensorflow/tensorflow#1669: names, shapes and sizes, from the index alone."""
    newest = picture_of(SAMPLES / "tensorflow" / "manager").checkpoints[0]
    listing = tensors_of(newest)
    kernels = {t.name: (t.shape, t.size_bytes) for t in listing.tensors if t.role == "model"}
    assert kernels["optimizer/_trainable_variables/0"] == ((8, 16), 512)
    assert {t.role for t in listing.tensors} >= {"model", "optimizer", "rng", "dataloader"}


def test_an_index_of_no_bytes_is_passed_over(tmp_path: Path) -> None:
    """The index is opened under its final name: a kill leaves it empty, `checkpoint` names it not.

    The framework goes on from the one before; it says "file is too short to be an sstable" when
    it is asked for the newest by name.
    """
    run = copy_of(SAMPLES / "tensorflow" / "killed", tmp_path / "run")
    leftover = next((run / "ckpt-3_temp").iterdir())
    leftover.rename(leftover.with_name("part-00000-of-00001.index"))
    (run / "ckpt-3.data-00000-of-00001").write_bytes(b"x")
    cut(copy_of(run / "ckpt-2.index", run / "ckpt-3.index"), 0)
    judged = run_of(run)
    assert judged.checkpoints[0].verdict in (Verdict.UNCOMMITTED, Verdict.SAVING)
    assert (resume_name(judged), judged.pointers[0].state) == ("ckpt-2.index", PointerState.OK)
    assert judged.rejected_newer == judged.checkpoints[:1]


def test_a_pointer_to_a_checkpoint_whose_data_are_gone(tmp_path: Path) -> None:
    """A shard that stayed on another machine: `latest_checkpoint` looks at the index alone."""
    run = copy_of(SAMPLES / "tensorflow" / "manager", tmp_path / "run")
    (run / "ckpt-3.data-00000-of-00001").unlink()
    judged = run_of(run)
    assert judged.checkpoints[0].verdict is Verdict.INCOMPLETE
    assert judged.pointers[0].state is PointerState.AHEAD
    assert "pointer-ahead" in codes(judged.findings)
    assert (resume_name(judged), judged.level) == ("ckpt-2.index", Level.WARNING)
