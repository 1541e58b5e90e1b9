"""A checkpoint that is named by one of its files, or by the prefix that its framework takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ckpt_tui.cli.app import run as main
from ckpt_tui.formats.named_paths import checkpoint_of, file_of
from ckpt_tui.formats.shared.names import is_named_alike
from ckpt_tui.store.index import Store

SAMPLES = Path(__file__).parents[2] / "sample_runs"


@pytest.mark.parametrize(
    ("part", "whole", "verdict"),
    [
        ("keras/sharded/cp-03.weights.json", "cp-03.weights.json", "inexact"),
        ("keras/sharded/cp-03_00000.weights.h5", "cp-03.weights.json", "inexact"),
        ("paddle/hapi/1.pdparams", "1.pdparams", "inexact"),
        ("paddle/hapi/1.pdopt", "1.pdparams", "inexact"),
        ("tensorflow/manager/ckpt-3.data-00000-of-00001", "ckpt-3.index", "exact"),
        ("tensorflow/manager/ckpt-3.index", "ckpt-3.index", "exact"),
        ("torch-file/numbered/ckpt_000300.pt", "ckpt_000300.pt", "exact"),
    ],
)
def test_a_part_stands_for_the_whole(part: str, whole: str, verdict: str) -> None:
    (run,) = Store(str(SAMPLES / part)).look().runs
    assert [(c.facts.name, c.verdict) for c in run.checkpoints] == [(whole, verdict)]
    assert checkpoint_of(str(SAMPLES / part)) == run.checkpoints[0].path


def test_a_part_is_shown_as_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    run = SAMPLES / "tensorflow" / "manager"
    told = []
    for name in ("ckpt-3.data-00000-of-00001", "ckpt-3.index", "ckpt-3"):
        assert main(["show", str(run / name)]) == 0
        assert main(["check", str(run / name)]) == 0
        told.append([line for line in capsys.readouterr().out.splitlines() if "ago" not in line])
    assert told[0] == told[1] == told[2]


@pytest.mark.parametrize(
    ("name", "other", "alike"),
    [
        ("1.pdopt", "1.pdparams", True),
        ("10.pdopt", "1.pdparams", False),
        ("cp-03_00001.weights.h5", "cp-03.weights.json", True),
        ("cp-03.weights.json", "cp-03_00001.weights.h5", True),
        ("ckpt-30.index", "ckpt-3.index", False),
        ("model_1.pt", "model_2.pt", False),
        ("optimizer.pt", "model.pt", False),
    ],
)
def test_names_of_one_checkpoint(name: str, other: str, alike: bool) -> None:
    assert is_named_alike(name, other) is alike


def test_a_prefix_stands_for_its_index(tmp_path: Path) -> None:
    prefix = tmp_path / "ckpt-3"
    assert file_of(str(prefix)) == str(prefix)
    (tmp_path / "ckpt-3.index").touch()
    assert file_of(str(prefix)) == f"{prefix}.index"
    prefix.mkdir()
    assert file_of(str(prefix)) == str(prefix)


@pytest.mark.parametrize("command", ["check", "show", "verify"])
def test_what_latest_prints_is_taken(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["latest", str(SAMPLES / "tensorflow" / "manager")]) == 0
    printed = capsys.readouterr().out.strip()
    assert not Path(printed).exists()
    assert main([command, printed]) == 0


def test_a_checkpoint_that_is_named_by_itself_says_nothing_of_pointers() -> None:
    """The pointer lies beside it, and is not looked at."""
    for path in ("deepspeed/zero1/global_step10", "tensorflow/manager/ckpt-3.index"):
        (run,) = Store(str(SAMPLES / path)).look().runs
        assert run.findings == ()
