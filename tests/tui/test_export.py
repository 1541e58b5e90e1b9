"""The table as a file, and a checkpoint as JSON on the screen."""

from __future__ import annotations

import csv
import os
import tempfile
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.tui.export import COLUMNS, table_csv, write_export
from tests.tui import situations
from tests.tui.app_tests import dashboard

if TYPE_CHECKING:
    from pathlib import Path


def test_every_checkpoint_is_a_line_with_raw_values() -> None:
    runs = situations.mixed().runs
    rows = list(csv.DictReader(table_csv(runs).splitlines()))
    assert [int(row["step"]) for row in rows] == [c.step for c in runs[0].checkpoints]
    assert tuple(rows[0]) == COLUMNS
    (resume,) = [row for row in rows if row["resume_point"] == "True"]
    assert runs[0].resume is not None
    assert int(resume["bytes"]) == runs[0].resume.facts.size_bytes


def test_it_never_lands_in_the_watched_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    (run / "below").mkdir(parents=True)
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    for here in (run, run / "below"):
        monkeypatch.chdir(here)
        written = write_export("x", str(run), here.name)
        assert os.path.dirname(written) == str(elsewhere)
    monkeypatch.chdir(tmp_path)
    assert os.path.dirname(write_export("x", str(run), "1")) == str(tmp_path)
    with pytest.raises(FileExistsError):
        write_export("y", str(run), "1")
    assert not [entry for entry in run.rglob("*") if entry.is_file()]


async def test_the_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with dashboard(situations.mixed()) as board:
        await board.press("e")
        (made,) = tmp_path.glob("ckpt-tui-*.csv")
        assert any(str(made) in toast for toast in board.toasts())
        await board.press("m")
        assert '"verdict": "saving"' in board.text()
        await board.press("m")
        assert board.app.screen is board.main
