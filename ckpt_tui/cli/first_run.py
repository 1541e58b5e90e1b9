"""A start without a directory: this one where it holds checkpoints, else what could be opened."""

from __future__ import annotations

import os
import shlex
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.patience import TimedOutError, within
from ckpt_tui.formats.holding import holds_checkpoint
from ckpt_tui.formats.near_misses import Nearby, look_nearby, one_of_a_run
from ckpt_tui.fs import calls
from ckpt_tui.history.recent import recent_directories, remember
from ckpt_tui.words import say

if TYPE_CHECKING:
    from ckpt_tui.cli.judging import Judging
    from ckpt_tui.tui.options import DashboardOptions

_SEARCH_SECONDS = 1.5
_PATIENCE_SECONDS = 3.0


class Opening(NamedTuple):
    """What to do.

    Attributes:
        directory: What to open; "" for nothing.
        exit_code: Of the program, where nothing is opened any more.
    """

    directory: str
    exit_code: int = ExitCode.OK


def holds_one_here() -> bool:
    """Whether a checkpoint lies below the current directory, as far as a short search tells."""
    here = os.path.abspath(".")
    try:
        found = within(_PATIENCE_SECONDS, lambda: holds_checkpoint(here, _SEARCH_SECONDS), here)
    except TimedOutError:
        return True  # what hangs is the dashboard's to show
    return bool(found)


def choose_opening(view: DashboardOptions) -> Opening:
    """Asks what to open; the demo runs at once."""
    from ckpt_tui.tui.start.app import choose
    from ckpt_tui.tui.start.offers import Kind, start_of

    recent = recent_directories()
    start = start_of(_nearby_here(), recent, _gone([each.path for each in recent]), time.time())
    offer, code = choose(start, view)
    if offer is None:
        return Opening("", code)
    if offer.kind is Kind.DEMO:
        from ckpt_tui.cli import demo

        return Opening("", demo.run(demo.make_parser().parse_args(_as_typed(view))))
    return Opening(offer.path)


def _as_typed(view: DashboardOptions) -> list[str]:
    """Options of a command line that asks for the same looks."""
    ascii_only = ["--ascii"] if view.ascii else []
    return ["--theme", view.theme, *ascii_only, *([] if view.mouse else ["--no-mouse"])]


def remember_opened(directory: str) -> None:
    """Offers a directory at later starts."""
    remember(os.path.abspath(directory), time.time())


def with_hint_at_run(judging: Judging, directory: str) -> Judging:
    """Where one checkpoint of a run is opened, with a remark that names the run."""
    path = os.path.abspath(directory)
    try:
        miss = within(_PATIENCE_SECONDS, lambda: one_of_a_run(path), path)
    except TimedOutError:
        miss = None
    if miss is None:
        return judging
    text = say(
        "this is one checkpoint; open its run: ckpt-tui {run}", run=shlex.quote(miss.instead)
    )
    return judging._replace(remarks=(*judging.remarks, (path, text)))


def _nearby_here() -> Nearby:
    here = os.path.abspath(".")
    try:
        return within(_PATIENCE_SECONDS, lambda: look_nearby(here), here)
    except TimedOutError:
        return Nearby(here, whole=False)


def _gone(paths: list[str]) -> frozenset[str]:
    """Those that are not there; none where a file system gives no answer."""
    try:
        return within(
            _SEARCH_SECONDS, lambda: frozenset(p for p in paths if not calls.exists(p)), ""
        )
    except TimedOutError:
        return frozenset()
