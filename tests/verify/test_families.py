"""Flipped bits in real checkpoints of every family: what is covered is found, and told where."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest

from ckpt_tui.verify.engine import Options, verify
from tests.verify.files import SAMPLES, flip, results_below

_COVERED_BY = {
    "flax": set(),
    "keras": {"zip CRC-32"},
    "msgpack-file": set(),
    "npz-file": {"zip CRC-32"},
    "orbax": {"OCDBT CRC-32C"},
    "paddle": set(),
    "pickle-file": set(),
    "tensorflow": {"TensorBundle CRC-32C"},
    "torch-dcp": {"zip CRC-32"},
    "torchsnapshot": {"zip CRC-32"},
}


@pytest.fixture(params=_COVERED_BY)
def family(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Path]:
    return request.param, Path(shutil.copytree(SAMPLES / request.param, tmp_path / "runs"))


def test_real_files_are_right_unless_they_were_cut(family: tuple[str, Path]) -> None:
    name, runs = family
    found = verify((str(runs),), Options(ranges=True))
    faults = [(file.path, fault) for file in found.files for fault in file.faults]
    assert {fault.code for _, fault in faults} <= {"truncated-file"}
    assert not [file.path for file in found.files if file.unread]
    methods = {file.method for file in found.files if file.ok}
    assert methods >= _COVERED_BY[name]
    for file in found.files:
        assert file.checked_bytes == sum(end - begin for begin, end in file.covered)
        assert all(0 <= begin < end <= file.size_bytes for begin, end in file.covered)
        assert file.ok is not True or file.checked_bytes > 0


def test_a_flip_in_covered_bytes_is_found_and_no_other_file_is_blamed(
    family: tuple[str, Path],
) -> None:
    _, runs = family
    chance = random.Random(3)
    before = results_below(runs)
    whole = [(name, file) for name, file in before.items() if file.ok]
    for name, file in chance.sample(whole, min(6, len(whole))):
        begin, end = chance.choice(file.covered)
        place, bit = chance.randrange(begin, end), chance.randrange(8)
        flip(runs / name, place, bit)
        now = results_below(runs)
        wrong = [path for path in now if now[path].ok is False and before[path].ok is not False]
        assert wrong == [name], (place, bit)
        flip(runs / name, place, bit)


def test_the_tensor_of_a_bundle_is_named(tmp_path: Path) -> None:
    runs = Path(shutil.copytree(SAMPLES / "tensorflow", tmp_path / "runs"))
    name, file = next(
        (name, file) for name, file in results_below(runs).items() if ".data-" in name and file.ok
    )
    flip(runs / name, file.covered[-1][1] - 1)
    (fault,) = results_below(runs)[name].faults
    assert fault.code == "checksum-mismatch"
    assert fault.tensor
    assert fault.place.startswith("bytes ")


def test_a_torn_node_says_which_arrays_are_out_of_reach(tmp_path: Path) -> None:
    runs = Path(shutil.copytree(SAMPLES / "orbax", tmp_path / "runs"))
    name, file = next(
        (name, file)
        for name, file in results_below(runs).items()
        if "/d/" in name and file.method == "OCDBT CRC-32C"
    )
    flip(runs / name, file.covered[0][0] + 30)
    faults = results_below(runs)[name].faults
    assert all(fault.place.startswith("tree node at byte ") for fault in faults)
    assert all("keys below it" in fault.place for fault in faults)
    document = json.loads((runs / name).parents[1].joinpath("_METADATA").read_text())
    entries = document["tree_metadata"].values()
    saved = {".".join(str(key["key"]) for key in entry["key_metadata"]) for entry in entries}
    assert {fault.tensor for fault in faults} <= saved


def test_a_manifest_of_ocdbt_is_covered_to_its_last_byte(tmp_path: Path) -> None:
    runs = Path(shutil.copytree(SAMPLES / "orbax", tmp_path / "runs"))
    name = next(name for name in results_below(runs) if name.endswith("manifest.ocdbt"))
    for place in (0, (runs / name).stat().st_size - 1):
        flip(runs / name, place)
        found = results_below(runs)[name]
        assert (found.ok, found.checked_bytes) == (False, found.size_bytes)
        flip(runs / name, place)
