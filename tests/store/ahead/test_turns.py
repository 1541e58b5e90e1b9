"""On a slow file server checkpoints are asked for at once; the picture is the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.fs import calls
from ckpt_tui.fs.pace import VARIABLE
from ckpt_tui.store.ahead.worth import Cost, threads_worth
from ckpt_tui.store.index import Store
from tests.network.injected import Injected
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("left", "wall", "cpu", "worth"),
    [
        (1000, 0.04, 0.01, True),
        (1000, 0.04, 0.03, False),  # the processor is the bound
        (10, 0.04, 0.01, False),  # over soon
        (1000, 0.0002, 0.0002, False),
    ],
)
def test_threads_ask_where_waiting_is_the_bound(
    left: int, wall: float, cpu: float, worth: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert threads_worth(left, Cost(wall, cpu)) is worth
    monkeypatch.setenv(VARIABLE, "0")
    assert not threads_worth(left, Cost(wall, cpu))


def test_a_slow_server_is_asked_for_many_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in range(60):
        write_checkpoint(tmp_path, step)
    (tmp_path / "step-30" / "model-rank1.bin").unlink()
    alone = Store(str(tmp_path)).look()
    monkeypatch.setenv(VARIABLE, "8")
    system = Injected()
    system.delay_seconds = 0.002
    with calls.replaced(system):
        store = Store(str(tmp_path))
        for _ in range(2):  # the second look lists what the first one read
            system.most_at_once = 0
            picture = store.look()
            assert system.most_at_once > 1
    told = [[(c.path, c.verdict, c.facts) for c in p.checkpoints] for p in (alone, picture)]
    assert told[0] == told[1]
