"""The dashboard on a mount that does not answer: keys work, it names the path, it quits at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ckpt_tui.cli.live import LiveFeed
from ckpt_tui.store.members import Options
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.watch import status as status_module
from tests.store.runs import write_checkpoint
from tests.watch.fakes import PATIENCE_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from textual.pilot import Pilot

    from tests.network.injected import Injected


async def test_keys_are_answered_while_a_look_hangs(
    tmp_path: Path, hung: Injected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_module, "HANGING_SECONDS", 0.05)
    write_checkpoint(tmp_path, 10)
    feed = LiveFeed(str(tmp_path), Options(), force_poll=True)
    app = DashboardApp(feed, DashboardOptions())
    async with app.run_test(size=(120, 24)) as pilot:
        await until(pilot, "step 10")
        hung.hang = "step-10"
        feed.refresh()
        await until(pilot, "has not answered for")
        await pilot.press("question_mark")
        await until(pilot, "keys")
        await pilot.press("escape")
        began = time.monotonic()
        await pilot.press("q")
    feed.stop()
    assert time.monotonic() - began < 5.0


async def until(pilot: Pilot[None], text: str) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while text.lower() not in (shown := screen_of(pilot)).lower():
        assert time.monotonic() < end, shown
        await pilot.pause(0.05)


def screen_of(pilot: Pilot[None]) -> str:
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
