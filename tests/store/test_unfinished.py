"""Pictures while a look goes on: the newest first, each right as far as it goes, not too many."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.base import Claim
from ckpt_tui.store.index import Store
from ckpt_tui.store.unfinished import FIRST_SECONDS, LEAST_SECONDS, newest_first
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot


class SlowClock:
    """Each question takes so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._now = 0.0

    def __call__(self) -> float:
        self._now += self._seconds
        return self._now


def looked(path: Path, seconds: float) -> tuple[list[Snapshot], Snapshot]:
    """The pictures of a first look on a machine of that speed, and the last one."""
    shown: list[Snapshot] = []
    last = Store(str(path), monotonic=SlowClock(seconds)).look(show=shown.append)
    return shown, last


def test_the_newest_of_each_directory_are_read_first() -> None:
    paths = ["/a/step-9", "/a/step-10", "/b/step-2", "/a/last", "/b/step-1"]
    order = [claim.path for claim in newest_first(Claim("manifest", path) for path in paths)]
    assert order == ["/a/step-10", "/b/step-2", "/a/step-9", "/b/step-1", "/a/last"]


def test_rows_come_while_the_search_goes_on(tmp_path: Path) -> None:
    for name in ("a", "b"):
        for step in range(10, 130, 10):
            write_checkpoint(tmp_path / name, step)
    shown, last = looked(tmp_path, FIRST_SECONDS)
    first = shown[0]
    assert first.reading is not None
    assert first.reading.searching
    assert [run.resume.step for run in first.runs if run.resume] == [120]
    for picture in shown:
        for run in picture.runs:  # no gap: what is older than a row is read after it
            steps = [c.step for c in run.checkpoints]
            assert steps == list(range(120, 120 - 10 * len(steps), -10))
    reads = [picture.reading.read for picture in shown if picture.reading]
    assert reads == sorted(set(reads))
    assert last.reading is None
    assert len(last.checkpoints) == 24


def test_the_end_is_the_same_as_without_pictures(corpus: Path) -> None:
    shown, last = looked(corpus, LEAST_SECONDS)
    whole = Store(str(corpus)).look()
    assert len(shown) > 10
    told = [[(c.path, c.verdict, c.step) for c in picture.checkpoints] for picture in (last, whole)]
    assert told[0] == told[1]
    assert [run.pointers for run in last.runs] == [run.pointers for run in whole.runs]
    assert sorted(last.problems) == sorted(whole.problems)


def test_a_quick_look_shows_its_end_alone(tmp_path: Path) -> None:
    for step in range(10, 60, 10):
        write_checkpoint(tmp_path, step)
    shown, last = looked(tmp_path, FIRST_SECONDS / 1000)
    assert not shown
    assert last.reading is None


def test_what_goes_while_the_search_goes_on_leaves_no_row(tmp_path: Path) -> None:
    for step in range(10, 130, 10):
        write_checkpoint(tmp_path, step)

    def remove_newest(picture: Snapshot) -> None:
        if picture.runs and (tmp_path / "step-120").exists():
            shutil.rmtree(tmp_path / "step-120")

    store = Store(str(tmp_path), monotonic=SlowClock(FIRST_SECONDS))
    last = store.look(show=remove_newest)
    assert [c.step for c in last.checkpoints][:2] == [110, 100]
    assert all(c.verdict is not Verdict.UNKNOWN for c in last.checkpoints)
