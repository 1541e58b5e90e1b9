"""`ckpt-tui cache`: where it lies, what is kept, deleting it."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from ckpt_tui.cache.database import CacheDatabase
from ckpt_tui.cache.kept_facts import KeptFacts
from ckpt_tui.cache.place import cache_path
from ckpt_tui.cli.app import run as main
from ckpt_tui.store.index import DEFAULT_LIMITS, Store

_SAMPLE = Path(__file__).parents[2] / "sample_runs" / "manifest"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "cache"))
    monkeypatch.delenv("CKPT_TUI_CACHE")


def _fill(run: Path) -> None:
    shutil.copytree(_SAMPLE, run)
    then = time.time() - 3600
    for path in run.rglob("*"):
        os.utime(path, (then, then))
    cache = KeptFacts(CacheDatabase(cache_path()), DEFAULT_LIMITS)
    Store(os.fspath(run), cache=cache).look()
    cache.finish(10)


def test_the_path_and_whether_it_is_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["cache", "path"]) == 0
    expected = os.fspath(tmp_path / "cache" / "ckpt-tui" / "facts.sqlite")
    assert capsys.readouterr().out == f"{expected}\n"
    monkeypatch.setenv("CKPT_TUI_CACHE", "0")
    assert main(["cache", "path"]) == 0
    assert capsys.readouterr().out == f"{expected}  (not used: switched off by CKPT_TUI_CACHE)\n"


def test_show_and_clear(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "show"]) == 0
    assert capsys.readouterr().out == ""
    _fill(tmp_path / "run")
    assert main(["cache", "show"]) == 0
    assert "checkpoint" in capsys.readouterr().out
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.endswith(" deleted\n")
    assert not os.path.exists(cache_path())


def test_a_damaged_file_is_told_and_can_be_cleared(capsys: pytest.CaptureFixture[str]) -> None:
    os.makedirs(os.path.dirname(cache_path()))
    Path(cache_path()).write_bytes(b"no database" * 1000)
    assert main(["cache", "show"]) == 3
    assert "ckpt-tui cache clear" in capsys.readouterr().err
    assert main(["cache", "clear"]) == 0


def test_check_neither_reads_nor_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    shutil.copytree(_SAMPLE, run)
    main(["check", os.fspath(run)])
    assert capsys.readouterr().out
    assert not os.path.exists(os.path.dirname(cache_path()))
