"""The documented example, installed and asked by the command line and the dashboard."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.registry import names_tried, reader_names
from tests.cli.process import ROOT, ckpt_tui
from tests.cli.test_commands import cold
from tests.plug_ins.installed import install_example, write_toy
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plug_ins.installed import Installed


@pytest.fixture
def toy(tmp_path: Path) -> Installed:
    return install_example(tmp_path / "site")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two good ones, one with a short file, one that was cut."""
    run = tmp_path / "runs" / "toy"
    write_toy(run, 10)
    write_toy(run, 20)
    write_toy(run, 30, cut="optimizer")
    write_toy(run, 40, commit=False)
    cold(run)
    return run


def test_check_judges_with_it(toy: Installed, run: Path) -> None:
    ended = ckpt_tui("check", run, "--json", **toy.environment)
    (judged,) = ended.json()["runs"]
    assert judged["resume"]["step"] == 20
    assert judged["resume"]["load"] == f"--resume {run / 'step-20'}"
    assert {c["format"] for c in judged["checkpoints"]} == {"toy-ini"}
    verdicts = {c["path"].rpartition("/")[2]: c["verdict"] for c in judged["checkpoints"]}
    assert verdicts == {
        "step-10": "exact", "step-20": "exact", "step-30": "corrupt", "step-40": "uncommitted",
    }  # fmt: skip
    assert ended.code == 1
    assert not ended.err


def test_without_it_there_is_no_checkpoint(run: Path) -> None:
    assert ckpt_tui("check", run).code == 4


def test_latest_show_and_one_checkpoint_alone(toy: Installed, run: Path) -> None:
    assert ckpt_tui("latest", run, **toy.environment).out == f"{run / 'step-20'}\n"
    shown = ckpt_tui("show", run / "step-30", **toy.environment)
    assert shown.code == 2
    assert "optimizer.raw is 4 bytes long" in shown.out


def test_beside_a_run_of_ours(toy: Installed, run: Path) -> None:
    write_checkpoint(run.parent / "own", 10)
    document = ckpt_tui("check", run.parent, "--json", **toy.environment).json()
    assert [r["name"] for r in document["runs"]] == ["own", "toy"]


def test_an_empty_directory_says_that_it_was_looked_for(toy: Installed, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "toy-ini" in ckpt_tui("check", tmp_path / "empty", **toy.environment).out


def test_a_directory_just_made_is_one_of_the_run(toy: Installed, run: Path) -> None:
    (run / "step-50").mkdir()
    document = ckpt_tui("check", run, "--settle", "0", "--json", **toy.environment).json()
    formats = {c["path"]: c["format"] for c in document["runs"][0]["checkpoints"]}
    assert formats[str(run / "step-50")] == "toy-ini"


LIVE = """
import asyncio, re, sys
from ckpt_tui.cli.live import LiveFeed
from ckpt_tui.store.members import Options
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from tests.plug_ins.installed import write_toy
from pathlib import Path

async def screens():
    run = Path(sys.argv[1])
    feed = LiveFeed(str(run), Options(), force_poll=True)
    app = DashboardApp(feed, DashboardOptions())
    async with app.run_test(size=(100, 24)) as pilot:
        async def until(step):  # the end of a look: before it the header says SO FAR
            while True:
                await pilot.pause(0.02)
                shown = "\\n".join(s.text for s in app.screen._compositor.render_strips())
                if re.search(f"RESUME FROM +{step}", shown):
                    return shown
        shown = await until("step 20")
        write_toy(run, 60)
        feed.refresh()
        print(shown, await until("step 60"), sep="\\n")
        feed.stop()

asyncio.run(asyncio.wait_for(screens(), 30))
"""


def test_the_dashboard_lists_it_and_follows(toy: Installed, run: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIVE, str(run)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"} | toy.environment,
    )
    assert "toy-ini" in done.stdout
    assert re.findall(r"RESUME FROM +(step \d+)", done.stdout) == ["step 20", "step 60"]


def test_no_plug_in_is_looked_for_where_nothing_is_left_over(tmp_path: Path) -> None:
    assert names_tried()[: len(reader_names())] == reader_names()
    write_checkpoint(tmp_path / "run", 10)
    (tmp_path / "empty").mkdir()
    code = (
        "import sys; from ckpt_tui.store.index import Store;"
        f"s = Store({str(tmp_path / 'run')!r}).look(); assert s.checkpoints;"
        "assert 'ckpt_tui.formats.plug_ins' not in sys.modules;"
        f"Store({str(tmp_path / 'empty')!r}).look();"
        "assert 'ckpt_tui.formats.plug_ins' in sys.modules;"
        "assert 'importlib.metadata' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
