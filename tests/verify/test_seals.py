"""Seals: written in one piece, read with every field checked, found where they are kept."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.formats.discovery import discover
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.listed import ListedFile
from ckpt_tui.verify.seals import SCHEMA, Seal, place_of_seal, read_seal, write_seal
from tests.verify.files import SAMPLES, flip, results_below


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path / "state"))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / "hf-trainer" / "single", tmp_path / "run"))


def seal(checkpoint: Path, *, beside: bool = False) -> Path:
    read = verify((str(checkpoint),), Options(whole=True))
    files = {
        os.path.relpath(file.path, checkpoint): ListedFile(file.size_bytes, file.crc32 or 0)
        for file in read.files
    }
    newest = max(file.mtime_ns for file in read.files) / 1e9
    place = place_of_seal(str(checkpoint), beside=beside)
    write_seal(place, Seal(str(checkpoint), "hf-trainer", newest + 10, files))
    return Path(place)


@given(
    name=st.text(min_size=1, max_size=20),
    size=st.integers(0, 1 << 60),
    crc32=st.integers(0, 2**32 - 1),
    at=st.integers(0, 4_000_000_000),
)
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, name: str, size: int, crc32: int, at: int
) -> None:
    path = tmp_path_factory.mktemp("seals") / "seal.json"
    written = Seal("/runs/step-1", "orbax", float(at), {name: ListedFile(size, crc32)})
    write_seal(str(path), written)
    assert read_seal(str(path)) == written
    assert [entry.name for entry in path.parent.iterdir()] == ["seal.json"]


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "ckpt-tui/seal/2"},
        {"files": None},
        {"files": [{"path": "a", "size_bytes": -1, "crc32": "00000000"}]},
        {"files": [{"path": "a", "size_bytes": 1, "crc32": "0"}]},
        {"files": [{"path": "a", "size_bytes": True, "crc32": "00000000"}]},
        {"files": ["a"]},
        {"sealed_at": "yesterday"},
        {"sealed_at": "2026-01-01T00:00:00"},
        {"path": 1},
    ],
)
def test_a_seal_that_is_none_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "seal.json"
    write_seal(str(path), Seal("/runs/step-1", "orbax", 0.0, {"a": ListedFile(1, 1)}))
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ArtifactError):
        read_seal(str(path))


@pytest.mark.parametrize("beside", [False, True])
def test_every_byte_of_a_sealed_checkpoint_is_covered(run: Path, beside: bool) -> None:
    place = seal(run / "checkpoint-10", beside=beside)
    assert (run in place.parents) is beside
    found = results_below(run)
    sealed = {name: file for name, file in found.items() if name.startswith("checkpoint-10/")}
    assert sealed
    assert {file.ok for file in sealed.values()} == {True}
    assert all(file.checked_bytes == file.size_bytes for file in sealed.values())
    assert all("the seal of " in file.method for file in sealed.values())
    model = run / "checkpoint-10" / "model.safetensors"
    flip(model, model.stat().st_size - 1)
    fault = results_below(run)["checkpoint-10/model.safetensors"].faults[0]
    assert fault.code == "checksum-mismatch"
    assert fault.tensor


def test_a_seal_beside_is_no_file_of_any_checkpoint(run: Path) -> None:
    before = discover(str(run)).claims, set(results_below(run))
    seal(run / "checkpoint-10", beside=True)
    assert (discover(str(run)).claims, set(results_below(run))) == before


def test_a_file_that_is_gone_is_wrong(run: Path) -> None:
    seal(run / "checkpoint-10")
    (run / "checkpoint-10" / "scheduler.pt").unlink()
    found = results_below(run)["checkpoint-10/scheduler.pt"]
    assert found.ok is False
    assert "it is not there" in found.message


def test_a_file_that_was_written_later_is_not_held_against_the_seal(run: Path) -> None:
    seal(run / "checkpoint-10")
    path = run / "checkpoint-10" / "trainer_state.json"
    path.write_text("{}")
    found = results_below(run)["checkpoint-10/trainer_state.json"]
    assert found.ok is None
    assert found.outdated
    assert "its bytes are not those of the seal of" in found.message


def test_a_file_that_was_written_again_with_the_same_bytes_is_right(run: Path) -> None:
    place = seal(run / "checkpoint-10")
    path = run / "checkpoint-10" / "model.safetensors"
    os.utime(path, (place.stat().st_mtime + 60,) * 2)
    found = results_below(run)["checkpoint-10/model.safetensors"]
    assert found.ok
    assert not found.outdated
    assert found.message.endswith("with the same bytes")


def test_a_seal_that_is_named_counts_for_a_moved_checkpoint(run: Path, tmp_path: Path) -> None:
    place = seal(run / "checkpoint-10")
    moved = tmp_path / "elsewhere" / "checkpoint-10"
    shutil.copytree(run / "checkpoint-10", moved)
    options = Options(seals=(str(place),))
    found = verify((str(moved),), options)
    assert {file.ok for file in found.files} == {True}
    assert all(file.checked_bytes == file.size_bytes for file in found.files)
    (moved / "trainer_state.json").write_text("{}")
    assert not verify((str(moved),), options).ok


def test_a_named_seal_of_another_checkpoint_is_a_problem(run: Path, tmp_path: Path) -> None:
    place = seal(run / "checkpoint-10")
    found = verify((str(run / "checkpoint-20"),), Options(seals=(str(place),)))
    ((path, reason),) = found.problems
    assert path == str(place)
    assert "checkpoint-10" in reason


def test_a_damaged_seal_is_a_problem_and_the_rest_is_verified(run: Path) -> None:
    seal(run / "checkpoint-10").write_text("{")
    found = verify((str(run),))
    assert found.problems
    assert found.ok
    assert len(found.files) > 10


def test_a_named_seal_that_fits_two_checkpoints_is_held_against_neither(
    run: Path, tmp_path: Path
) -> None:
    place = seal(run / "checkpoint-10")
    other = Path(shutil.copytree(run, tmp_path / "other"))
    (other / "checkpoint-10" / "trainer_state.json").write_text("{}")
    options = Options(seals=(str(place),), use_seals=False)
    found = verify((str(run), str(other)), options)
    assert found.ok
    assert not [file.path for file in found.files if file.method.startswith("CRC-32 of")]
    ((path, why),) = found.problems
    assert path == str(place)
    assert why.startswith("it may be the seal of ")


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_a_moment_that_is_none_in_utc_is_damage(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "seal.json"
    document = {"schema": SCHEMA, "path": "/r/s", "format": "x", "sealed_at": moment, "files": []}
    path.write_text(json.dumps(document))
    with pytest.raises(ArtifactError, match="it is a seal that lacks a field"):
        read_seal(str(path))
