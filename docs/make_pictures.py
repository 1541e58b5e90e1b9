"""Makes the pictures of the docs from the very situations that the tests draw.

Usage: python docs/make_pictures.py [--text DIRECTORY] [NAME…]
(in the checkout, with the test extra installed; `--text` writes plain text instead, as a reader
sees it; NAME is "dashboard", "planner" or a scenario of `ckpt-tui demo --list`, by default all)
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.demo.scenarios.catalog import SCENARIOS
from ckpt_tui.tui.app import DashboardApp
from ckpt_tui.tui.options import DashboardOptions
from ckpt_tui.tui.planner.panel import PlannerPanel
from tests.demo.scenes import scene
from tests.tui.builders import LIVE, FrozenClock, StubFeed
from tests.tui.situations import mixed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.snapshot import Snapshot

HERE = Path(__file__).parent
SIMULATED = LIVE._replace(mode="inotify · simulated disk")


class Picture(NamedTuple):
    """One picture: what is shown, after which keys, and where it goes below the docs."""

    shown: Callable[[], Snapshot]
    keys: tuple[str, ...] = ()
    path: str = ""
    size: tuple[int, int] = (120, 36)


def pictures() -> dict[str, Picture]:
    """All pictures by name."""
    found = {
        "dashboard": Picture(mixed, ("j", "j", "j", "j"), "dashboard.svg"),
        "planner": Picture(mixed, ("P", "ctrl+r"), "planner.svg"),
    }
    for name in SCENARIOS:
        found[name] = Picture(lambda name=name: scene(name), (), f"scenarios/{name}.svg")
    return found


async def draw(name: str, picture: Picture, text_directory: Path | None) -> None:
    """Draws one picture as SVG, or as text into a directory."""
    is_demo = name in SCENARIOS  # which says how long a reload takes
    options = DashboardOptions(panel=PlannerPanel, clock=FrozenClock(), reload_assumed=not is_demo)
    status = SIMULATED if is_demo else LIVE
    app = DashboardApp(StubFeed(picture.shown(), status), options)
    async with app.run_test(size=picture.size) as pilot:
        await pilot.pause()
        await pilot.press(*picture.keys)
        await pilot.pause(0.5)
        if text_directory is None:
            place = HERE / picture.path
            place.parent.mkdir(exist_ok=True)
            place.write_text(app.export_screenshot(), encoding="utf-8")
        else:
            rows = [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
            (text_directory / f"{name}.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")


def main() -> None:
    """Draws what the command line asks for."""
    parser = argparse.ArgumentParser(description="Make the pictures of the docs.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--text", type=Path, metavar="DIRECTORY")
    arguments = parser.parse_args()
    known = pictures()
    for name in arguments.names or known:
        asyncio.run(draw(name, known[name], arguments.text))


main()
