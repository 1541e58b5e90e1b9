"""What the dashboard writes to files, never inside the watched directory: table, JSON, picture."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import tempfile
from typing import TYPE_CHECKING, TextIO

import pytest

from ckpt_tui.tui import export
from ckpt_tui.tui.export import watched_place, write_export
from ckpt_tui.tui.leaving.tables import (
    CSV_COLUMNS,
    MARKDOWN_COLUMNS,
    all_rows,
    shown_rows,
    table_csv,
    table_markdown,
)
from tests.tui import situations
from tests.tui.app_tests import dashboard, says
from tests.tui.builders import facts, run_of, snapshot_of

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot


def test_every_checkpoint_is_a_line_with_raw_values() -> None:
    runs = situations.mixed().runs
    rows = list(csv.DictReader(table_csv(all_rows(runs)).splitlines()))
    assert [int(row["step"]) for row in rows] == [c.step for c in runs[0].checkpoints]
    assert tuple(rows[0]) == CSV_COLUMNS
    (resume,) = [row for row in rows if row["resume_point"] == "True"]
    assert runs[0].resume is not None
    assert int(resume["bytes"]) == runs[0].resume.facts.size_bytes


def test_rows_are_those_that_are_shown_in_their_order() -> None:
    (run,) = situations.mixed().runs
    order = [run.checkpoints[3].path, "\0heading", run.checkpoints[1].path, "/gone"]
    rows = shown_rows((run,), order)
    assert [row.checkpoint for row in rows] == [run.checkpoints[3], run.checkpoints[1]]


@pytest.mark.parametrize("name", ["=1+1", "-2", "@sum", "+x", " =1+1"])
def test_no_name_is_a_formula_to_a_spreadsheet(name: str) -> None:
    (row,) = csv.DictReader(table_csv(all_rows([run_of([facts(None, name=name)])])).splitlines())
    assert row["checkpoint"] == f"'{name}"


def test_only_a_path_has_control_characters_in_csv() -> None:
    made = facts(None, name="\n=a\x1b[2J")
    text = table_csv(all_rows([run_of([made])]))
    (row,) = csv.DictReader(text.splitlines(keepends=True))
    assert row["checkpoint"] == "\\n=a\\x1b[2J"
    assert row["path"] == made.path
    assert text.replace(made.path, "").count("\x1b") == 0


def test_no_name_is_an_image_or_a_link_in_markdown() -> None:
    text = table_markdown(all_rows([run_of([facts(None, name="![a](http://b)\\[c]")])]))
    assert r"\!\[a\](http://b)\\\[c\]" in text


def test_names_cannot_leave_their_cell_in_markdown() -> None:
    text = table_markdown(all_rows([run_of([facts(None, name="a|b\n| <img> `c` \\| \x1b[0m")])]))
    lines = text.splitlines()
    assert len(lines) == 3
    assert "\x1b" not in text
    assert "<img" not in text
    for row in lines:
        bare = row.replace("\\\\", "").replace("\\|", "")
        assert bare.count("|") == len(MARKDOWN_COLUMNS) + 1


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
    assert not [entry for entry in run.rglob("*") if entry.is_file()]


@pytest.mark.parametrize("code", [errno.EROFS, errno.ENOSPC, errno.EACCES])
def test_where_a_place_takes_nothing_the_next_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    monkeypatch.chdir(here)
    fill = export._fill

    def fails_here(file: TextIO, text: str) -> None:
        if file.name.startswith(str(here)):
            file.close()  # what is flushed now fails
            raise OSError(code, os.strerror(code), file.name)
        fill(file, text)

    monkeypatch.setattr(export, "_fill", fails_here)
    assert os.path.dirname(write_export("x", "", "1")) == str(elsewhere)


def test_a_full_disk_is_left_without_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"

    class Full(io.StringIO):
        name = str(path)

        def write(self, _text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    path.touch()
    with pytest.raises(OSError, match="No space left"):
        export._fill(Full(), "text")
    assert not path.exists()


def test_a_current_directory_that_is_gone_is_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    elsewhere.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    monkeypatch.chdir(here)
    here.rmdir()
    assert os.path.dirname(write_export("x", "", "1")) == str(elsewhere)


def test_beside_the_one_checkpoint_that_is_watched_lies_its_run(tmp_path: Path) -> None:
    one, file = tmp_path / "step-10", tmp_path / "last.ckpt"
    one.mkdir()
    file.touch()
    assert watched_place(snapshot_of(root=str(one))) == str(one)
    assert watched_place(snapshot_of(root=str(one), single=True)) == str(tmp_path)
    assert watched_place(snapshot_of(root=str(file))) == str(tmp_path)
    assert watched_place(snapshot_of(root="/step-10", single=True)) == "/step-10"
    assert watched_place(None) == ""


def test_no_file_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [os.path.basename(write_export(text, "", "1", ".md")) for text in "ab"]
    assert names == ["ckpt-tui-1.md", "ckpt-tui-1-2.md"]
    assert (tmp_path / names[0]).read_text() == "a"


def test_where_every_place_is_watched_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="are all watched"):
        write_export("x", str(tmp_path), "1")
    assert list(tmp_path.iterdir()) == []


def _document(picture: Snapshot, now: float) -> str:
    return json.dumps({"root": picture.root, "now": now})


@pytest.mark.parametrize(
    ("place", "suffix", "begins"),
    [(0, ".csv", "run,format"), (1, ".md", "| run |"), (2, ".json", "{"), (3, ".svg", "<svg")],
)
async def test_the_key_offers_each_form_and_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int, suffix: str, begins: str
) -> None:
    monkeypatch.chdir(tmp_path)
    async with dashboard(situations.mixed(), document=_document) as board:
        await board.press("e")
        await says(board, "all 8 checkpoints, as they are sorted")
        await board.press(*"j" * place, "enter")
        await board.pilot.pause()
        (made,) = tmp_path.iterdir()
        assert made.suffix == suffix
        assert made.read_text().startswith(begins)
        assert board.toasts() == [f"Written: {made}"]


async def test_a_filtered_table_is_written_as_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with dashboard(situations.mixed()) as board:
        await board.press("f", "S", "e")
        await says(board, "of 8 rows that are shown")
        await board.press("enter")
        await board.pilot.pause()
        (made,) = tmp_path.iterdir()
        rows = list(csv.DictReader(made.read_text().splitlines()))
        assert [row["checkpoint"] for row in rows] == board.rows()
        assert len(rows) < 8


async def test_the_picture_is_of_the_dashboard_without_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with dashboard(situations.mixed()) as board:
        await board.press("e", "G", "enter")
        await board.pilot.pause()
        drawn = next(tmp_path.glob("*.svg")).read_text()
        assert "RESUME" in drawn
        assert "Markdown" not in drawn


async def test_a_checkpoint_as_json_on_the_screen() -> None:
    async with dashboard(situations.mixed()) as board:
        await board.press("m")
        assert '"verdict": "saving"' in board.text()
        await board.press("m")
        assert board.app.screen is board.main
