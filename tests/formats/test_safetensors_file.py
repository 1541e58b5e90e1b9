"""Safetensors by themselves: exports that nobody resumes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.base import CheckpointFiles, Claim
from ckpt_tui.formats.safetensors_file.names import absent_shards, groups
from ckpt_tui.formats.safetensors_file.reader import SafetensorsFileReader
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.artifacts.builders import safetensors
from tests.formats.helpers import codes, cut

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint

READER = SafetensorsFileReader()
INDEX = "model.safetensors.index.json"
SHARDS = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")


def export(path: Path, *names: str) -> Path:
    for number, name in enumerate(names):
        header = {f"w{number}": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}
        (path / name).write_bytes(safetensors(json.dumps(header).encode(), bytes(16)))
    return path


def indexed(path: Path) -> Path:
    places = {f"w{number}": name for number, name in enumerate(SHARDS)}
    (path / INDEX).write_text(json.dumps({"weight_map": places}))
    return export(path, *SHARDS)


def only(path: Path) -> Checkpoint:
    (members,) = READER.claims_files(list_directory(str(path)))
    claim = Claim(READER.name, str(path / members[0]), members)
    tree = list_tree(claim.path, members)
    return judge(READER.read(CheckpointFiles(claim, tree, Limits())))


def test_one_file(tmp_path: Path) -> None:
    checkpoint = only(export(tmp_path, "weights.safetensors"))
    assert (checkpoint.verdict, checkpoint.facts.export) == ("weights-only", True)
    assert checkpoint.facts.tensors_total == 1


@pytest.mark.parametrize("size_bytes", [0, 3, 8, 40])
def test_a_cut_file(tmp_path: Path, size_bytes: int) -> None:
    cut(export(tmp_path, "weights.safetensors") / "weights.safetensors", size_bytes)
    assert only(tmp_path).verdict == "corrupt"


def test_no_tensors(tmp_path: Path) -> None:
    (tmp_path / "adapter_model.safetensors").write_bytes(safetensors(b"{}"))
    checkpoint = only(tmp_path)
    assert checkpoint.verdict == "incomplete"
    assert "empty-tensors" in codes(checkpoint)


def test_an_index_with_its_shards(tmp_path: Path) -> None:
    checkpoint = only(indexed(tmp_path))
    assert (checkpoint.verdict, checkpoint.facts.name) == ("weights-only", INDEX)
    (tmp_path / SHARDS[1]).unlink()
    checkpoint = only(tmp_path)
    assert checkpoint.verdict == "incomplete"
    assert [f.path for f in checkpoint.findings if f.code == "missing-shard"] == [SHARDS[1]]


def test_shards_count_each_other_without_an_index(tmp_path: Path) -> None:
    assert only(export(tmp_path, *SHARDS)).verdict == "weights-only"
    (tmp_path / SHARDS[0]).unlink()
    checkpoint = only(tmp_path)
    assert (checkpoint.verdict, checkpoint.step) == ("incomplete", None)
    assert [f.path for f in checkpoint.findings if f.code == "missing-shard"] == [SHARDS[0]]


def test_a_series(tmp_path: Path) -> None:
    path = export(tmp_path, "step_20.safetensors")
    assert only(path).step == 20


def test_a_step_directory_is_left_to_its_format(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint_3"
    path.mkdir()
    export(path, "model.safetensors")
    assert READER.claims_files(list_directory(str(path))) == ()


def test_groups() -> None:
    names = [*SHARDS, INDEX, "ema.safetensors", "optimizer.safetensors", "config.json"]
    assert groups(names) == (("ema.safetensors",), (INDEX, *SHARDS))
    assert groups([INDEX]) == ((INDEX,),)


def test_a_name_that_counts_too_many_shards_costs_nothing() -> None:
    absent = absent_shards(["model-00001-of-999999.safetensors"])
    assert 0 < len(absent) <= 1001
