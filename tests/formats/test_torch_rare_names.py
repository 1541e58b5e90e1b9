"""Torch files with rare endings, without one, and compressed by their loop."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.torch_file.reader import TorchFileReader
from tests.artifacts.builders import torch_legacy, zip_of
from tests.formats.helpers import claimed_files, codes, judged
from tests.formats.torch_builder import OPTIMIZER, WEIGHTS, torch_bytes, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = TorchFileReader()
STATE = {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 9}


def found(directory: Path) -> list[str]:
    """What a search claims: it asks a reader only where a name hints at it."""
    return [os.path.basename(c.path) for c in discover(str(directory)).claims]


@pytest.mark.parametrize(
    "name",
    [
        "ckpt_9", "ckpt-9", "checkpoint_9", "snapshot_9", "chkpt_last", "ckpt_epoch_00009.pyth",
        "checkpoint.th", "net_9.torch", "run.chkpt", "best_9.pickle", "run.checkpoint",
        "net_9.model", "net_9.mdl", "run.snapshot",
    ],
)  # fmt: skip
def test_content_decides_where_the_name_leaves_it_open(tmp_path: Path, name: str) -> None:
    write_torch(tmp_path / name, STATE)
    assert found(tmp_path) == [name]
    checkpoint = judged(READER, tmp_path / name)
    assert (checkpoint.verdict, checkpoint.step) == ("inexact", 9)


def test_the_old_form_is_known_by_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "ckpt_9").write_bytes(torch_legacy({"step": 9}, {}))
    assert claimed_files(READER, tmp_path) == ["ckpt_9"]


def test_what_is_like_a_real_one_was_one_before_it_was_cut(tmp_path: Path) -> None:
    write_torch(tmp_path / "ckpt_9.th", STATE)
    os.utime(tmp_path / "ckpt_9.th", ns=(0, 0))
    (tmp_path / "ckpt_18.th").touch()
    (tmp_path / "other.th").touch()
    assert sorted(claimed_files(READER, tmp_path)) == ["ckpt_18.th", "ckpt_9.th"]
    assert judged(READER, tmp_path / "ckpt_18.th").verdict == "corrupt"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("ckpt_9", b"\x85\xa6params"),
        ("ckpt_9", zip_of({"word/document.xml": b"<a/>"})),
        ("ckpt_9", b"PK\x03\x04"),
        ("speech.model", b"\n\x0e\n\x05<unk>"),
        ("readme_9", torch_bytes(STATE)),
    ],
)
def test_other_files_of_such_names_are_left_alone(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert claimed_files(READER, tmp_path) == []


@pytest.mark.parametrize(
    "name", ["mnist.pickle", "x.th", "glove.torch", "vocab.model", "cached_features.th"]
)
def test_data_of_such_endings_is_no_checkpoint(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(torch_bytes(STATE))
    (tmp_path / "train_feats.pt.gz").write_bytes(gzip.compress(torch_bytes(STATE)))
    assert claimed_files(READER, tmp_path) == []


def test_a_compressed_one_is_told_and_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "ckpt_9.pt.gz"
    path.write_bytes(gzip.compress(torch_bytes(STATE)))
    (tmp_path / "data.tar.gz").write_bytes(b"\x1f\x8b\x08")
    assert found(tmp_path) == ["ckpt_9.pt.gz"]
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("unknown", 9)
    assert codes(checkpoint) == {"unsupported-version"}
