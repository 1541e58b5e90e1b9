"""Keras: real saves, cut and damaged copies of them, archives packed again."""

from __future__ import annotations

import json
import shutil
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.artifacts.hdf5.lookup3 import lookup3
from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.base import CheckpointFiles, Claim
from ckpt_tui.formats.keras.claims import is_backup
from ckpt_tui.formats.keras.names import number_of
from ckpt_tui.formats.keras.reader import KerasReader
from ckpt_tui.formats.tensors import tensors_of
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.artifacts.hdf5_files import CHUNKED, NEWEST
from tests.faults.states import SAMPLES
from tests.formats.helpers import (
    claimed_files,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    overwrite,
    read_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.fs.listing import Directory

READER = KerasReader()
RUNS = SAMPLES / "keras"
ARCHIVE = RUNS / "archive" / "model-02-1.766.keras"
WEIGHTS = RUNS / "killed" / "cp-0002.weights.h5"
WHOLE_MODEL = RUNS / "whole_model" / "model-02.h5"
HELD = ("model", "optimizer", "progress", "scheduler")


def roles(checkpoint: Checkpoint) -> tuple[str, ...]:
    return tuple(role.role for role in checkpoint.facts.roles)


def repacked(
    target: Path,
    change: Callable[[dict[str, Any]], object] = lambda config: None,
    without: str = "",
    method: int = zipfile.ZIP_STORED,
) -> Path:
    """The archive packed again: with another configuration, or without a member."""
    with zipfile.ZipFile(ARCHIVE) as old, zipfile.ZipFile(target, "w", method) as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "config.json":
                config = json.loads(data)
                change(config)
                data = json.dumps(config).encode()
            if name != without:
                new.writestr(name, data)
    return target


# -- whole files ----------------------------------------------------------------------------------


def test_an_archive() -> None:
    checkpoint = judged(READER, ARCHIVE)
    facts = checkpoint.facts
    assert (checkpoint.verdict, checkpoint.missing_roles) == ("inexact", ("rng",))
    assert (facts.step, facts.ordinal) == (4, 2)
    assert roles(checkpoint) == (*HELD, "config")
    assert facts.loader.flag == f'keras.models.load_model("{ARCHIVE}")'
    assert facts.not_checked == ()


def test_weights_hold_the_optimizer_too() -> None:
    checkpoint = judged(READER, WEIGHTS)
    assert (checkpoint.verdict, checkpoint.facts.step) == ("inexact", 4)
    assert roles(checkpoint) == HELD
    (lossy,) = (f for f in checkpoint.findings if f.code == "lossy-loader")
    assert lossy.severity == "info"
    assert "optimizer.build" in lossy.remedy
    assert checkpoint.facts.loader.flag.startswith("model.optimizer.build")


def test_a_whole_model_in_hdf5_loses_its_moments() -> None:
    checkpoint = judged(READER, WHOLE_MODEL)
    assert checkpoint.verdict == "weights-only"
    assert "lossy-loader" in codes(checkpoint)
    assert checkpoint.facts.step == 4
    assert checkpoint.facts.role("optimizer") is None


def test_a_compressed_archive(tmp_path: Path) -> None:
    path = repacked(tmp_path / "model.keras", method=zipfile.ZIP_DEFLATED)
    assert judged(READER, path).verdict == "inexact"


def test_tensors_of_an_archive() -> None:
    listing = tensors_of(judged(READER, ARCHIVE))
    found = {tensor.name: tensor for tensor in listing.tensors}
    kernel = found["layers/dense/vars/0"]
    assert (kernel.dtype, kernel.shape, kernel.role) == ("float32", (8, 16), "model")
    assert found["optimizer/vars/2"].role == "optimizer"
    (chunk,) = kernel.chunks
    with zipfile.ZipFile(ARCHIVE) as archive:
        inside = archive.read("model.weights.h5")
    assert chunk.begin is not None
    stored = ARCHIVE.read_bytes()[chunk.begin : chunk.begin + chunk.size_bytes]
    assert len(stored) == 512
    assert stored in inside
    assert listing.total == 14


# -- what a configuration demands -----------------------------------------------------------------


def optimizer_of(config: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = config["compile_config"]["optimizer"]
    return found


def test_more_moments_are_demanded_than_are_there(tmp_path: Path) -> None:
    path = repacked(tmp_path / "a.keras", lambda c: optimizer_of(c)["config"].update(amsgrad=True))
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "3 moments" in checkpoint.why


def test_a_layer_without_variables(tmp_path: Path) -> None:
    def add_layer(config: dict[str, Any]) -> None:
        layers = config["config"]["layers"]
        more = json.loads(json.dumps(layers[-1]))
        more["config"]["name"] = "dense_9"
        layers.append(more)

    checkpoint = judged(READER, repacked(tmp_path / "a.keras", add_layer))
    assert checkpoint.verdict == "incomplete"
    assert "layers/dense_2" in checkpoint.why


def test_a_layer_in_two_models_is_stored_once_and_made_twice(tmp_path: Path) -> None:
    def share(config: dict[str, Any]) -> None:
        inner = json.loads(json.dumps(config))
        config["config"]["layers"].insert(0, inner)

    checkpoint = judged(READER, repacked(tmp_path / "a.keras", share))
    assert checkpoint.verdict == "incomplete"
    assert "layers/sequential/layers/dense" in checkpoint.why


def test_never_compiled(tmp_path: Path) -> None:
    path = repacked(tmp_path / "a.keras", lambda config: config.pop("compile_config"))
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "weights-only"
    assert "lossy-loader" in codes(checkpoint)


def test_an_optimizer_within_a_scaling_one(tmp_path: Path) -> None:
    def wrap(config: dict[str, Any]) -> None:
        inner = optimizer_of(config)
        config["compile_config"]["optimizer"] = {
            "class_name": "LossScaleOptimizer",
            "config": {"inner_optimizer": inner},
        }

    checkpoint = judged(READER, repacked(tmp_path / "a.keras", wrap))
    assert checkpoint.verdict == "inexact"
    assert "lossy-loader" not in codes(checkpoint)


@pytest.mark.parametrize("name", ["config.json", "model.weights.h5"])
def test_a_member_is_absent(tmp_path: Path, name: str) -> None:
    checkpoint = judged(READER, repacked(tmp_path / "a.keras", without=name))
    assert checkpoint.verdict == "incomplete"
    assert name in checkpoint.why


# -- damage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "size", "code"),
    [
        (ARCHIVE, 0, "empty-file"),
        (ARCHIVE, 9000, "truncated-file"),
        (ARCHIVE, 23_700, "truncated-file"),
        (WEIGHTS, 0, "empty-file"),
        (WEIGHTS, 96, "truncated-file"),
        (WEIGHTS, 21_943, "truncated-file"),
        (WHOLE_MODEL, 20_000, "truncated-file"),
    ],
)
def test_cut(tmp_path: Path, source: Path, size: int, code: str) -> None:
    path = copy_of(source, tmp_path / source.name)
    cut(path, size)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.commit) == ("corrupt", "uncommitted")
    assert code in codes(checkpoint)
    assert checkpoint.facts.step is None


