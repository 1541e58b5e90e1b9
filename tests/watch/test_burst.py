"""Many shards at once, with the real store and the system's events: what is said on the way."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

from ckpt_tui.core.snapshot import Snapshot
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.fs.mounts import Mount
from ckpt_tui.store.index import Store
from ckpt_tui.watch import choose
from ckpt_tui.watch.service import WatchService
from tests.store.runs import commit_checkpoint
from tests.watch.fakes import NEVER_SECONDS, PATIENCE_SECONDS, Screen, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

_ROLES = ("model", "optimizer", "rng")
_WRITERS = 4
_RANKS = 200


def write_shards(directory: Path, writer: int) -> None:
    for rank in range(writer, _RANKS, _WRITERS):
        for role in _ROLES:
            staged = directory / f"{role}-rank{rank}.bin.tmp"
            staged.write_bytes(bytes(64))
            staged.rename(staged.with_suffix(""))


def save(run: Path, step: int) -> None:
    directory = run / f"step-{step}"
    directory.mkdir()
    writers = [
        threading.Thread(target=write_shards, args=(directory, number))
        for number in range(_WRITERS)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    entries: list[dict[str, object]] = [
        {
            "role": role,
            "path": f"{role}-rank{rank}.bin",
            "rank": rank,
            "checkpoint_id": directory.name,
            "size_bytes": 64,
        }
        for rank in range(_RANKS)
        for role in _ROLES
    ]
    for role in ("scheduler", "progress"):
        (directory / f"{role}-rank0.bin").write_bytes(bytes(64))
        entries.append(entries[0] | {"role": role, "path": f"{role}-rank0.bin", "rank": 0})
    commit_checkpoint(directory, step, _RANKS, entries)


def is_exact(store: Store, names: set[str]) -> bool:
    """Whether exactly these checkpoints are."""
    shown = store.snapshot().checkpoints
    return {c.facts.name for c in shown if c.verdict is Verdict.EXACT} == names


def test_no_save_is_missed_nor_called_broken_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "read_mounts", lambda: (Mount("/", "ext4", "", ()),))
    store, screen = Store(str(tmp_path)), Screen()
    service = WatchService(
        store, screen.show, sweep_seconds=NEVER_SECONDS, poll_seconds=NEVER_SECONDS
    )
    service.start()
    wait_until(lambda: service.status().looks > 0)
    for step in range(1, 6):
        save(tmp_path, step)
        exact = {f"step-{number}" for number in range(1, step + 1)}
        wait_until(partial(is_exact, store, exact))
    assert service.stop(PATIENCE_SECONDS)
    said: dict[str, list[Verdict]] = {}
    for snapshot in screen.snapshots:
        assert isinstance(snapshot, Snapshot)
        for checkpoint in snapshot.checkpoints:
            said.setdefault(checkpoint.facts.name, []).append(checkpoint.verdict)
    for name, verdicts in said.items():
        finished = verdicts.index(Verdict.EXACT)
        assert set(verdicts[:finished]) <= {Verdict.SAVING, Verdict.UNCOMMITTED}, name
        assert set(verdicts[finished:]) == {Verdict.EXACT}, name
    assert len(screen.snapshots) < 5 * 40, "an event storm reached the screen"
