"""What keys do in the dashboard."""

from __future__ import annotations

from ckpt_tui.tui.actions.action import Action
from ckpt_tui.tui.widgets.line_view import Motion
from ckpt_tui.words import later

MOVE, LOOK, FIND = later("Move"), later("Look closer"), later("Find")
DO, APP = later("Do"), later("Program")


def _motion(motion: Motion, keys: str, shown: str, text: str, footer: int = 0) -> Action:
    call = f"navigate('{motion.value}')"
    return Action(
        f"move.{motion.value}", keys, shown, later("move"), text, MOVE, call, footer, footer,
        palette=False,
    )  # fmt: skip


SUSPEND = Action("suspend", "ctrl+z", "ctrl+z", later("suspend"),
                 later("to the shell; fg comes back"),
                 APP, "app.suspend_process", palette=False)  # fmt: skip
"""Everywhere in the program."""

ACTIONS = (
    _motion(Motion.DOWN, "j,down", "j ↓", later("down one line"), 3),
    _motion(Motion.UP, "k,up", "k ↑", later("up one line")),
    _motion(Motion.TOP, "g,home", "g", later("to the newest, which is then followed")),
    _motion(Motion.BOTTOM, "G,end", "G", later("to the bottom")),
    _motion(Motion.HALF_DOWN, "ctrl+d", "ctrl+d", later("down half a page")),
    _motion(Motion.HALF_UP, "ctrl+u", "ctrl+u", later("up half a page")),
    _motion(Motion.PAGE_DOWN, "pagedown", "pgdn", later("down a page")),
    _motion(Motion.PAGE_UP, "pageup", "pgup", later("up a page")),
    _motion(Motion.LEFT, "h,left", "h ←", later("left, in the grid and in wide tables")),
    _motion(Motion.RIGHT, "l,right", "l →", later("right")),
    Action("run.next", "right_square_bracket", "]", later("next run"), later("go to the next run"),
           MOVE, "go_to_run(1)"),
    Action("run.previous", "left_square_bracket", "[", later("last run"),
           later("go to the run before"),
           MOVE, "go_to_run(-1)"),
    Action("open", "enter", "enter", later("open"), later("open the checkpoint under the cursor"),
           LOOK, "open", 2),
    Action("pane.next", "tab", "tab", later("next pane"),
           later("from the table to the pane and back"),
           LOOK, "app.focus_next", palette=False),
    Action("pane.previous", "shift+tab", "shift+tab", later("last pane"),
           later("the other way round"),
           LOOK, "app.focus_previous", palette=False),
    Action("tab.roles", "1", "1", later("roles"), later("roles: which states are there"),
           LOOK, "tab('Roles')", 0, 3),
    Action("tab.shards", "2", "2", later("shards"), later("shards: a cell for every rank"),
           LOOK, "tab('Shards')", 0, 3),
    Action("tab.files", "3", "3", later("files"),
           later("files of the checkpoint"), LOOK, "tab('Files')", 0, 4),
    Action("tab.findings", "4", "4", later("findings"),
           later("findings: what is wrong, what to do"),
           LOOK, "tab('Findings')", 0, 3),
    Action("tab.tensors", "5", "5", later("tensors"), later("tensors, where headers name them"),
           LOOK, "tab('Tensors')"),
    Action("tab.bytes", "6", "6", later("bytes"),
           later("bytes: what verify found, file by file"),
           LOOK, "tab('Bytes')"),
    Action("tab.telling", "0", "0", later("best tab"), later("let the state choose the tab again"),
           LOOK, "tab('')"),
    Action("back", "escape", "esc", later("back"), later("leave filter, pane, help; never quits"),
           LOOK, "back", 0, 1, palette=False),
    Action("filter", "slash", "/", later("filter"), later("filter the rows"), FIND, "filter", 4),
    Action("faults", "f", "f", later("faults"), later("only damaged, unfinished or stalling"),
           FIND, "faults", 5),
    Action("mark", "space,asterisk", "space *", later("mark"),
           later("mark the row, or take its mark away"),
           FIND, "mark", 11),
    Action("marks.clear", "U", "U", later("unmark"),
           later("take all marks away"), FIND, "clear_marks"),
    Action("compare", "c", "c", later("compare"),
           later("the two marked, or the marked one and this, side by side"),
           LOOK, "compare", 12),
    Action("size", "W", "W", later("world size"), later("judge for a job of another world size"),
           DO, "world_size"),
    Action("sort.next", "s", "s", later("sort"),
           later("sort by the next column"), FIND, "sort_next", 9),
    Action("sort.reverse", "S", "S", later("reverse"),
           later("sort the other way round"), FIND, "sort_reverse"),
    Action("verify", "v", "v", later("verify"),
           later("read and check every byte that is protected; again: stop"),
           DO, "verify", 6),
    Action("verify.finite", "V", "V", later("NaN too"),
           later("the same, and look for NaN and infinity"),
           DO, "verify(True)"),
    Action("pause", "p", "p", later("pause"),
           later("hold the picture; watching goes on"), DO, "pause", 8),
    Action("rescan", "r", "r", later("rescan"),
           later("look at everything again now"), DO, "rescan"),
    Action("copy.path", "y", "y", later("copy path"), later("path to the terminal's clipboard"),
           DO, "copy_path", 7, 6),
    Action("copy.json", "Y", "Y", later("copy JSON"), later("row as JSON to the same"),
           DO, "copy_json"),
    Action("copy.flag", "u", "u", later("copy flag"),
           later("what the launch command resumes with, to the same"),
           DO, "copy_flag"),
    Action("copy.menu", "C", "C", later("take"),
           later("path, flag, JSON: to the clipboard, a file, or on exit"),
           DO, "take_menu"),
    Action("print", "O", "O", later("on exit"),
           later("print the path once the dashboard is left, or not"),
           DO, "print_on_exit"),
    Action("export", "e", "e", later("export"),
           later("table as CSV, Markdown, JSON; the screen as SVG"),
           DO, "export"),
    Action("document", "m", "m", later("as JSON"),
           later("all that is known of it, as check --json tells"),
           LOOK, "document"),
    Action("wide", "w", "w", later("wide"), later("all columns, or those that fit"),
           LOOK, "wide"),
    Action("timeline", "t", "t", later("timeline"),
           later("saves of the run over time: size, time, rate, gaps"),
           LOOK, "timeline", 10),
    Action("panel", "P", "P", later("planner"),
           later("show or hide the planner"), LOOK, "panel", 6),
    Action("events", "L", "L", later("log"),
           later("alarms that hold, and the log of what happened"),
           LOOK, "events"),
    Action("help", "question_mark,f1", "?", later("help"), later("this help"), APP, "help", 1, 2),
    Action("palette", "colon", ":", later("commands"), later("command palette, also ctrl+p"),
           APP, "app.command_palette", palette=False),
    Action("quit", "q", "q", later("quit"), later("quit, also ctrl+q"), APP, "app.leave", 1, 5),
    Action("interrupt", "ctrl+c", "ctrl+c", later("interrupt"), later("quit with exit code 130"),
           APP, "app.interrupt", palette=False),
    SUSPEND,
)  # fmt: skip
"""In the order of the help screen."""

GROUPS = (MOVE, LOOK, FIND, DO, APP)
