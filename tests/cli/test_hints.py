"""Hints on stderr where nothing is seen, and silence elsewhere."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli import hints
from ckpt_tui.cli.app import run
from tests.formats.dcp_builder import write_dcp
from tests.formats.torch_builder import Shape

if TYPE_CHECKING:
    from pathlib import Path

STATE = {
    "model.weight": Shape((4, 2)),
    "optimizer.state.weight.exp_avg": Shape((4, 2)),
    "progress.step": 10,
}


@pytest.fixture
def gpt(tmp_path: Path) -> Path:
    """A run with one checkpoint."""
    write_dcp(tmp_path / "gpt-7b" / "step-10", STATE)
    return tmp_path / "gpt-7b"


@pytest.mark.parametrize("command", ["check", "latest"])
def test_a_path_that_is_not_there(
    gpt: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = str(gpt.parent / "gtp-7b")
    assert run([command, typed]) == 3
    hint = f"hint: {typed} is not there; did you mean {gpt}? (ckpt-tui {command} {gpt})"
    assert hint in capsys.readouterr().err


def test_the_dashboard_gives_it_too(gpt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(gpt.parent / "gtp-7b")]) == 3
    assert f"did you mean {gpt}? (ckpt-tui {gpt})" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "latest"])
def test_an_empty_directory_says_what_was_looked_for(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "outputs").mkdir()
    assert run([command, str(tmp_path)]) == 4
    said = capsys.readouterr()
    assert "Looked through 2 directories. The search goes up to 6 levels down" in said.err
    assert f"hint: {tmp_path}/outputs is there, and holds no checkpoint" in said.err


def test_an_export_says_that_it_is_one(export: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["latest", str(export)]) == 4
    assert "holds exports: weights without a job's state" in capsys.readouterr().err


@pytest.fixture
def export(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A directory with the weights of a model and nothing else."""
    real = request.config.rootpath / "sample_runs" / "hf-trainer" / "single"
    for name in ("model.safetensors", "config.json"):
        shutil.copy(real / name, tmp_path / name)
    return tmp_path


def test_one_broken_checkpoint_names_its_run(gpt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (gpt / "step-10" / "__0_0.distcp").unlink()
    run(["check", "--settle", "0", str(gpt / "step-10")])
    said = capsys.readouterr().err
    assert f"is one checkpoint; its run is {gpt} (ckpt-tui check {gpt})" in said


def test_a_mount_that_dies_costs_the_hint_alone(
    gpt: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (gpt / "step-10" / "__0_0.distcp").unlink()
    answers = threading.Event()
    monkeypatch.setattr(hints, "_PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(hints, "one_of_a_run", lambda _path: answers.wait(30.0))
    assert run(["check", "--settle", "0", str(gpt / "step-10")]) != 0
    assert not answers.is_set()
    answers.set()
    assert "its run is" not in capsys.readouterr().err


def test_where_all_is_well_nothing_is_said(gpt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["latest", str(gpt)]) == 0
    assert run(["latest", str(gpt / "step-10")]) == 0
    run(["check", str(gpt)])
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("style", ["--json", "--plugin"])
def test_programs_get_no_hints(
    tmp_path: Path, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["check", style, str(tmp_path)])
    assert "hint" not in capsys.readouterr().err
