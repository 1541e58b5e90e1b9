"""The Tensors tab: totals, a search, the list, the tensor under the cursor, its chunks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message

from ckpt_tui.core.tensors import is_listable, listing_of_facts
from ckpt_tui.core.tensors_query import EVERY_TENSOR
from ckpt_tui.core.tensors_reading import TensorsReading
from ckpt_tui.tui.background import on_daemon_thread
from ckpt_tui.tui.tensors.chunks import ChunkList
from ckpt_tui.tui.tensors.find_bar import FindBar
from ckpt_tui.tui.tensors.lines import caption_lines, head_lines
from ckpt_tui.tui.tensors.model import TensorModel
from ckpt_tui.tui.tensors.shelf import TensorShelf, stamp_of
from ckpt_tui.tui.tensors.table import TensorTable
from ckpt_tui.tui.widgets.line_view import LineView, TextLines
from ckpt_tui.words import say

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.timer import Timer

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.tensors import TensorListing
    from ckpt_tui.tui.tensors.shelf import Stamp, TensorSource

_WAIT_SECONDS = 0.15
"""The cursor may only pass by: headers are read once it has stayed."""
_PROGRESS_SECONDS = 0.2
_TOTALS_SECONDS = 0.06
"""Rows come first; sums over a hundred thousand tensors after the last key."""
_CHUNKS_CLASS = "-chunks"
_HEAD_SHARE = 3
"""Totals and remarks take at most this part of the height."""
_CAPTION_FROM_HEIGHT = 10


class TensorsView(Vertical):
    """Tensors of one checkpoint; its headers are read late, on a thread, and only while seen."""

    class Listed(Message):
        """The headers of the checkpoint are read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave_search", "show all tensors again", show=False)
    ]

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(id=widget_id)
        self.model = TensorModel()
        self.source: TensorSource | None = None
        self._shelf = TensorShelf()
        self._facts: CheckpointFacts | None = None
        self._stamp: Stamp | None = None
        self._reading: TensorsReading | None = None
        self._totals_timer: Timer | None = None
        self._progress_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The parts, top to bottom."""
        yield TextLines(widget_id="tensors-head")
        yield FindBar(id="tensors-find")
        yield TensorTable(self.model, widget_id="tensors-table")
        yield ChunkList(widget_id="tensors-chunks")
        yield TextLines(widget_id="tensors-caption")

    @property
    def focus_target(self) -> LineView:
        """What gets the keys."""
        if self.has_class(_CHUNKS_CLASS):
            return self.query_one(ChunkList)
        return self.query_one(TensorTable)

    def total_of(self, checkpoint: Checkpoint) -> int | None:
        """How many tensors it has; None while its headers are still to be read."""
        if self.source is None:
            return listing_of_facts(checkpoint.facts).total or None
        kept = self._shelf.get(stamp_of(checkpoint.facts))
        return kept.total if kept is not None else None

    def show(self, checkpoint: Checkpoint) -> None:
        """Shows a checkpoint's tensors: what the look saw at once, the rest when it is read."""
        facts = checkpoint.facts
        if facts is self._facts and self._stamp is not None:
            return
        if self._facts is None or self._facts.path != facts.path:
            self._forget()
        self._facts = facts
        stamp = stamp_of(facts)
        if stamp == self._stamp:
            return
        self.leave()
        if not is_listable(checkpoint):  # asked again with every picture, until the save is done
            self._stamp = None
            self._take(listing_of_facts(facts))
            return
        self._stamp = stamp
        kept = self._shelf.get(stamp)
        self._take(kept if kept is not None else listing_of_facts(facts))
        if kept is None and self.source is not None:
            reading = self._reading = TensorsReading()
            self._tell_totals()
            self.run_worker(self._read(self.source, checkpoint, stamp, reading), exclusive=True)

    def leave(self) -> None:
        """Nobody looks any more: a reading under way is given up."""
        if self._reading is not None:
            self._reading.stop()
            self._reading = None
            self._stamp = None
        if self._progress_timer is not None:
            self._progress_timer.stop()
            self._progress_timer = None

    async def _read(
        self,
        source: TensorSource,
        checkpoint: Checkpoint,
        stamp: Stamp,
        reading: TensorsReading,
    ) -> None:
        await asyncio.sleep(_WAIT_SECONDS)
        if reading.stopped:
            return
        self._progress_timer = self.set_interval(_PROGRESS_SECONDS, self._tell_totals)
        listing = await on_daemon_thread(lambda: source(checkpoint, reading))
        if reading.stopped or self._stamp != stamp:
            return
        self._shelf.put(stamp, listing)
        self._reading = None
        if self._progress_timer is not None:
            self._progress_timer.stop()
        self._take(listing)
        self.post_message(self.Listed())

    def _take(self, listing: TensorListing) -> None:
        self.model.show(listing)
        self._show_rows()

    def _show_rows(self) -> None:
        self.query_one(TensorTable).show_rows()
        self._tell_totals()

    def _forget(self) -> None:
        """Another checkpoint: the search stays, the chunks of a tensor do not."""
        self._close_chunks()
        self.model.cursor = 0

    def _progress(self) -> str:
        reading = self._reading
        if reading is None:
            return ""
        if reading.files_total < 2:
            return say("reading headers…")
        return say(
            "reading headers: {done} of {total} files",
            done=f"{reading.files_done:,}",
            total=f"{reading.files_total:,}",
        )

    def _tell_totals(self) -> None:
        width = self.size.width - 1
        if width > 0:
            lines = head_lines(self.model, self._progress(), width)
            most = max(1, self.size.height // _HEAD_SHARE)
            self.query_one("#tensors-head", TextLines).set_lines(lines[:most])

    @on(TensorTable.Moved)
    def _tell_current(self, event: TensorTable.Moved | None = None) -> None:
        if event is not None:
            event.stop()
        caption = self.query_one("#tensors-caption", TextLines)
        caption.display = self.size.height >= _CAPTION_FROM_HEIGHT
        caption.set_lines(caption_lines(self.model.current, max(1, self.size.width - 1)))

    @on(FindBar.Changed)
    def _look_for(self, event: FindBar.Changed) -> None:
        event.stop()
        self.model.look_for(event.query)
        self.query_one(TensorTable).show_rows()
        if self._totals_timer is not None:
            self._totals_timer.stop()
        self._totals_timer = self.set_timer(_TOTALS_SECONDS, self._tell_totals)

    @on(FindBar.Accepted)
    def _found(self, event: FindBar.Accepted) -> None:
        event.stop()
        bar = self.query_one(FindBar)
        if not self.model.query.terms:
            bar.clear()
        self.query_one(TensorTable).focus()

    @on(TensorTable.Wanted)
    def _wanted(self, event: TensorTable.Wanted) -> None:
        event.stop()
        match event.what:
            case "find":
                self.query_one(FindBar).open()
            case "back":
                self._find_nothing()
            case _:
                self._open_chunks()

    def _find_nothing(self) -> None:
        self.query_one(FindBar).clear()
        self.model.look_for(EVERY_TENSOR)
        self._show_rows()
        self.query_one(TensorTable).focus()

    def _open_chunks(self) -> None:
        tensor = self.model.current
        if tensor is None:
            return
        self.add_class(_CHUNKS_CLASS)
        chunks = self.query_one(ChunkList)
        chunks.show(tensor)
        chunks.focus()

    @on(ChunkList.Closed)
    def _chunks_closed(self, event: ChunkList.Closed) -> None:
        event.stop()
        self._close_chunks()
        self.query_one(TensorTable).focus()

    def _close_chunks(self) -> None:
        self.remove_class(_CHUNKS_CLASS)

    def action_leave_search(self) -> None:
        """Shows all tensors again."""
        self._find_nothing()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key that goes back is the search's only while it is typed in."""
        return action != "leave_search" or self.query_one(FindBar).has_focus_within

    def on_resize(self, _event: events.Resize) -> None:
        """Lines are as long as the view."""
        self._tell_totals()
        self._tell_current()

    def on_unmount(self) -> None:
        """Nobody waits any more."""
        self.leave()
