"""`ckpt-tui seal`: what it keeps, where, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from ckpt_tui.cli.app import run as main
from tests.verify.files import SAMPLES, flip, record_begin, results_below


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path / "state"))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / "torch-dcp" / "nested", tmp_path / "run"))


def listing(path: Path) -> list[tuple[str, int]]:
    return sorted((str(each), each.stat().st_mtime_ns) for each in path.rglob("*"))


def test_a_checkpoint_is_sealed_in_the_users_directory(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = listing(run)
    assert main(["seal", str(run / "step-10")]) == 0
    assert listing(run) == before
    (seal,) = (tmp_path / "state" / "ckpt-tui" / "seals").iterdir()
    assert str(seal) in capsys.readouterr().out
    document = json.loads(seal.read_text())
    assert document["path"] == str(run / "step-10")
    assert {file["path"] for file in document["files"]} == {
        path.name for path in (run / "step-10").iterdir()
    }
    found = results_below(run)
    assert {file.checked_bytes == file.size_bytes for file in found.values()} == {True, False}
    flip(run / "step-10" / ".metadata", 100)
    assert results_below(run)["step-10/.metadata"].ok is False


def test_a_run_is_sealed_checkpoint_by_checkpoint(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["seal", "--json", str(run)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "ckpt-tui/sealed/1"
    assert sorted(each["path"] for each in document["sealed"]) == [
        str(run / "step-10"),
        str(run / "step-20"),
    ]
    assert all(file.checked_bytes == file.size_bytes for file in results_below(run).values())


def test_beside_it_lies_a_hidden_file_and_nothing_inside_changes(run: Path) -> None:
    before = listing(run / "step-10")
    assert main(["seal", "--beside", str(run / "step-10")]) == 0
    assert listing(run / "step-10") == before
    assert sorted(path.name for path in run.iterdir()) == [
        ".step-10.ckpt-tui-seal.json",
        "step-10",
        "step-20",
    ]


def test_a_single_file(tmp_path: Path) -> None:
    path = tmp_path / "run" / "ckpt_000300.pt"
    shutil.copytree(SAMPLES / "torch-file" / "numbered", path.parent)
    assert main(["seal", str(path)]) == 0
    found = results_below(path.parent)
    assert found["ckpt_000300.pt"].checked_bytes == path.stat().st_size
    assert found["ckpt_000200.pt"].checked_bytes < found["ckpt_000200.pt"].size_bytes


def test_what_is_not_committed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = shutil.copytree(SAMPLES / "torch-dcp" / "flat_killed", tmp_path / "run")
    uncommitted = [
        path.parent for path in run.rglob("*.distcp") if not list(path.parent.glob(".m*"))
    ]
    assert uncommitted
    assert main(["seal", str(uncommitted[0])]) == 2
    assert "it is not committed" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()


def test_what_is_wrong_already_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run" / "ckpt_000300.pt"
    shutil.copytree(SAMPLES / "torch-file" / "numbered", path.parent)
    flip(path, record_begin(path, "ckpt_000300/data/0"))
    assert main(["seal", str(path)]) == 2
    assert "it is wrong already" in capsys.readouterr().err


def test_what_changes_meanwhile_is_refused(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ckpt_tui.cli import seal

    real = seal.verify

    def writing(*arguments: Any, **named: Any) -> Any:
        found = real(*arguments, **named)
        (run / "step-10" / "late.json").write_text("{}")
        return found

    monkeypatch.setattr(seal, "verify", writing)
    assert main(["seal", str(run / "step-10")]) == 2
    assert "it changed while it was read" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_3(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    assert main(["seal", str(run / "step-10")]) == 3
    assert "cannot be written" in capsys.readouterr().err


def test_no_checkpoint_there(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["seal", str(tmp_path / "empty")]) == 4
    assert main(["seal", str(tmp_path / "none")]) == 3


@pytest.mark.parametrize("name", ["ckpt_000300.pt", ""])
def test_below_a_link_it_lists_what_lies_there(tmp_path: Path, name: str) -> None:
    shutil.copytree(SAMPLES / "torch-file" / "numbered", tmp_path / "real" / "run")
    (tmp_path / "link").symlink_to("real")
    assert main(["seal", str(tmp_path / "link" / "run" / name)]) == 0
    seals = list((tmp_path / "state" / "ckpt-tui" / "seals").iterdir())
    assert seals
    assert all(json.loads(seal.read_text())["files"] for seal in seals)


def test_a_server_whose_clock_is_ahead_takes_nothing_from_the_seal(run: Path) -> None:
    path = run / "step-10" / ".metadata"
    ahead = time.time_ns() + 600 * 10**9
    os.utime(path, ns=(ahead, ahead))
    assert main(["seal", str(run / "step-10")]) == 0
    flip(path, 100)
    assert results_below(run)["step-10/.metadata"].ok is False


def test_a_seal_that_differs_is_replaced_only_when_asked(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint = str(run / "step-10")
    assert main(["seal", checkpoint]) == 0
    assert main(["seal", checkpoint]) == 0
    (run / "step-10" / "note.txt").write_text("one")
    assert main(["seal", checkpoint]) == 0
    (run / "step-10" / "note.txt").write_text("two")
    capsys.readouterr()
    assert main(["seal", checkpoint]) == 2
    told = capsys.readouterr().err
    assert "it differs from the seal of " in told
    assert ": note.txt; --again replaces it" in told
    assert main(["seal", "--again", checkpoint]) == 0
    assert main(["seal", checkpoint]) == 0


def test_of_a_run_what_is_passed_over_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = shutil.copytree(SAMPLES / "torch-dcp" / "flat_killed", tmp_path / "run")
    assert main(["seal", "--json", str(run)]) == 0
    told = capsys.readouterr()
    document = json.loads(told.out)
    assert document["sealed"]
    assert document["refused"]
    for refused in document["refused"]:
        assert refused["why"].startswith("it is not committed: ")
        assert refused["path"] in told.err


def test_what_was_written_after_its_seal_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(SAMPLES / "msgpack-file" / "loop", tmp_path / "run")
    path = sorted((tmp_path / "run").glob("*.msgpack"))[0]
    assert main(["seal", str(path)]) == 0
    later = time.time() + 600
    os.utime(path, (later, later))
    capsys.readouterr()
    assert main(["verify", str(path)]) == 0
    assert "with the same bytes" in capsys.readouterr().out
    flip(path, path.stat().st_size - 1)
    assert main(["verify", str(path)]) == 0
    told = capsys.readouterr().out
    assert "its bytes are not those of the seal of" in told
    assert "written after its seal" in told
    assert "nothing protects" not in told
