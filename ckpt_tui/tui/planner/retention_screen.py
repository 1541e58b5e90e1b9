"""Asks for a retention policy, and shows at every key what it would keep and free."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from ckpt_tui.tui.lines import Tone, line, piece, wrapped
from ckpt_tui.tui.planner.field import SteppingInput
from ckpt_tui.tui.planner.retention_lines import FIELDS, Asked, asked_from, retention_lines
from ckpt_tui.tui.widgets.line_view import Motion, ScrollingText, TextLines
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from textual.app import ComposeResult
    from textual.widget import Widget

    from ckpt_tui.core.runs import Run
    from ckpt_tui.planner.result import Plan

_LABELS = dict(
    zip(
        FIELDS,
        (later("last"), later("every steps"), later("best"), later("found after")),
        strict=True,
    )
)
_PLACEHOLDERS = dict(zip(FIELDS, ("1", later("none"), later("none"), "2h"), strict=True))
_RETENTION_CSS = """
RetentionScreen { align: center middle; }
RetentionScreen #retention {
    width: 94%;
    max-width: 110;
    height: 92%;
    border: round $primary;
    background: $background;
    padding: 0 1;
}
.-ascii RetentionScreen #retention { border: ascii $primary; }
RetentionScreen Horizontal { height: 1; }
RetentionScreen Static { width: auto; height: 1; padding: 0 1; }
RetentionScreen Input, RetentionScreen Input:focus {
    width: 1fr;
    height: 1;
    border: none;
    padding: 0 1;
    background: $panel;
}
RetentionScreen #retention-problem { height: auto; }
RetentionScreen #retention-lines { height: 1fr; }
"""


class RetentionScreen(ModalScreen[Asked]):
    """The result is what was asked for last and could be read."""

    DEFAULT_CSS = _RETENTION_CSS
    SCOPED_CSS = False

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "close", show=False),
        Binding("ctrl+c", "app.interrupt", show=False),
        Binding("enter", "app.focus_next", show=False),
        Binding("pagedown,ctrl+d", "move('half_down')", show=False),
        Binding("pageup,ctrl+u", "move('half_up')", show=False),
    ]

    def __init__(self, run: Run | None, plan: Plan, asked: Asked, free_bytes: int | None) -> None:
        super().__init__()
        self._run = run
        self._plan = plan
        self._asked = asked
        self._free_bytes = free_bytes

    def compose(self) -> ComposeResult:
        """Four fields above what they mean."""
        with Vertical(id="retention") as frame:
            yield Horizontal(*self._entries())
            yield TextLines(widget_id="retention-problem")
            yield ScrollingText(widget_id="retention-lines")
        frame.border_title = say("which checkpoints to keep: a preview, nothing is removed")
        frame.border_subtitle = say("tab next · page up/down scrolls · esc closes")

    def _entries(self) -> Iterator[Widget]:
        known = {**self._asked.policy._asdict(), "late": self._asked.late_minutes}
        for name in FIELDS:
            yield Static(say(_LABELS[name]), markup=False)
            text = "" if known[name] is None else f"{known[name]:g}"
            box = SteppingInput(text, placeholder=say(_PLACEHOLDERS[name]), id=f"keep-{name}")
            box.cursor_blink = False
            yield box

    def on_mount(self) -> None:
        """Draws once the width is known."""
        self.call_after_refresh(self._draw)

    def on_resize(self) -> None:
        """The lines are as long as the screen."""
        self.call_after_refresh(self._draw)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        texts = {name: self.query_one(f"#keep-{name}", Input).value for name in FIELDS}
        problem = self.query_one("#retention-problem", TextLines)
        try:
            self._asked = asked_from(texts)
        except ValueError as error:
            rows = wrapped(f"✗ {error}", self._width - 1)
            problem.set_lines([line(piece(row, Tone.BAD)) for row in rows])
        else:
            problem.set_lines([])
            self._draw()

    @property
    def _width(self) -> int:
        return self.query_one("#retention-lines", ScrollingText).size.width - 1

    def _draw(self) -> None:
        if self._width > 0:
            lines = retention_lines(
                self._run, self._plan, self._asked, self._free_bytes, self._width
            )
            self.query_one("#retention-lines", ScrollingText).set_lines(lines)

    def action_move(self, motion: str) -> None:
        """Scrolls what the fields mean."""
        self.query_one("#retention-lines", ScrollingText).navigate(Motion(motion))

    def action_leave(self) -> None:
        """Closes with the policy."""
        self.dismiss(self._asked)
