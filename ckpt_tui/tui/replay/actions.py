"""What keys do while a recording is replayed, beside those of the dashboard."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.words import later

REPLAY = later("Replay")

REPLAY_ACTIONS = (
    Action("replay.play", "space,p", "space", later("play"),
           later("play, or stand still"), REPLAY, "play", 1, 1),
    Action("replay.next", "full_stop", ".", later("next"),
           later("the next frame"), REPLAY, "step(1)", 2, 2),
    Action("replay.previous", "comma", ",", later("last"),
           later("the frame before"), REPLAY, "step(-1)", 2, 2),
    Action("replay.event", "greater_than_sign", ">", later("event"), later("the next event"),
           REPLAY, "event(1)", 2, 2),
    Action("replay.event_before", "less_than_sign", "<", later("event"), later("the event before"),
           REPLAY, "event(-1)", 3, 3),
    Action("replay.warning", "a", "a", later("alarm"), later("the next warning or critical alarm"),
           REPLAY, "warning(1)", 4, 4),
    Action("replay.warning_before", "A", "A", later("last alarm"),
           later("the warning or alarm before"),
           REPLAY, "warning(-1)"),
    Action("replay.on", "n", "n", later("minute on"),
           later("a minute on"), REPLAY, "skip(60)", 7, 7),
    Action("replay.back", "b", "b", later("back"),
           later("a minute back"), REPLAY, "skip(-60)", 7, 7),
    Action("replay.hour_on", "N", "N", later("hour on"), later("an hour on"), REPLAY, "skip(3600)"),
    Action("replay.hour_back", "B", "B", later("hour back"),
           later("an hour back"), REPLAY, "skip(-3600)"),
    Action("replay.faster", "x", "x", later("faster"), later("faster, up to an hour in a second"),
           REPLAY, "speed(1)", 6, 6),
    Action("replay.slower", "X", "X", later("slower"), later("slower"), REPLAY, "speed(-1)"),
    Action("replay.first", "home", "home", later("first"),
           later("the first frame"), REPLAY, "end(False)"),
    Action("replay.last", "end", "end", later("last"),
           later("the last frame"), REPLAY, "end(True)"),
)  # fmt: skip

WITHOUT = frozenset({"pause", "rescan", "size"})
"""Actions of the dashboard that mean nothing where nothing is watched, by their names."""
