"""A small program before the dashboard: it ends with what was chosen to be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.containers import Vertical

from ckpt_tui.tui.actions.start import START_ACTIONS
from ckpt_tui.tui.base_app import BaseApp
from ckpt_tui.tui.start.lines import offer_at, rows_of, start_lines
from ckpt_tui.tui.start.offers import Kind, Offer
from ckpt_tui.tui.widgets.key_bar import KeyBar
from ckpt_tui.tui.widgets.line_view import TextLines

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.types import CSSPathType

    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.start.offers import Start


class StartApp(BaseApp[Offer]):
    """Shows what could be opened.

    Args:
        start: What to say and to offer.
        options: How it looks.
    """

    TITLE = "ckpt-tui"
    CSS_PATH: ClassVar[CSSPathType | None] = ["../app.tcss", "../few_colours.tcss", "start.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in START_ACTIONS]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, start: Start, options: DashboardOptions) -> None:
        super().__init__(options)
        self._start = start
        self._cursor = 0

    def compose(self) -> ComposeResult:
        """What was looked for, what there is to open, and the keys."""
        yield TextLines(widget_id="start")
        with Vertical(id="foot"):
            yield KeyBar(widget_id="keys")

    def on_mount(self) -> None:
        """Listens to the signals that end a program."""
        self.end_by_signals()
        self.query_one(KeyBar).show(START_ACTIONS, in_pane=False)
        self._draw()

    def on_resize(self, _event: events.Resize) -> None:
        """Paragraphs are as wide as the screen."""
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """A click opens what it is on."""
        text = self.query_one("#start", TextLines)
        y = event.screen_y + text.scroll_offset.y
        place = (
            offer_at(self._start, self.size.width, y) if event.screen_y < text.size.height else None
        )
        if place is not None:
            self._cursor = place
            self.action_open()

    def on_key_bar_clicked(self, event: KeyBar.Clicked) -> None:
        """Does what the key does."""
        self.call_later(self.run_action, event.action.call)

    def action_move(self, step: int) -> None:
        """Goes to another offer; beyond the last comes the first."""
        self._cursor = (self._cursor + step) % len(self._start.offers)
        self._draw()

    def action_open(self) -> None:
        """Ends with the offer under the cursor."""
        self.exit(self._start.offers[self._cursor])

    def action_demo(self) -> None:
        """Ends with the demo."""
        self.exit(next(offer for offer in self._start.offers if offer.kind is Kind.DEMO))

    def action_leave(self) -> None:
        """Ends with nothing."""
        self.exit(None)

    def _draw(self) -> None:
        text = self.query_one("#start", TextLines)
        text.set_lines(start_lines(self._start, self._cursor, self.size.width))
        self._keep_in_sight(text)

    def _keep_in_sight(self, text: TextLines) -> None:
        """Scrolls to the cursor; at the first offer to what was looked for, where both fit."""
        top, end = rows_of(self._start, self._cursor, self.size.width)
        if self._cursor == 0 and end <= text.size.height:
            top = 0
        y = text.scroll_offset.y
        if top < y:
            text.jump_to(top)
        elif end > y + text.size.height:
            text.jump_to(end - text.size.height)


class Chosen(NamedTuple):
    """How the start screen ended.

    Attributes:
        offer: What is to be opened; None for nothing.
        exit_code: Of the program, where nothing is.
    """

    offer: Offer | None
    exit_code: int = 0


def choose(start: Start, options: DashboardOptions) -> Chosen:
    """Shows the start screen, and waits for a choice.

    Args:
        start: What to say and to offer.
        options: How it looks, on this terminal.
    """
    app = StartApp(start, options)
    offer = app.run(mouse=options.mouse)
    return Chosen(offer, app.exit_code)
