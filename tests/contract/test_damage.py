"""A damaged checkpoint is judged, never an exception, and never offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.registry import reader_names
from ckpt_tui.store.index import Store
from tests.contract.cases import Case, name_of, newest_resumable
from tests.contract.damage import DAMAGES, chosen_files, copy_of, is_essential, is_seen

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.checkpoint import Checkpoint

LONG_AFTER = 4e9
MOST_ESSENTIAL = 3
CASES = newest_resumable(reader_names())


def look(path: Path) -> tuple[Checkpoint, ...]:
    """Every checkpoint at a path, long after the last write."""
    return Store(str(path), wall=lambda: LONG_AFTER).look().checkpoints


def assert_judged(checkpoints: tuple[Checkpoint, ...], state: str) -> None:
    for checkpoint in checkpoints:
        assert checkpoint.why.strip(), state
        failed = [f.message for f in checkpoint.findings if f.code == "reader-failed"]
        assert not failed, f"{state}: {failed}"
        assert checkpoint.resumable or checkpoint.verdict not in ("exact", "inexact"), state


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_one_damaged_file(corpus: Path, tmp_path: Path, case: Case) -> None:
    copy = copy_of(case.find(corpus), tmp_path)
    assert any(checkpoint.resumable for checkpoint in look(copy))
    for path in chosen_files(case.format, copy, MOST_ESSENTIAL):
        target = copy if copy.is_file() else copy / path
        whole = target.read_bytes()
        for name, damage in DAMAGES.items():
            damage(target)
            state = f"{path} {name}"
            checkpoints = look(copy)
            assert_judged(checkpoints, state)
            if is_essential(case.format, path) and is_seen(case, path, name):
                offered = [one.why for one in checkpoints if one.resumable]
                assert not offered, f"{state}: {offered}"
            if target.is_dir():
                target.rmdir()
            target.write_bytes(whole)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_all_files_cut(corpus: Path, tmp_path: Path, case: Case) -> None:
    """What a full disk leaves: every file ends early, or is empty."""
    copy = copy_of(case.find(corpus), tmp_path)
    files = [copy] if copy.is_file() else [path for path in copy.rglob("*") if path.is_file()]
    for name in ("cut to nine tenths", "cut to a third", "empty"):
        for path in files:
            if path.stat().st_size:
                DAMAGES[name](path)
        checkpoints = look(copy)
        assert_judged(checkpoints, name)
        assert not any(checkpoint.resumable for checkpoint in checkpoints), name
