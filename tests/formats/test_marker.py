"""NeMo's marker of an unfinished save, which lies outside the checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.discovery import discover
from ckpt_tui.store.index import Store
from tests.formats.dcp_builder import write_dcp
from tests.formats.torch_builder import OPTIMIZER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.snapshot import Snapshot

STATE = {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 4}


def test_a_claim_says_whether_the_marker_lies_beside_it(tmp_path: Path) -> None:
    write_torch(tmp_path / "gpt-last.ckpt", STATE)
    marker = tmp_path / "gpt-last-unfinished"
    marker.touch()
    marked = discover(str(tmp_path)).claims
    marker.unlink()
    again = discover(str(tmp_path)).claims
    assert [claim.marker for claim in (*marked, *again)] == [True, False]


def test_a_marker_that_goes_away_is_noticed(tmp_path: Path) -> None:
    run = tmp_path / "run"
    write_dcp(run / "step_4", {"model.w": Shape((2, 2)), "step": 4})
    write_torch(run / "gpt-last.ckpt", STATE)
    markers = [run / "step_4-unfinished", run / "gpt-last-unfinished"]
    for marker in markers:
        marker.touch()
    store = Store(str(tmp_path))
    before = commits(store.look())
    for marker in markers:
        marker.unlink()
    after = commits(store.look(frozenset(map(str, markers))))
    assert before == {"step_4": False, "gpt-last.ckpt": False}
    assert after == {"step_4": True, "gpt-last.ckpt": None}


def commits(snapshot: Snapshot) -> dict[str, bool | None]:
    return {
        checkpoint.facts.name: checkpoint.facts.commit.met for checkpoint in snapshot.checkpoints
    }