@pytest.mark.parametrize("member", ["config.json", "model.weights.h5"])
def test_a_wrong_byte_in_an_archive(tmp_path: Path, member: str) -> None:
    path = copy_of(ARCHIVE, tmp_path / ARCHIVE.name)
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo(member)
    middle = info.header_offset + 30 + len(member) + info.file_size // 2
    overwrite(path, middle, bytes([path.read_bytes()[middle] ^ 1]))
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "corrupt"
    assert "checksum-mismatch" in codes(checkpoint)


def test_zeros_in_the_structure(tmp_path: Path) -> None:
    path = copy_of(WEIGHTS, tmp_path / WEIGHTS.name)
    overwrite(path, 3000, bytes(5000))
    assert judged(READER, path).verdict == "corrupt"


def test_a_link_within_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cp-01.weights.h5"
    path.write_bytes(CHUNKED)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "corrupt"
    assert "'soft'" in checkpoint.why


def test_a_file_that_its_writer_has_not_closed(tmp_path: Path) -> None:
    data = bytearray(NEWEST)
    data[11] = 1
    data[44:48] = lookup3(bytes(data[:44])).to_bytes(4, "little")
    path = tmp_path / "cp-01.weights.h5"
    path.write_bytes(data)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.commit) == ("uncommitted", "uncommitted")
    (found,) = (f for f in checkpoint.findings if f.code == "finishable")
    assert f"h5clear -s {path}" in found.remedy


def test_a_link_out_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "model.keras"
    copy_of(ARCHIVE, target)
    link = tmp_path / "run" / "model-01.keras"
    link.parent.mkdir()
    link.symlink_to(target)
    assert judged(READER, link).verdict == "unknown"


# -- sharded weights ------------------------------------------------------------------------------


@pytest.fixture
def sharded(tmp_path: Path) -> Path:
    return copy_of(RUNS / "sharded", tmp_path / "run")


def _listed(run: Path) -> Directory:
    return list_directory(str(run))


def _read_members(run: Path, members: tuple[str, ...]) -> CheckpointFacts:
    claim = Claim(READER.name, str(run / members[0]), members)
    return READER.read(CheckpointFiles(claim, list_tree(claim.path, members), Limits()))


def of_index(run: Path, name: str = "cp-02.weights.json") -> Checkpoint:
    members = next(g for g in READER.claims_files(_listed(run)) if g[0] == name)
    return judge(_read_members(run, members))


def test_sharded(sharded: Path) -> None:
    checkpoint = of_index(sharded)
    assert (checkpoint.verdict, checkpoint.commit) == ("inexact", "committed")
    assert (checkpoint.facts.step, checkpoint.facts.ordinal) == (4, 2)
    assert claimed_files(READER, sharded) == [f"cp-0{n}.weights.json" for n in (1, 2, 3)]


