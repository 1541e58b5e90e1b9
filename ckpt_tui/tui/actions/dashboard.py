"""What keys do in the dashboard."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.tui.widgets.line_view import Motion

MOVE, LOOK, FIND, DO, APP = "Move", "Look closer", "Find", "Do", "Program"


def _motion(motion: Motion, keys: str, shown: str, text: str, footer: int = 0) -> Action:
    call = f"navigate('{motion.value}')"
    return Action(
        f"move.{motion.value}", keys, shown, "move", text, MOVE, call, footer, footer, palette=False
    )


ACTIONS = (
    _motion(Motion.DOWN, "j,down", "j ↓", "down one line", 3),
    _motion(Motion.UP, "k,up", "k ↑", "up one line"),
    _motion(Motion.TOP, "g,home", "g", "to the newest, which is then followed"),
    _motion(Motion.BOTTOM, "G,end", "G", "to the bottom"),
    _motion(Motion.HALF_DOWN, "ctrl+d", "ctrl+d", "down half a page"),
    _motion(Motion.HALF_UP, "ctrl+u", "ctrl+u", "up half a page"),
    _motion(Motion.PAGE_DOWN, "pagedown", "pgdn", "down a page"),
    _motion(Motion.PAGE_UP, "pageup", "pgup", "up a page"),
    _motion(Motion.LEFT, "h,left", "h ←", "left, in the grid and in wide tables"),
    _motion(Motion.RIGHT, "l,right", "l →", "right"),
    Action("run.next", "right_square_bracket", "]", "next run", "go to the next run",
           MOVE, "go_to_run(1)"),
    Action("run.previous", "left_square_bracket", "[", "last run", "go to the run before",
           MOVE, "go_to_run(-1)"),
    Action("open", "enter", "enter", "open", "open the checkpoint under the cursor",
           LOOK, "open", 2),
    Action("pane.next", "tab", "tab", "next pane", "from the table to the pane and back",
           LOOK, "app.focus_next", palette=False),
    Action("pane.previous", "shift+tab", "shift+tab", "last pane", "the other way round",
           LOOK, "app.focus_previous", palette=False),
    Action("tab.roles", "1", "1", "roles", "roles: which states are there",
           LOOK, "tab('Roles')", 0, 3),
    Action("tab.shards", "2", "2", "shards", "shards: a cell for every rank",
           LOOK, "tab('Shards')", 0, 3),
    Action("tab.files", "3", "3", "files", "files of the checkpoint", LOOK, "tab('Files')", 0, 4),
    Action("tab.findings", "4", "4", "findings", "findings: what is wrong, what to do",
           LOOK, "tab('Findings')", 0, 3),
    Action("tab.tensors", "5", "5", "tensors", "tensors, where headers name them",
           LOOK, "tab('Tensors')"),
    Action("tab.telling", "0", "0", "best tab", "let the state choose the tab again",
           LOOK, "tab('')"),
    Action("back", "escape", "esc", "back", "leave filter, pane, help; never quits",
           LOOK, "back", 0, 1, palette=False),
    Action("filter", "slash", "/", "filter", "filter the rows", FIND, "filter", 4),
    Action("faults", "f", "f", "faults", "only damaged, unfinished or stalling",
           FIND, "faults", 5),
    Action("size", "W", "W", "world size", "judge for a job of another world size",
           DO, "world_size"),
    Action("sort.next", "s", "s", "sort", "sort by the next column", FIND, "sort_next", 9),
    Action("sort.reverse", "S", "S", "reverse", "sort the other way round", FIND, "sort_reverse"),
    Action("pause", "p", "p", "pause", "hold the picture; watching goes on", DO, "pause", 8),
    Action("rescan", "r", "r", "rescan", "look at everything again now", DO, "rescan"),
    Action("copy.path", "y", "y", "copy path", "path to the terminal's clipboard",
           DO, "copy_path", 7, 6),
    Action("copy.json", "Y", "Y", "copy JSON", "row as JSON to the same",
           DO, "copy_json"),
    Action("export", "e", "e", "export", "table as CSV, beside where you are",
           DO, "export"),
    Action("document", "m", "m", "as JSON", "all that is known of it, as check --json tells",
           LOOK, "document"),
    Action("wide", "w", "w", "wide", "all columns, or those that fit",
           LOOK, "wide"),
    Action("timeline", "t", "t", "timeline", "saves of the run over time: size, time, rate, gaps",
           LOOK, "timeline", 10),
    Action("panel", "P", "P", "planner", "show or hide the planner", LOOK, "panel", 6),
    Action("events", "L", "L", "log", "alarms that hold, and the log of what happened",
           LOOK, "events"),
    Action("help", "question_mark,f1", "?", "help", "this help", APP, "help", 1, 2),
    Action("palette", "colon", ":", "commands", "command palette, also ctrl+p",
           APP, "app.command_palette", palette=False),
    Action("quit", "q", "q", "quit", "quit, also ctrl+q", APP, "app.leave", 1, 5),
    Action("interrupt", "ctrl+c", "ctrl+c", "interrupt", "quit with exit code 130",
           APP, "app.interrupt", palette=False),
)  # fmt: skip
"""In the order of the help screen."""

GROUPS = (MOVE, LOOK, FIND, DO, APP)
