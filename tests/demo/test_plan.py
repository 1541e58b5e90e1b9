"""What the simulated job may be asked for."""

from __future__ import annotations

import sys

import pytest

from ckpt_tui.demo.headless import _say
from ckpt_tui.demo.plan import DemoPlan, check_plan


@pytest.mark.parametrize("ranks", [1, 4, 64, 65, 512])
def test_jobs_of_any_of_these_sizes_can_run(ranks: int) -> None:
    plan = DemoPlan().of_size(ranks)
    check_plan(plan)
    assert plan.threads == (ranks > 64)
    assert plan.shard_bytes * ranks <= 8 * 2**20


@pytest.mark.parametrize("ranks", [0, 513])
def test_others_are_refused(ranks: int) -> None:
    with pytest.raises(ValueError, match="1 to 512"):
        check_plan(DemoPlan().of_size(ranks))


def test_a_line_is_written_in_one_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    class Stream:
        def write(self, text: str) -> None:
            written.append(text)

        def flush(self) -> None:
            pass

    monkeypatch.setattr(sys, "stdout", Stream())
    _say("plain: step 20 saved")
    assert written == ["plain: step 20 saved\n"]
