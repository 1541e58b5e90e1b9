"""Makes the pictures of the README from the very situations that the tests draw.

Usage: python docs/make_pictures.py (in the checkout, with the test extra installed)
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.planner.panel import PlannerPanel
from tests.tui.builders import FrozenClock, StubFeed
from tests.tui.situations import mixed

HERE = Path(__file__).parent
SIZE = (120, 36)


async def picture(name: str, *keys: str) -> None:
    """Draws the mixed situation after some keys, as SVG."""
    options = DashboardOptions(panel=PlannerPanel, clock=FrozenClock())
    app = DashboardApp(StubFeed(mixed()), options)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause(0.5)
        app.save_screenshot(f"{name}.svg", str(HERE))


asyncio.run(picture("dashboard", "j", "j", "j", "j"))
asyncio.run(picture("planner", "P", "ctrl+r"))
