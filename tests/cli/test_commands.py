"""The command line as a process: exit codes, streams, JSON."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ckpt_tui import __version__
from tests.cli.process import ROOT, ckpt_tui
from tests.store.runs import ROLES, write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path


def cold(path: Path) -> None:
    for directory, _, names in os.walk(path, topdown=False):
        for name in (*names, "."):
            os.utime(os.path.join(directory, name), (1_700_000_000, 1_700_000_000))


@pytest.fixture
def good(tmp_path: Path) -> Path:
    write_checkpoint(tmp_path / "run", 10)
    write_checkpoint(tmp_path / "run", 20)
    return tmp_path / "run"


@pytest.fixture
def warned(good: Path) -> Path:
    write_checkpoint(good, 30, commit=False)
    cold(good)
    return good


@pytest.fixture
def critical(tmp_path: Path) -> Path:
    write_checkpoint(tmp_path / "run", 10, commit=False)
    cold(tmp_path)
    return tmp_path / "run"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


class TestCheck:
    def test_ok(self, good: Path) -> None:
        ended = ckpt_tui("check", good)
        assert ended.code == 0
        assert "RESUME FROM step 20" in ended.out
        assert not ended.err

    def test_a_directory_alone_prints_the_same_without_a_terminal(self, good: Path) -> None:
        assert ckpt_tui(good) == ckpt_tui("check", good)

    def test_warning_says_why_not_the_newer_one(self, warned: Path) -> None:
        ended = ckpt_tui("check", warned)
        assert ended.code == 1
        assert "RESUME FROM step 20" in ended.out
        assert "manifest.json" in ended.out

    def test_critical(self, critical: Path) -> None:
        ended = ckpt_tui("check", critical)
        assert ended.code == 2
        assert "NOTHING TO RESUME FROM" in ended.out

    def test_missing(self, tmp_path: Path) -> None:
        ended = ckpt_tui("check", tmp_path / "nowhere")
        assert ended.code == 3
        assert "nowhere" in ended.err

    def test_empty_says_what_was_looked_for(self, empty: Path) -> None:
        ended = ckpt_tui("check", empty)
        assert ended.code == 4
        assert "torch-dcp" in ended.out
        assert ckpt_tui("check", empty, "--expect-checkpoint").code == 2

    def test_the_worst_of_several(self, good: Path, empty: Path) -> None:
        assert ckpt_tui("check", good, empty).code == 4
        assert ckpt_tui("check", good, empty / "gone").code == 3

    def test_ages_and_counts(self, good: Path) -> None:
        assert ckpt_tui("check", good, "--warn-age", "1m").code == 1
        assert ckpt_tui("check", good, "--crit-age", "1m").code == 2
        assert ckpt_tui("check", good, "--min-good", "3").code == 1
        assert ckpt_tui("check", good, "--min-good", "2").code == 0

    def test_json(self, warned: Path) -> None:
        ended = ckpt_tui("check", warned, "--json")
        document = ended.json()
        assert document["schema"] == "ckpt-tui/check/1"
        assert document["tool_version"] == __version__
        assert document["exit_code"] == ended.code == 1
        assert document["root"] == str(warned)
        (run,) = document["runs"]
        assert run["resume"]["step"] == 20
        assert [r["step"] for r in run["resume"]["rejected_newer"]] == [30]
        newest = run["checkpoints"][0]
        assert newest["verdict"] == newest["commit"] == "uncommitted"
        assert {f["code"] for f in newest["findings"]} >= {"not-committed"}
        assert all(f["path"].startswith("/") for f in newest["findings"])

    def test_required_roles(self, tmp_path: Path) -> None:
        write_checkpoint(tmp_path, 10, roles=ROLES[:3])
        ended = ckpt_tui("check", tmp_path, "--require", "model,optimizer,scheduler", "--json")
        assert ended.json()["runs"][0]["checkpoints"][0]["verdict"] == "exact"
        assert ckpt_tui("check", tmp_path, "--require", "modle").code == 64

    def test_plugin_line(self, warned: Path, empty: Path) -> None:
        line = ckpt_tui("check", warned, "--plugin")
        assert line.code == 1
        assert line.out.startswith("CKPT WARNING - ")
        assert "'run.good'=2" in line.out.split("|")[1]
        assert len(line.out.splitlines()) == 1
        assert ckpt_tui("check", empty, "--plugin").code == 0
        assert ckpt_tui("check", empty, "--plugin", "--expect-checkpoint").code == 2

    def test_timeout(self, good: Path) -> None:
        assert ckpt_tui("check", good, "--timeout", "30").code == 0

    def test_a_closed_pipe_is_no_error(self, good: Path) -> None:
        command = f"{sys.executable} -m ckpt_tui check {good} --json | head -c 1"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False, cwd=ROOT
        )
        assert done.returncode == 0
        assert not done.stderr

    def test_a_command_word_wins_over_a_directory(self, tmp_path: Path) -> None:
        write_checkpoint(tmp_path / "check", 10)
        done = subprocess.run(
            [sys.executable, "-m", "ckpt_tui", "./check"],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        assert done.returncode == 0
        assert "RESUME FROM step 10" in done.stdout


class TestLatest:
    def test_prints_one_line(self, warned: Path) -> None:
        ended = ckpt_tui("latest", warned)
        assert (ended.code, ended.out) == (0, f"{warned}/step-20\n")
        assert ended.err.startswith(f"ckpt-tui: {warned}/step-30: passed over: uncommitted: ")
        assert ckpt_tui("latest", warned, "--print", "step").out == "20\n"
        assert ckpt_tui("latest", warned, "--print", "tag").out == "step-20\n"
        assert "step-20" in ckpt_tui("latest", warned, "--print", "flag").out

    def test_json(self, warned: Path) -> None:
        document = ckpt_tui("latest", warned, "--json").json()
        assert document["resume"]["path"] == f"{warned}/step-20"

    def test_nothing_resumable(self, critical: Path) -> None:
        ended = ckpt_tui("latest", critical)
        assert ended.code == 2
        assert not ended.out
        assert "uncommitted" in ended.err

    def test_none_yet(self, empty: Path) -> None:
        assert ckpt_tui("latest", empty).code == 4
        assert ckpt_tui("latest", empty, "--expect-checkpoint").code == 2
        assert ckpt_tui("latest", empty / "gone").code == 3

    def test_several_runs(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            write_checkpoint(tmp_path / name, 10)
        ended = ckpt_tui("latest", tmp_path)
        assert ended.code == 64
        assert not ended.out
        assert "a" in ended.err
        assert ckpt_tui("latest", tmp_path, "--run", "b").out == f"{tmp_path}/b/step-10\n"
        assert ckpt_tui("latest", tmp_path, "--run", "c").code == 64

    def test_exact(self, tmp_path: Path) -> None:
        write_checkpoint(tmp_path, 10, roles=ROLES[:2])
        write_checkpoint(tmp_path, 20, roles=ROLES[:2])
        assert ckpt_tui("latest", tmp_path, "--exact").code == 2


class TestShow:
    def test_one_checkpoint(self, warned: Path) -> None:
        ended = ckpt_tui("show", warned / "step-20")
        assert ended.code == 0
        assert "model-rank1.bin" in ended.out
        document = ckpt_tui("show", warned / "step-30", "--json").json()
        assert document["schema"] == "ckpt-tui/show/1"
        assert document["checkpoint"]["verdict"] == "uncommitted"

    def test_a_run_is_no_checkpoint(self, warned: Path) -> None:
        ended = ckpt_tui("show", warned)
        assert ended.code == 4
        assert "3 checkpoints below" in ended.err


class TestPlan:
    def test_the_lessons_table(self) -> None:
        document = ckpt_tui("plan", "--json").json()
        totals = [row["total_overhead_minutes"] for row in document["lesson"]["rows"]]
        assert totals == [199.44, 107.04, 66.24, 56.64]
        assert document["lesson"]["best_listed_minutes"] == 120
        assert document["young_minutes"] == pytest.approx(109.544512, abs=1e-6)
        assert document["daly_minutes"] == pytest.approx(108.215235, abs=1e-6)
        assert document["exact"]["best_continuous_minutes"] == pytest.approx(108.215255, abs=1e-6)

    def test_bad_input_names_the_option(self) -> None:
        ended = ckpt_tui("plan", "--save-minutes", "-1")
        assert ended.code == 64
        assert "save" in ended.err

    def test_ways_to_give_the_rate(self) -> None:
        by_mtbf = ckpt_tui("plan", "--mtbf-hours", "50", "--json").json()
        by_nodes = ckpt_tui("plan", "--nodes", "10", "--node-mtbf-hours", "500", "--json").json()
        assert by_mtbf["young_minutes"] == by_nodes["young_minutes"]
        assert ckpt_tui("plan", "--nodes", "10").code == 64

    def test_from_a_directory(self, good: Path) -> None:
        document = ckpt_tui("plan", "--from", good, "--json").json()
        assert document["inputs"]["current_interval_minutes"] == pytest.approx(10)
        assert document["from_directory"]["saves"] == 2


class TestProgram:
    def test_version_and_help(self) -> None:
        assert ckpt_tui("--version").out.split()[-1] == __version__
        assert ckpt_tui("-V").code == 0
        for command in ("check", "latest", "show", "plan", "demo"):
            assert ckpt_tui(command, "-h").code == 0
            assert command in ckpt_tui("--help").out

    def test_usage_errors(self) -> None:
        assert ckpt_tui("check", "--no-such-option").code == 64
        assert ckpt_tui("demo", "--headless").code == 64

    def test_no_such_directory_and_no_command(self) -> None:
        ended = ckpt_tui("chekc")
        assert ended.code == 3
        assert "chekc" in ended.err


class TestMistakes:
    """Wrong variables in a launch script must never look like "no checkpoint yet"."""

    def test_an_empty_path(self) -> None:
        assert ckpt_tui("latest", "").code == 64
        assert ckpt_tui("check", "").code == 64

    def test_a_file_that_is_no_checkpoint(self, good: Path) -> None:
        ended = ckpt_tui("latest", good / "step-20" / "manifest.json")
        assert ended.code == 3
        assert "no checkpoint of a known format" in ended.err

    def test_a_run_of_a_format_that_is_not_read_beside_another(self, good: Path) -> None:
        (good.parent / "mxnet" / "10").mkdir(parents=True)
        (good.parent / "mxnet" / "10" / "net-symbol.json").write_text("{}")
        ended = ckpt_tui("latest", good.parent)
        assert ended.code == 3
        assert "MXNet" in ended.err
        assert ckpt_tui("latest", good.parent, "--run", "run").code == 0
        assert ckpt_tui("check", good.parent).code == 3

    def test_streams_with_a_poor_encoding_or_closed(self, good: Path) -> None:
        assert ckpt_tui("check", good, PYTHONIOENCODING="ascii").code == 0
        done = subprocess.run(
            ["bash", "-c", f"{sys.executable} -m ckpt_tui check {good} >&-"],
            capture_output=True,
            check=False,
            cwd=ROOT,
        )
        assert done.returncode == 0
        assert not done.stderr

    def test_limits_are_told(self, good: Path) -> None:
        document = ckpt_tui("check", good, "--crit-age", "1m", "--json").json()
        (run,) = document["runs"]
        assert run["level"] == "critical"
        assert "resume-point-old" in {finding["code"] for finding in run["findings"]}
        assert "too-few-good" in ckpt_tui("check", good, "--min-good", "9").out

    def test_a_missing_directory_is_told_once(self, tmp_path: Path) -> None:
        ended = ckpt_tui("check", tmp_path / "gone")
        assert len(ended.err.splitlines()) == 1
        assert not ended.out


class TestOtherWorldSize:
    def test_rows_say_that_they_do_not_fit(self, tmp_path: Path) -> None:
        write_checkpoint(tmp_path, 10, world_size=2)
        ended = ckpt_tui("check", tmp_path, "--world-size", "3")
        assert ended.code == 2
        assert "other size" in ended.out
        document = ckpt_tui("check", tmp_path, "--world-size", "3", "--json").json()
        assert document["world_size"] == 3
        assert document["runs"][0]["checkpoints"][0]["resumable"] is False

    def test_without_it_no_size_was_asked_for(self, tmp_path: Path) -> None:
        write_checkpoint(tmp_path, 10, world_size=2)
        assert ckpt_tui("check", tmp_path, "--json").json()["world_size"] is None