def test_an_index_of_fewer_shards_than_it_counts(sharded: Path) -> None:
    index = sharded / "cp-02.weights.json"
    document = json.loads(index.read_text())
    first = "cp-02_00000.weights.h5"
    document["weight_map"] = {k: v for k, v in document["weight_map"].items() if v == first}
    index.write_text(json.dumps(document))
    checkpoint = of_index(sharded)
    assert (checkpoint.verdict, checkpoint.commit) == ("uncommitted", "uncommitted")


def test_shards_whose_index_never_came(sharded: Path) -> None:
    (sharded / "cp-03.weights.json").unlink()
    assert claimed_files(READER, sharded) == ["cp-01.weights.json", "cp-02.weights.json"]
    for index in sharded.glob("*.json"):
        index.unlink()  # then nothing tells them from a series that counts with five digits
    assert len(claimed_files(READER, sharded)) == 6


@pytest.mark.parametrize(
    ("damage", "verdict"),
    [
        (lambda shard: shard.unlink(), "incomplete"),
        (lambda shard: cut(shard, 100), "corrupt"),
        (lambda shard: cut(shard, 0), "corrupt"),
    ],
)
def test_a_damaged_shard(sharded: Path, damage: Callable[[Path], None], verdict: str) -> None:
    damage(sharded / "cp-02_00001.weights.h5")
    assert of_index(sharded).verdict == verdict


@pytest.mark.parametrize("text", ["[]", "{}", '{"weight_map": {"/a": "../x"}}', '{"a'])
def test_a_wrong_index(sharded: Path, text: str) -> None:
    (sharded / "cp-02.weights.json").write_text(text)
    checkpoint = of_index(sharded)
    assert checkpoint.verdict == "corrupt"
    assert "invalid-json" in codes(checkpoint)


# -- a directory that is one model ----------------------------------------------------------------


@pytest.fixture
def unzipped(tmp_path: Path) -> Path:
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path / "model-02")
    return tmp_path / "model-02"


def test_a_model_as_a_directory(unzipped: Path) -> None:
    assert claims(READER, unzipped)
    checkpoint = judged(READER, unzipped)
    assert (checkpoint.verdict, checkpoint.facts.step) == ("inexact", 4)
    assert roles(checkpoint) == (*HELD, "config")


@pytest.mark.parametrize("name", ["config.json", "model.weights.h5"])
def test_a_file_of_it_is_absent(unzipped: Path, name: str) -> None:
    (unzipped / name).unlink()
    assert judged(READER, unzipped).verdict == "incomplete"


def test_weights_in_numpys_form_are_not_read(unzipped: Path) -> None:
    (unzipped / "model.weights.h5").rename(unzipped / "model.weights.npz")
    checkpoint = judged(READER, unzipped)
    assert checkpoint.verdict == "unknown"
    assert "unsupported-version" in codes(checkpoint)


# -- names and claims -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("model-03-1.448.keras", 3),
        ("cp-0003.weights.h5", 3),
        ("weights.07-0.25.weights.h5", 7),
        ("epoch_12_loss0.91.keras", 12),
        ("batch03epoch02.keras", 2),
        ("resnet50.03-0.91.weights.h5", 3),
        ("resnet50.keras", None),
        ("model_bf16.keras", None),
        ("ckpt5.keras", 5),
        ("best.keras", None),
        ("cp-02.weights.json", 2),
    ],
)
def test_numbers_in_names(name: str, number: int | None) -> None:
    assert number_of(name) == number


def test_other_hdf5_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "data.h5").write_bytes(CHUNKED)
    (tmp_path / "notes.h5").write_bytes(b"")
    (tmp_path / "model-01.h5").write_bytes(b"")
    shutil.copy(WHOLE_MODEL, tmp_path / "net-02.h5")
    (tmp_path / "net-03.h5").write_bytes(b"\x89HDF")
    assert claimed_files(READER, tmp_path) == ["model-01.h5", "net-02.h5", "net-03.h5"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({"latest.weights.h5", "training_metadata.json"}, True),
        ({"latest.weights.h5", "latest.weights.h5.bkp"}, True),
        ({"training_metadata.json"}, True),
        ({"latest.weights.h5"}, False),
        ({"training_metadata.json", "model.pt"}, False),
        ({"latest.weights.h5", "training_metadata.json", "model.keras"}, False),
    ],
)
def test_what_a_backup_is(names: set[str], expected: bool) -> None:
    assert is_backup(frozenset(names)) is expected


def test_corpus(corpus: Path) -> None:
    run = corpus / "jax/keras_modelcheckpoint_keras"
    assert len(claimed_files(READER, run)) == 3
    facts = read_file(READER, run / "model-03-1.448.keras")
    assert (facts.step, facts.ordinal) == (6, 3)
    killed = corpus / "jax_broken/keras_h5_kill_empty/cp-0003.weights.h5"
    assert judged(READER, killed).verdict == "corrupt"
