"""A program with a dashboard on a stub feed, for tests that need a real terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ckpt_tui.tui.run import run_dashboard
from tests.tui import situations
from tests.tui.builders import StubFeed

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot


class BrokenFeed(StubFeed):
    """A feed that fails after the first picture."""

    def __init__(self, picture: Snapshot) -> None:
        super().__init__(picture)
        self.asked = 0

    def refresh(self) -> None:
        raise RuntimeError("a fault of our own")


if __name__ == "__main__":
    feed = BrokenFeed(situations.mixed())
    code = run_dashboard(feed)
    print(f"stopped={feed.stopped}", flush=True)
    sys.exit(code)
