"""The pane's title line: which checkpoint, and the tabs with their counts."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.message import Message

from ckpt_tui.core.tensors import may_list_tensors
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.lines import Line, Piece, Tone, cut, piece, width_of
from ckpt_tui.tui.rows.notes import is_fault
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    from textual import events

    from ckpt_tui.core.checkpoint import Checkpoint


class Tab(StrEnum):
    """What the pane can show; the place in this list is the key that chooses it."""

    ROLES = later("Roles")
    SHARDS = later("Shards")
    FILES = later("Files")
    FINDINGS = later("Findings")
    TENSORS = later("Tensors")
    BYTES = later("Bytes")


def tabs_of(checkpoint: Checkpoint) -> tuple[Tab, ...]:
    """The tabs that have something to show."""
    without = set()
    if not may_list_tensors(checkpoint.facts):
        without.add(Tab.TENSORS)
    if checkpoint.facts.verified is None:
        without.add(Tab.BYTES)
    return tuple(tab for tab in Tab if tab not in without)


def telling_tab(checkpoint: Checkpoint) -> Tab:
    """The tab that says most: shards while saving, findings of a faulty one, else roles."""
    if checkpoint.verdict is Verdict.SAVING and checkpoint.facts.expected_ranks:
        return Tab.SHARDS
    return Tab.FINDINGS if is_fault(checkpoint) else Tab.ROLES


def tab_count(checkpoint: Checkpoint, tab: Tab, tensors: int | None = None) -> int | None:
    """A number beside the tab's name, where it says something.

    Args:
        checkpoint: The one that is shown.
        tab: The tab.
        tensors: How many there are; None where nobody has counted them.
    """
    match tab:
        case Tab.FILES:
            return len(checkpoint.facts.files)
        case Tab.FINDINGS:
            # What a save in flight lacks is no news: it is not written yet.
            saving = checkpoint.verdict is Verdict.SAVING
            return None if saving else len(checkpoint.findings) or None
        case Tab.TENSORS:
            return tensors
        case _:
            return None


class TabLine(TextLines):
    """One line; a click on a tab chooses it."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, tab: Tab) -> None:
            super().__init__()
            self.tab = tab

    def __init__(self, *, widget_id: str | None = None) -> None:
        super().__init__(widget_id=widget_id)
        self._spans: list[tuple[int, int, Tab]] = []

    def show(
        self, checkpoint: Checkpoint, active: Tab, width: int, tensors: int | None = None
    ) -> None:
        """Shows the tabs of a checkpoint, one of them active."""
        pieces: list[Piece] = [
            piece("── ", Tone.DIM),
            piece(checkpoint.title, Tone.BOLD),
            piece(" ── ", Tone.DIM),
        ]
        self._spans = []
        start = width_of(tuple(pieces))
        for tab in tabs_of(checkpoint):
            count = tab_count(checkpoint, tab, tensors)
            number = list(Tab).index(tab) + 1
            text = f" {number} {say(tab.value)}{'' if count is None else f' {count}'} "
            pieces.append(piece(text, Tone.PICKED if tab is active else Tone.PLAIN))
            end = start + cell_len(text)
            self._spans.append((start, end, tab))
            start = end
        pieces.append(piece(" " + "─" * max(0, width - start - 1), Tone.DIM))
        whole: Line = tuple(pieces)
        self.set_lines((cut(whole, width),))

    def on_click(self, event: events.Click) -> None:
        """Chooses the tab under the pointer."""
        for start, end, tab in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(tab))
