"""What `verify` found is what `check`, `latest` and `show` say from then on."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from ckpt_tui.cli.app import run as main
from ckpt_tui.verify.engine import Options, verify
from ckpt_tui.verify.remembered import remember
from ckpt_tui.verify.results import FileResult, NonFinite, Verified

_SAMPLE = Path(__file__).parents[2] / "sample_runs" / "torch-dcp" / "nested"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a run, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "cache"))
    monkeypatch.delenv("CKPT_TUI_CACHE")
    shutil.copytree(_SAMPLE, tmp_path / "run")
    return tmp_path / "run"


def _rot(file: Path) -> None:
    """Turns one protected bit round, and leaves the times as they were."""
    (found,) = verify([os.fspath(file)], Options(ranges=True)).files
    begin, end = max(found.covered, key=lambda part: part[1] - part[0])
    info, data = file.stat(), bytearray(file.read_bytes())
    data[(begin + end) // 2] ^= 4
    file.write_bytes(data)
    os.utime(file, ns=(info.st_atime_ns, info.st_mtime_ns))


def test_a_bit_that_turned_round_is_found_and_then_known(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", os.fspath(run)]) == 0
    assert main(["verify", os.fspath(run)]) == 0
    capsys.readouterr()
    assert main(["check", os.fspath(run)]) == 0
    _rot(run / "step-20" / "__1_0.distcp")
    assert main(["check", os.fspath(run)]) == 0  # no stat shows it
    assert main(["verify", os.fspath(run / "step-20")]) == 2
    capsys.readouterr()
    assert main(["check", os.fspath(run)]) == 1
    out = capsys.readouterr().out
    assert "RESUME FROM step 10 " in out
    assert "checksum-mismatch: __1_0.distcp: wrong bytes of tensor" in out
    assert main(["check", "--json", os.fspath(run)]) == 1
    newest = json.loads(capsys.readouterr().out)["runs"][0]["checkpoints"][0]
    assert (newest["verdict"], newest["commit"]) == ("corrupt", "committed")
    assert newest["verified"]["ok"] is False
    assert main(["show", os.fspath(run / "step-20")]) == 2
    assert "DO NOT RESUME from this: bytes of __1_0.distcp" in capsys.readouterr().out
    os.utime(run / "step-20" / "__1_0.distcp")
    assert main(["check", "--json", os.fspath(run)]) in (0, 1)
    newest = json.loads(capsys.readouterr().out)["runs"][0]["checkpoints"][0]
    assert newest["verdict"] == "exact"
    assert newest["verified"]["files"] == 4


def _remember(checkpoint: Path, bad: str = "") -> None:
    results = []
    for path in sorted(checkpoint.iterdir()):
        info = path.stat()
        found = (NonFinite("model.weight", 3, 0),) if path.name == bad else ()
        results.append(
            FileResult(
                os.fspath(path),
                info.st_size,
                info.st_mtime_ns,
                info.st_ino,
                10,
                "zip CRC-32",
                True,
                finite_checked=True,
                scanned_bytes=10,
                non_finite=found,
            )
        )
    assert remember(Verified(tuple(results), 1.0)) == ""


def test_values_that_are_not_finite_are_said_where_a_job_would_resume(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _remember(run / "step-20", "__1_0.distcp")
    assert main(["check", os.fspath(run)]) == 1
    assert "BUT IT HOLDS NaN OR INFINITY\n" in capsys.readouterr().out
    _remember(run / "step-10")
    assert main(["check", os.fspath(run)]) == 1
    out = capsys.readouterr().out
    assert "BUT IT HOLDS NaN OR INFINITY: step 10 is the newest found finite" in out
    assert main(["latest", "--print", "step", os.fspath(run)]) == 0
    told = capsys.readouterr()
    assert told.out == "20\n"
    assert "the newest found finite is step 10" in told.err


def test_a_database_that_cannot_be_read_is_one_line(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "cache" / "ckpt-tui" / "verified.sqlite"
    place.parent.mkdir(parents=True)
    place.write_text("no database" * 1000)
    assert main(["check", os.fspath(run)]) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert "remembered results of verify cannot be used" in told[0]


def test_check_reads_no_database_where_there_is_none(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "ckpt_tui.verify.remembered", raising=False)
    assert main(["check", os.fspath(run)]) == 0
    assert "ckpt_tui.verify.remembered" not in sys.modules
    assert not (tmp_path / "cache").exists()
