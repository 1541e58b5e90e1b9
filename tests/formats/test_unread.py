"""Formats that are known by their names and not read: told, and in nobody's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.unread import is_t5x, unread_format
from tests.formats.helpers import copy_of

if TYPE_CHECKING:
    from pathlib import Path

T5X = ("checkpoint_1000", "checkpoint", "target.encoder.kernel", "train_ds-000-of-001.index")


@pytest.mark.parametrize(
    ("names", "label"),
    [
        (("run", "net_iter_5.solverstate"), "Caffe"),
        (("run", "streaming_train_state_100", "metadata_100.pkl"), "EasyLM"),
        (("run", "model-100.eqx"), "Equinox"),
        (("workdir", "checkpoint.bv-000001000", "checkpoint.bv-LAST"), "Big Vision"),
        (T5X, "T5X"),
        (("step-1000", "metadata.json", "model", "opt_state", "step"), "Levanter"),
        (("run", "checkpoint", "model.ckpt-100", "model.ckpt-100.meta"), "TensorFlow V1"),
        (("run", "model.ckpt-100.index", "model.ckpt-100.meta"), ""),
        (("step-100", "manifest.ocdbt", "d", "ocdbt.process_0"), "TensorStore"),
        (("default", "manifest.ocdbt", "d", "_METADATA"), ""),
        (("ocdbt.process_0", "manifest.ocdbt", "d"), ""),
        (("step-1000", "metadata.json", "model"), ""),
        (("run", "checkpoint", "ckpt-1.index"), ""),
        ((), ""),
    ],
)
def test_what_names_tell(names: tuple[str, ...], label: str) -> None:
    found = unread_format(names)
    assert found.startswith(label) if label else found == ""


def test_t5x_is_no_checkpoint_of_tensorflow(corpus: Path, tmp_path: Path) -> None:
    """Its data iterator is written by TensorFlow, beside a file called `checkpoint`."""
    step = tmp_path / "checkpoint_1000"
    (step / "target.encoder.kernel").mkdir(parents=True)
    (step / "checkpoint").write_bytes(b"\x81\xa7version\x03")
    for name in ("index", "data-00000-of-00001"):
        copy_of(corpus / f"jax/tf_checkpoint_manager/ckpt-4.{name}", step / f"train_ds-0.{name}")
    found = discover(str(tmp_path))
    assert found.claims == ()
    assert found.unread == ((str(step), "T5X"),)
    assert is_t5x(T5X)
    assert not is_t5x(("checkpoint", "targets.txt"))


def test_what_lies_below_is_found_all_the_same(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "init.eqx").touch()
    copy_of(corpus / "jax/orbax_sync_standard/30", tmp_path / "checkpoints" / "30")
    found = discover(str(tmp_path))
    assert [claim.path for claim in found.claims] == [str(tmp_path / "checkpoints" / "30")]
    assert found.unread == ((str(tmp_path), "Equinox"),)
