"""The timeline over the dashboard; it follows the run while it is open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from textual.screen import ModalScreen

from ckpt_tui.tui.actions.action import keys_text
from ckpt_tui.tui.actions.key_map import remapped
from ckpt_tui.tui.actions.timeline import TIMELINE_ACTIONS
from ckpt_tui.tui.background import on_daemon_thread
from ckpt_tui.tui.icons import to_ascii
from ckpt_tui.tui.lines import Tone, line, piece
from ckpt_tui.tui.timeline.axis import Window, whole_window
from ckpt_tui.tui.timeline.picture import timeline_lines
from ckpt_tui.tui.timeline.story import Story, story_of
from ckpt_tui.tui.timeline.telling import events_of
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, Motion, ScrollingText
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ckpt_tui.core.clock import Clock
    from ckpt_tui.core.runs import Run
    from ckpt_tui.history.database import History

TICK_SECONDS = 1.0
_CLOSER, _FARTHER = 0.5, 2.0


class TimelineScreen(ModalScreen[str]):
    """Saves of a run over time; the result is the path of the checkpoint to go to, or "".

    Args:
        run_now: The run as it is now; None where there is none.
        history: What was kept of runs; None where nothing is.
        clock: Where the time comes from.
        start_at: Path of the checkpoint that the cursor starts on; "" for the newest.
        keymap: Id of an action → its keys, in place of those that it has by default.
    """

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in TIMELINE_ACTIONS]

    def __init__(
        self,
        run_now: Callable[[], Run | None],
        history: History | None,
        clock: Clock,
        start_at: str = "",
        keymap: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    ) -> None:
        super().__init__()
        self._keys = keys_text(remapped(TIMELINE_ACTIONS, keymap))
        self._run_now = run_now
        self._history = history
        self._clock = clock
        self._start_at = start_at
        self._told: Run | None = None
        self._story: Story | None = None
        self._place = 0
        self._window: Window | None = None

    def compose(self) -> ComposeResult:
        """One text that fills the screen."""
        text = ScrollingText(widget_id="timeline")
        text.border_title = say("timeline")
        shown = to_ascii(self._keys) if self.app.has_class(ASCII_CLASS) else self._keys
        text.border_subtitle = shown.replace("[", r"\[")
        yield text

    def on_mount(self) -> None:
        """Reads the story, and again whenever the run has changed."""
        self._look()
        self.set_interval(TICK_SECONDS, self._look)

    def on_resize(self) -> None:
        """The plots are as wide as the screen."""
        self.call_after_refresh(self._draw)

    def _look(self) -> None:
        run = self._run_now()
        if run is not None and run is not self._told:
            self._told = run
            self.run_worker(self._read(run), exclusive=True)
        self._draw()

    async def _read(self, run: Run) -> None:
        """Tells the story anew; on a thread, for the history's disk may be slow."""
        story = await on_daemon_thread(partial(story_of, run, self._history))
        self._place = self._place_in(story)
        self._story = story
        self._text.border_title = line_title(run)
        self._draw()

    def _place_in(self, story: Story) -> int:
        """The save that the cursor was on; a cursor on the newest stays on the newest."""
        last = max(0, len(story.saves) - 1)
        if self._story is None:
            places = (n for n, save in enumerate(story.saves) if save.path == self._start_at)
            return next(places, last)
        if not self._story.saves or self._place >= len(self._story.saves) - 1:
            return last
        held = self._story.saves[self._place]
        here = (n for n, s in enumerate(story.saves) if (s.name, s.step) == (held.name, held.step))
        return next(here, min(self._place, last))

    @property
    def _text(self) -> ScrollingText:
        return self.query_one("#timeline", ScrollingText)

    @property
    def _whole(self) -> Window:
        saves = self._story.saves if self._story is not None else ()
        return whole_window(saves[0].at, saves[-1].at) if saves else Window(0.0, 1.0)

    def _draw(self) -> None:
        text = self._text
        width, height = text.content_size
        if width < 1:
            return
        if self._story is None:
            waiting = say("reading …" if self._told is not None else "no run is under the cursor")
            text.set_lines([line(piece(f" {waiting}", Tone.DIM))])
            return
        window = self._window or self._whole
        ascii_only = self.app.has_class(ASCII_CLASS)
        size = (width, height)
        text.set_lines(
            timeline_lines(
                self._story, window, self._place, self._clock.wall(), size, ascii_only=ascii_only
            )
        )

    def action_save(self, by: int) -> None:
        """Puts the cursor on another save."""
        if self._story is not None and self._story.saves:
            self._go(max(0, min(len(self._story.saves) - 1, self._place + by)))

    def action_event(self, direction: int) -> None:
        """Puts the cursor on the save at the next restart, gap or broken save."""
        if self._story is None or not self._story.saves:
            return
        times = [event.at for event in events_of(self._story)]
        at = self._story.saves[self._place].at
        place = bisect_right(times, at) if direction > 0 else bisect_left(times, at) - 1
        if 0 <= place < len(times):
            found = bisect_left([save.at for save in self._story.saves], times[place])
            self._go(min(found, len(self._story.saves) - 1))

    def action_zoom(self, closer: bool) -> None:
        """Half of the time, or twice as much, around the save under the cursor."""
        if self._story is None or not self._story.saves:
            return
        whole, at = self._whole, self._story.saves[self._place].at
        factor = _CLOSER if closer else _FARTHER
        window = (self._window or whole).zoomed(at, factor, whole)
        self._window = None if window == whole else window
        self._draw()

    def _go(self, place: int) -> None:
        self._place = place
        if self._window is not None and self._story is not None:
            at = self._story.saves[place].at
            self._window = self._window.with_in_sight(at, self._whole)
        self._draw()

    def action_move(self, motion: str) -> None:
        """Scrolls."""
        self._text.navigate(Motion(motion))

    def action_leave(self) -> None:
        """Back to the dashboard, whose cursor stays where it was."""
        self.dismiss("")

    def action_choose(self) -> None:
        """Back to the dashboard, on the checkpoint under the cursor."""
        saves = self._story.saves if self._story is not None else ()
        self.dismiss(saves[self._place].path if saves else "")


def line_title(run: Run) -> str:
    """What the frame says; a name in it is no markup."""
    return piece(say("timeline of {run}", run=run.name)).text.replace("[", r"\[")
