"""The stored pieces of one tensor, in the place of the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from ckpt_tui.tui.tensors.lines import chunk_lines
from ckpt_tui.tui.widgets.line_view import ScrollingText

if TYPE_CHECKING:
    from textual import events

    from ckpt_tui.core.tensors import Tensor


class ChunkList(ScrollingText):
    """One line a piece."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape", "close_chunks", "back to the tensors", show=False)
    ]

    class Closed(Message):
        """The list of tensors is wanted again."""

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self._tensor: Tensor | None = None

    def show(self, tensor: Tensor) -> None:
        """Shows a tensor's pieces."""
        self._tensor = tensor
        self.jump_to(0)
        self._draw()

    def _draw(self) -> None:
        if self._tensor is not None and self.size.width:
            self.set_lines(chunk_lines(self._tensor, self.size.width - 1))

    def on_resize(self, _event: events.Resize) -> None:
        """Columns fit the width."""
        self._draw()

    def action_close_chunks(self) -> None:
        """Back to the list."""
        self.post_message(self.Closed())
