"""Runs the dashboard in a test: no threads, a clock that stands still, what the screen reads."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from textual.color import Color

from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from tests.tui.builders import LIVE, FrozenClock, StubFeed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from textual.pilot import Pilot
    from textual.strip import Strip

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.tui.screens.main import MainScreen
    from tests.tui.builders import StubStatus


BLACK = Color(0, 0, 0)


class Dashboard(NamedTuple):
    """A running dashboard and all that a test moves it by."""

    app: DashboardApp
    pilot: Pilot[None]
    feed: StubFeed
    clock: FrozenClock

    @property
    def main(self) -> MainScreen:
        return cast("MainScreen", self.app.screen_stack[0])

    async def press(self, *keys: str) -> None:
        """Types as fast as the app reads; `Pilot.press` waits long after each key."""
        for key in keys:
            self.app.simulate_key(key)
            await self.pilot.pause()

    async def rush(self, *keys: str) -> None:
        """Types all keys before the app has drawn anything between them."""
        for key in keys:
            self.app.simulate_key(key)
        await self.pilot.pause()

    async def send(self, picture: Snapshot) -> None:
        self.feed.send(picture)
        await self.pilot.pause()

    def strips(self, filtered: bool = False) -> list[Strip]:
        """The lines of the screen; `filtered` as the terminal gets their colours."""
        strips = self.app.screen._compositor.render_strips()
        if filtered:
            for line_filter in self.app.get_line_filters():
                strips = [strip.apply_filter(line_filter, BLACK) for strip in strips]
        return strips

    def text(self) -> str:
        """The screen as lines of text."""
        return "\n".join(strip.text for strip in self.strips())

    def toasts(self) -> list[str]:
        """Messages that popped up."""
        return [toast.message for toast in self.app._notifications]

    def rows(self) -> list[str]:
        """Names of the checkpoints in the table, top to bottom."""
        return [key.rpartition("/")[2] for key in self.main.table.order if "\0" not in key]

    def cursor(self) -> str:
        return (self.main.table.cursor_key or "").rpartition("/")[2]


def app_for(picture: Snapshot, **options: Any) -> DashboardApp:
    """An app that is not running yet."""
    chosen = DashboardOptions(clock=FrozenClock())._replace(**options)
    return DashboardApp(StubFeed(picture), chosen)


@asynccontextmanager
async def dashboard(
    picture: Snapshot,
    size: tuple[int, int] = (120, 40),
    status: StubStatus = LIVE,
    **options: Any,
) -> AsyncIterator[Dashboard]:
    """A dashboard that runs headless."""
    clock, feed = FrozenClock(), StubFeed(picture, status)
    app = DashboardApp(feed, DashboardOptions(clock=clock)._replace(**options))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Dashboard(app, pilot, feed, clock)


async def says(board: Dashboard, text: str) -> None:
    """Waits until the screen shows a text: what opens is drawn once its width is known."""
    for _ in range(100):
        if text in board.text():
            return
        await board.pilot.pause()
    raise AssertionError(board.text())
