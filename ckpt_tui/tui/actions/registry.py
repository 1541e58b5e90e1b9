"""All keys of the program, by place: the help, the docs' table and key maps go by this list."""

from __future__ import annotations

from ckpt_tui.tui.actions.dashboard import ACTIONS
from ckpt_tui.tui.actions.filtering import FILTER_KEYS
from ckpt_tui.tui.actions.grid import GRID_KEYS
from ckpt_tui.tui.actions.leaving import TAKE_ACTIONS
from ckpt_tui.tui.actions.planner import EDITING_KEYS, READING_KEYS
from ckpt_tui.tui.actions.reading import LEVEL, READING_ACTIONS
from ckpt_tui.tui.actions.start import START_ACTIONS
from ckpt_tui.tui.actions.tensors import TENSOR_KEYS
from ckpt_tui.tui.actions.timeline import TIMELINE_ACTIONS
from ckpt_tui.tui.replay.actions import REPLAY_ACTIONS

PLACES = {
    "start": START_ACTIONS,
    "dashboard": ACTIONS,
    "filter": FILTER_KEYS,
    "rank grid": GRID_KEYS,
    "tensors": TENSOR_KEYS,
    "planner": READING_KEYS,
    "planner, in a field": EDITING_KEYS,
    "timeline": TIMELINE_ACTIONS,
    "texts": (*READING_ACTIONS, LEVEL),
    "taking a text": TAKE_ACTIONS,
    "replay": REPLAY_ACTIONS,
}
"""Place → its actions; keys of one place do not clash."""
