"""What stands in the table's place while there is nothing to list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.near_miss_texts import searched_text, sentence
from ckpt_tui.tui.background import on_daemon_thread
from ckpt_tui.tui.lines import BLANK, Line, Tone, line, piece, wrapped
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.formats.near_misses import Nearby

_RULE = later(
    "Looked for: here and up to 6 directories below; links that lead out are not followed."
)
_WAITING = later(
    "A save appears here with its first file. If checkpoints should be here already: is the mount"
    " there, and is this the directory that the job writes to?"
)
_MOST_CELLS = 100


class EmptyView(TextLines):
    """Says what was looked for and where; what may have been meant comes when it is known.

    Args:
        look: Looks around a path; None says nothing of that.
    """

    def __init__(
        self, look: Callable[[str], Nearby] | None = None, *, widget_id: str | None = None
    ) -> None:
        super().__init__(widget_id=widget_id)
        self._look = look
        self._asked: tuple[str, str] | None = None
        self._nearby: Nearby | None = None
        self._shown: tuple[Snapshot, bool] | None = None

    def show(self, snapshot: Snapshot, first_look: bool) -> None:
        """Shows why nothing is listed."""
        self._shown = (snapshot, first_look)
        about = (snapshot.root, snapshot.error)
        if self._look is not None and not first_look and about != self._asked:
            self._asked, self._nearby = about, None
            # What may have been meant is an extra: where that fails, the dashboard goes on.
            asking = self._ask(self._look, snapshot.root)
            self.run_worker(asking, exclusive=True, exit_on_error=False)
        self._draw()

    async def _ask(self, look: Callable[[str], Nearby], path: str) -> None:
        self._nearby = await on_daemon_thread(lambda: look(path))
        self._draw()

    def on_resize(self, _event: events.Resize) -> None:
        """Paragraphs are as wide as the screen."""
        self._draw()

    def _draw(self) -> None:
        if self._shown is not None:
            snapshot, first_look = self._shown
            lines = empty_lines(snapshot, first_look, self.app.size.width, self._nearby)
            self.set_lines(lines)


def empty_lines(
    snapshot: Snapshot, first_look: bool, width: int, nearby: Nearby | None = None
) -> list[Line]:
    """What was looked for, where, and what happens next.

    Args:
        snapshot: The picture without checkpoints.
        first_look: Whether the first look still goes on.
        width: Cells.
        nearby: What lies around; None while that is not known.
    """
    if snapshot.error:
        reason = say_sentence(snapshot.error)
        reads = say("{path} cannot be read: {reason}", path=snapshot.root, reason=reason)
        again = say("It is tried again at every look; r looks at once.")
        meant = _misses(nearby, width)
        return [
            BLANK,
            *_paragraph(reads, Tone.BAD, width),
            *meant,
            BLANK,
            *_paragraph(again, Tone.DIM, width),
        ]
    if first_look:
        looking = say("Looking through {path} …", path=snapshot.root)
        return [BLANK, *_paragraph(looking, Tone.BUSY, width)]
    none = say("No checkpoint in {path}", path=snapshot.root)
    lines = [BLANK, *_paragraph(none, Tone.BOLD, width), BLANK]
    searched = searched_text(nearby) if nearby is not None and nearby.directories else say(_RULE)
    lines += _paragraph(searched, Tone.PLAIN, width)
    lines += _misses(nearby, width)
    if snapshot.tried:
        lines += [BLANK, *_paragraph(say("Formats that are known:"), Tone.PLAIN, width)]
        lines += _paragraph(", ".join(snapshot.tried), Tone.DIM, width, "    ")
    return [*lines, BLANK, *_paragraph(say(_WAITING), Tone.PLAIN, width)]


def _misses(nearby: Nearby | None, width: int) -> list[Line]:
    """What may have been meant."""
    if nearby is None or not nearby.misses:
        return []
    told = [_paragraph(f"→ {sentence(miss)}", Tone.WARN, width) for miss in nearby.misses]
    return [BLANK, *(row for rows in told for row in rows)]


def _paragraph(text: str, tone: Tone, width: int, indent: str = "  ") -> list[Line]:
    rows = wrapped(text, min(_MOST_CELLS, width - len(indent) - 1))
    return [line(indent, piece(row, tone)) for row in rows]
