"""Fixtures that several test folders share."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no reason to fail; a test that does not end is stopped by its runner.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Checkpoints that the real frameworks wrote, and saves really killed half-way.

    Times, links and holes are as archived: some verdicts rest on them, and git keeps none.
    """
    target = tmp_path_factory.mktemp("corpus")
    with tarfile.open(DATA / "corpus.tar.xz") as archive:
        archive.extractall(target, filter="tar")
    return target


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see the same terminal everywhere."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "CKPT_TUI_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", os.devnull)  # nobody's own configuration counts
    monkeypatch.setenv("CKPT_TUI_HISTORY", "0")  # nor what was seen of runs
    monkeypatch.setenv("CKPT_TUI_CACHE", "0")  # nor what was read before
    monkeypatch.setenv("CKPT_TUI_STATE", "0")  # nor filters and the order that were used before
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("LANG", os.environ.get("LANG", "C.UTF-8") or "C.UTF-8")
