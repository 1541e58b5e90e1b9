"""What keys do while a recording is replayed, beside those of the dashboard."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action

REPLAY = "Replay"

REPLAY_ACTIONS = (
    Action("replay.play", "space,p", "space", "play", "play, or stand still", REPLAY, "play", 1, 1),
    Action("replay.next", "full_stop", ".", "next", "the next frame", REPLAY, "step(1)", 2, 2),
    Action("replay.previous", "comma", ",", "last", "the frame before", REPLAY, "step(-1)", 2, 2),
    Action("replay.event", "greater_than_sign", ">", "event", "the next event",
           REPLAY, "event(1)", 2, 2),
    Action("replay.event_before", "less_than_sign", "<", "event", "the event before",
           REPLAY, "event(-1)", 3, 3),
    Action("replay.on", "n", "n", "minute on", "a minute on", REPLAY, "skip(60)", 7, 7),
    Action("replay.back", "b", "b", "back", "a minute back", REPLAY, "skip(-60)", 7, 7),
    Action("replay.hour_on", "N", "N", "hour on", "an hour on", REPLAY, "skip(3600)"),
    Action("replay.hour_back", "B", "B", "hour back", "an hour back", REPLAY, "skip(-3600)"),
    Action("replay.faster", "x", "x", "faster", "faster, up to an hour in a second",
           REPLAY, "speed(1)", 6, 6),
    Action("replay.slower", "X", "X", "slower", "slower", REPLAY, "speed(-1)"),
    Action("replay.first", "home", "home", "first", "the first frame", REPLAY, "end(False)"),
    Action("replay.last", "end", "end", "last", "the last frame", REPLAY, "end(True)"),
)  # fmt: skip

WITHOUT = frozenset({"pause", "rescan", "size"})
"""Actions of the dashboard that mean nothing where nothing is watched, by their names."""
