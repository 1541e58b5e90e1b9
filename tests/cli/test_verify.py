"""`ckpt-tui verify` and `latest --verify`: exit codes, report, document, progress, interrupts."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ckpt_tui.cli import latest_verified
from ckpt_tui.cli.app import run as main
from ckpt_tui.cli.latest_verified import Sound
from ckpt_tui.cli.progress_line import progress_text
from ckpt_tui.verify.rate import ReadRate
from ckpt_tui.verify.results import Progress, Verified
from tests.cli.process import ROOT, ckpt_tui
from tests.verify.files import SAMPLES, flip, record_begin


@pytest.fixture(autouse=True)
def _own_directories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", os.fspath(tmp_path / "state"))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / "torch-file" / "numbered", tmp_path / "run"))


def damage(run: Path, step: int) -> None:
    name = f"ckpt_{step:06}"
    path = run / f"{name}.pt"
    flip(path, record_begin(path, f"{name}/data/0"))


def test_a_right_run(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(run)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert "WRONG" not in told.out
    assert "3 files, 0 of them wrong" in told.out
    assert "nothing protects the other" in told.out
    rows = [line for line in told.out.splitlines() if line.endswith(".pt")]
    assert len(rows) == 3
    assert all(row.startswith("protected part right  ") for row in rows), "headers are a tenth"


def test_where_checksums_cover_all_it_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(SAMPLES / "tensorflow" / "killed")]) == 0
    results = {
        line.rpartition("/")[2]: line.partition("  ")[0]
        for line in capsys.readouterr().out.splitlines()
    }
    assert results["ckpt-1.index"] == "right"
    assert results["ckpt-3_temp"] == "no checksum, not committed"
    main(["verify", "--json", str(SAMPLES / "tensorflow" / "killed")])
    uncommitted = json.loads(capsys.readouterr().out)["uncommitted"]
    assert [os.path.basename(path) for path in uncommitted] == ["ckpt-3_temp"]


def test_wrong_bytes_come_first_with_place_and_tensor(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(run, 300)
    assert main(["verify", str(run)]) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"WRONG  {run}/ckpt_000300.pt"
    assert "record ckpt_000300/data/0 at byte" in lines[1]
    assert "tensor model." in lines[1]
    assert lines[4].startswith("1 wrong")
    assert lines[4].endswith("ckpt_000300.pt")


def test_what_else_there_is_to_say_stands_below_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["verify", str(SAMPLES / "orbax" / "whole")]) == 0
    lines = capsys.readouterr().out.splitlines()
    notes = [place for place, line in enumerate(lines) if line.startswith("NOTE  ")]
    assert len(notes) == 1
    assert "no manifest that can be read refers to it" in lines[notes[0]]
    assert "more files" in lines[notes[0] + 1]
    assert notes[0] > next(place for place, line in enumerate(lines) if line.startswith("result"))


def test_the_document(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(run, 300)
    assert main(["verify", "--json", str(run)]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "ckpt-tui/verify/1"
    assert document["ok"] is False
    assert document["exit_code"] == 2
    files = document["files"]
    assert document["bytes"] == sum(file["bytes"] for file in files)
    assert [file["ok"] for file in files] == [True, True, False]
    assert {"path", "bytes", "checked_bytes", "method", "ok", "message"} <= files[0].keys()
    (fault,) = files[2]["faults"]
    assert fault["code"] == "checksum-mismatch"
    assert fault["tensor"].startswith("model.")


def test_what_cannot_be_read_is_3(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(run), str(run / "none")]) == 3
    told = capsys.readouterr()
    assert "none: No such file or directory" in told.err
    assert "3 files" in told.out


def test_nan_alone_is_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "model.safetensors"
    text = json.dumps({"w": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"\x00\x7e\x00\xfc")
    assert main(["verify", str(path)]) == 0
    assert main(["verify", "--finite", str(path)]) == 1
    told = capsys.readouterr().out
    assert f"NOT FINITE  {path}" in told
    assert "tensor w: 1 NaN, 1 infinite" in told


@pytest.mark.parametrize("arguments", [[], ["--jobs", "0", "x"], ["--jobs", "many", "x"], [""]])
def test_misuse_is_64(arguments: list[str]) -> None:
    assert main(["verify", *arguments]) == 64


def test_an_empty_directory_has_nothing_to_verify(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert main(["verify", str(tmp_path / "empty")]) == 3
    assert capsys.readouterr().out == "there is no file to verify\n"


def test_names_from_the_disk_move_no_cursor(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a\x1b[2Jb.json"
    path.write_text("{")
    assert main(["verify", str(path)]) == 2
    assert "\x1b" not in capsys.readouterr().out


def test_a_time_limit_lets_it_end(run: Path) -> None:
    ended = ckpt_tui("verify", "--timeout", "30", run)
    assert (ended.code, ended.err) == (0, "")


def test_what_was_found_is_remembered_for_check(run: Path, tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "CKPT_TUI_CACHE": "1"}
    damage(run, 300)
    assert ckpt_tui("check", run, **environment).code == 0
    assert ckpt_tui("verify", run, **environment).code == 2
    checked = ckpt_tui("check", "--json", run, **environment)
    assert checked.json()["runs"][0]["resume"]["step"] == 200


def test_an_interrupt_tells_what_was_done(run: Path) -> None:
    code = (
        "import os, signal, sys, threading\n"
        "from ckpt_tui.fs import calls, system\n"
        "from ckpt_tui.cli.app import run\n"
        "class Hanging(system.System):\n"
        "    def open(self, path, flags):\n"
        "        if path.endswith('ckpt_000300.pt'):\n"
        "            print('hangs', file=sys.stderr, flush=True)\n"
        "            threading.Event().wait()\n"
        "        return os.open(path, flags)\n"
        "with calls.replaced(Hanging()):\n"
        "    sys.exit(run(['verify', '--jobs', '2', sys.argv[1]]))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(run)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as child:
        assert child.stderr is not None
        for line in child.stderr:  # the search opens it, too: until the last one hangs
            if line == "hangs\n":
                break
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "it was interrupted: this is what was done" in out


def test_progress_says_rate_and_time_left() -> None:
    rate = ReadRate()
    for second in range(4):
        progress = Progress("/runs/a\nb.pt", second * 2**30, 10 * 2**30, 1, 9, 2)
        rate.note(progress, float(second))
    assert progress_text(progress, rate) == (
        "3.00 GiB of 10.0 GiB, 1 of 9 files  1.00 GiB/s, 7.0 s left  2 wrong  /runs/a\\nb.pt"
    )


def test_latest_passes_a_wrong_one_over(run: Path) -> None:
    assert ckpt_tui("latest", "--verify", run).out == f"{run}/ckpt_000300.pt\n"
    damage(run, 300)
    assert ckpt_tui("latest", run).out == f"{run}/ckpt_000300.pt\n"
    told = ckpt_tui("latest", "--verify", run)
    assert (told.code, told.out) == (0, f"{run}/ckpt_000200.pt\n")
    assert "ckpt_000300.pt: passed over: its bytes have the CRC-32" in told.err


def test_latest_says_how_much_nothing_protects(run: Path) -> None:
    told = ckpt_tui("latest", "--verify", run)
    assert re.search(r"ckpt_000300\.pt: only \S+ KiB of \S+ KiB are protected", told.err)
    bare = SAMPLES / "pickle-file" / "atomic"
    told = ckpt_tui("latest", "--verify", bare)
    assert told.out == f"{bare}/ckpt_000200.pkl\n"
    assert "ckpt_000200.pkl: no checksum protects any of its bytes" in told.err
    covered = SAMPLES / "tensorflow" / "manager"
    assert ckpt_tui("latest", "--verify", covered).err == ""


def test_a_configured_timeout_is_not_for_reading_all_bytes(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"  # with a limit the command runs in a process of its own

    def first_sound(_run: object, *, exact: bool, timeout_seconds: float | None) -> Sound:
        with seen.open("a") as stream:
            stream.write(f"{timeout_seconds}\n")
        return Sound(None)

    monkeypatch.setattr(latest_verified, "first_sound", first_sound)
    monkeypatch.setenv("CKPT_TUI_TIMEOUT", "30s")
    main(["latest", "--verify", str(run)])
    main(["latest", "--verify", "--timeout", "2h", str(run)])
    assert seen.read_text().split() == ["None", "7200.0"]


def test_latest_of_nothing_sound_is_2(run: Path) -> None:
    for step in (100, 200, 300):
        damage(run, step)
    told = ckpt_tui("latest", "--verify", run)
    assert (told.code, told.out) == (2, "")
    assert "of no resumable checkpoint are all bytes right" in told.err


def test_latest_reads_the_bytes_below_a_link_too(run: Path, tmp_path: Path) -> None:
    damage(run, 300)
    link = tmp_path / "link"
    link.symlink_to(run.parent)
    told = ckpt_tui("latest", "--verify", link / run.name)
    assert (told.code, told.out) == (0, f"{link}/{run.name}/ckpt_000200.pt\n")


def test_latest_does_not_call_right_what_was_not_read(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(latest_verified, "verify", lambda *_, **__: Verified((), 0.1))
    assert main(["latest", "--verify", str(run)]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert "ckpt_000300.pt: passed over: none of its files was found" in told.err


def test_a_log_in_a_checkpoint_stops_no_resume(tmp_path: Path) -> None:
    run = shutil.copytree(SAMPLES / "hf-trainer" / "single", tmp_path / "run")
    newest = Path(run) / "checkpoint-20"
    (newest / "notes.json").write_text("// none of Trainer's\n")
    assert ckpt_tui("verify", newest).code == 2
    assert ckpt_tui("latest", "--verify", run).out == f"{newest}\n"
    assert ckpt_tui("latest", run).out == f"{newest}\n"
    (newest / "trainer_state.json").write_text("{")
    assert ckpt_tui("latest", "--verify", run).out == f"{run}/checkpoint-10\n"
