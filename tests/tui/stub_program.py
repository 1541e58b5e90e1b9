"""A program with a dashboard on a stub feed, for tests that need a real terminal.

Arguments: `--no-mouse`; `--theme=NAME`, else it goes by the terminal.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ckpt_tui.tui.colours import AUTO
from ckpt_tui.tui.options import DEFAULT_OPTIONS
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


def _theme() -> str:
    named = [argument.partition("=")[2] for argument in sys.argv if argument.startswith("--theme=")]
    return named[0] if named else AUTO


if __name__ == "__main__":
    feed = BrokenFeed(situations.mixed())
    options = DEFAULT_OPTIONS._replace(theme=_theme(), mouse="--no-mouse" not in sys.argv)
    code = run_dashboard(feed, options)
    print(f"stopped={feed.stopped}", flush=True)
    sys.exit(code)
