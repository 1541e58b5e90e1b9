"""From a writer's rename to a new picture, through the real store, inotify and watcher."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.cli.live import LiveFeed
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.store.members import Options
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot

PATIENCE_SECONDS = 20.0


class Watched:
    """A live feed, and waiting for a picture in which something holds."""

    def __init__(self, directory: Path, force_poll: bool = False) -> None:
        self.feed = LiveFeed(str(directory), Options(), force_poll=force_poll)
        self._changed = threading.Condition()

    def start(self) -> None:
        self.feed.start(self._on_change)

    def _on_change(self, _snapshot: object) -> None:
        with self._changed:
            self._changed.notify_all()

    def wait_until(self, holds: Callable[[Snapshot], bool]) -> Snapshot:
        with self._changed:
            arrived = self._changed.wait_for(
                lambda: holds(self.feed.snapshot()), timeout=PATIENCE_SECONDS
            )
        assert arrived, f"never came to it: {self.feed.snapshot()}"
        return self.feed.snapshot()


def steps(snapshot: Snapshot, verdict: Verdict) -> list[int | None]:
    return [c.step for c in snapshot.checkpoints if c.verdict is verdict]


@pytest.fixture(params=[False, True], ids=["inotify", "poll"])
def watched(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Watched]:
    write_checkpoint(tmp_path / "run", 10)
    watched = Watched(tmp_path, force_poll=request.param)
    watched.start()
    yield watched
    watched.feed.stop()


def test_a_save_is_seen_growing_and_committed(watched: Watched, tmp_path: Path) -> None:
    watched.wait_until(lambda s: steps(s, Verdict.EXACT) == [10])
    write_checkpoint(tmp_path / "run", 20, commit=False)
    watched.wait_until(lambda s: steps(s, Verdict.SAVING) == [20])
    write_checkpoint(tmp_path / "run", 20)
    done = watched.wait_until(lambda s: steps(s, Verdict.EXACT) == [20, 10])
    assert done.runs[0].resume is not None
    assert done.runs[0].resume.step == 20


def test_a_removed_checkpoint_goes(watched: Watched, tmp_path: Path) -> None:
    watched.wait_until(lambda s: steps(s, Verdict.EXACT) == [10])
    (tmp_path / "run" / "step-10").rename(tmp_path / "run" / "step-11")
    watched.wait_until(lambda s: [c.facts.name for c in s.checkpoints] == ["step-11"])
