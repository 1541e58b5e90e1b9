"""The dashboard over a recording: a banner above, the progress below, keys that move in time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar

from ckpt_tui.tui.actions.key_map import remapped
from ckpt_tui.tui.replay.actions import REPLAY_ACTIONS, WITHOUT
from ckpt_tui.tui.replay.desk import ReplayDesk
from ckpt_tui.tui.replay.lines import Progress, banner_line, event_text, progress_line
from ckpt_tui.tui.screens.main import MainScreen
from ckpt_tui.tui.widgets.line_view import ASCII_CLASS, TextLines
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ckpt_tui.recording.player import Player
    from ckpt_tui.tui.actions.action import Action
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed

FRAME_SECONDS = 0.1
_WITHOUT_CALLS = frozenset({"pause", "rescan", "world_size"})


class ReplayScreen(MainScreen):
    """A dashboard that can go back in time.

    Args:
        player: Where in the recording one is.
        feed: Hands out what the player shows.
        options: Those of any dashboard; the clock is the player's.
    """

    BINDINGS: ClassVar[list[BindingType]] = [action.binding() for action in REPLAY_ACTIONS]

    def __init__(self, player: Player, feed: Feed, options: DashboardOptions) -> None:
        super().__init__(feed, options)
        self._player = player
        self.desk = self._new_desk()
        self._passed_at = time.monotonic()

    @property
    def actions(self) -> tuple[Action, ...]:
        """Those of a dashboard that mean something here, after those of the replay."""
        kept = [action for action in super().actions if action.id not in WITHOUT]
        return (*remapped(REPLAY_ACTIONS, self._options.keymap), *kept)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leaves out what means nothing where nothing is watched."""
        return action not in _WITHOUT_CALLS and super().check_action(action, parameters)

    def compose(self) -> ComposeResult:
        """The banner, then the dashboard."""
        yield TextLines(widget_id="replay-banner")
        yield from super().compose()

    def on_mount(self) -> None:
        """Adds the progress to the lines at the foot, and lets time pass."""
        self.query_one("#foot").mount(TextLines(widget_id="replay-progress"), before=0)
        self.set_interval(FRAME_SECONDS, self._pass_time)
        self.call_after_refresh(self._tell)
        end = self._player.tape.early_end
        if end is not None:
            self.notify(
                say("The recording ends early: {reason}.", reason=say_sentence(end.reason)),
                severity="warning",
                markup=False,
            )

    def on_resize(self, event: events.Resize) -> None:
        """Other lengths fit now."""
        super().on_resize(event)
        self.call_after_refresh(self._tell)

    def _new_desk(self) -> ReplayDesk:
        alerts, root = self._options.alerts, self.shown.root
        return ReplayDesk(self._player, alerts, root, self._clock, self._to_terminal)

    def _pass_time(self) -> None:
        now = time.monotonic()
        passed, self._passed_at = now - self._passed_at, now
        if not self._player.playing:
            return
        if self._player.advance(passed):
            self.take()
        self._tell()

    def _moved(self, frame_before: int) -> None:
        """Shows where the player went; what comes later is not known at an earlier time."""
        if self._player.frame < frame_before:
            self.desk = self._new_desk()
        self.take()
        self.tick()
        self._tell()

    def _tell(self) -> None:
        progress = self.query("#replay-progress").results(TextLines)
        player, width = self._player, self.app.size.width
        banner = banner_line(player.wall, time.time(), player.tape.path, width)
        self.query_one("#replay-banner", TextLines).set_lines((banner,))
        for each in progress:
            told = progress_line(progress_of(player), width, self.app.has_class(ASCII_CLASS))
            each.set_lines((told,))

    def action_play(self) -> None:
        """Plays, or stands still."""
        before = self._player.frame
        self._player.toggle()
        self._moved(before)

    def action_step(self, by: int) -> None:
        """Another frame."""
        before = self._player.frame
        self._player.playing = False
        self._player.step(by)
        self._moved(before)

    def action_skip(self, seconds: int) -> None:
        """Another time."""
        before = self._player.frame
        self._player.skip(seconds)
        self._moved(before)

    def action_event(self, direction: int) -> None:
        """The next frame at which something happened, or the one before."""
        before = self._player.frame
        self._player.playing = False
        self._player.go_to_event(direction)
        self._moved(before)

    def action_warning(self, direction: int) -> None:
        """The next frame at which something went wrong, or the one before."""
        before = self._player.frame
        self._player.playing = False
        if self._player.go_to_warning(direction):
            self._moved(before)
            return
        self._tell()
        none = say("No alarm follows.") if direction > 0 else say("There is no alarm before.")
        self.notify(none, timeout=3)

    def action_speed(self, by: int) -> None:
        """Faster or slower."""
        self._player.change_speed(by)
        self._tell()

    def action_end(self, last: bool) -> None:
        """The last frame, or the first."""
        self._go(self._player.last if last else 0)

    def _go(self, frame: int) -> None:
        before = self._player.frame
        self._player.playing = False
        self._player.go(frame)
        self._moved(before)


def progress_of(player: Player) -> Progress:
    """What the line at the foot tells."""
    index, following = player.tape.index, player.next_event
    end = index.time_of(player.last)
    told = Progress(
        player.wall,
        player.frame + 1,
        len(index),
        player.seconds / end if end else 1.0,
        player.playing,
        player.speed,
        tuple(event_text(each.event) for each in player.events_now),
        problem=player.problem,
    )
    if following is None:
        return told
    return told._replace(
        next_event=event_text(following.event),
        next_is_warning=following.event.is_warning,
        next_seconds=index.time_of(following.frame) - player.seconds,
    )
