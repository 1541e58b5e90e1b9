"""`ckpt-tui history`: where it lies, what is kept, keeping a run once, and forgetting."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.messages import complain, refuse
from ckpt_tui.core.document import utc_text
from ckpt_tui.core.printable import printable
from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.history.database import History, HistoryError
from ckpt_tui.history.place import SWITCH, history_path, why_not_kept
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ckpt_tui.history.saves import ObservedSave

_ABOUT = later(
    """\
What was seen of runs: the dashboard keeps it in a small database of yours, so that `plan --from`
and the planner know intervals, save times and failures of checkpoints that are long removed.
Nothing is ever written below a watched directory.

  path           where the database lies, and whether it is kept
  show [RUN]     the runs that are kept, or the saves of one
  keep DIR       looks at DIR once and keeps its saves: for a timer, where no dashboard runs
  clear [RUN]    forgets one run, or all

RUN is a run's directory, or PATH:FORMAT as `show` prints it. {switch}=0 switches all off.
"""
)

_EXAMPLES = "ckpt-tui history show\nckpt-tui history keep /runs/gpt"
_EXIT_CODES = later(
    "exit codes: 0 done; 3 the database or DIR cannot be used; 4 no such run is kept"
)


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    about = say(_ABOUT, switch=SWITCH)
    parser = parsing.make_parser("history", about, say(_EXIT_CODES), _EXAMPLES)
    parser.add_argument("what", choices=("path", "show", "keep", "clear"))
    parser.add_path("run", nargs="?", metavar="RUN", help=say("which run; for keep, a directory"))
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Does what was asked for and returns the exit code."""
    history = History(history_path())
    try:
        if arguments.what == "path":
            off = why_not_kept()
            told = say("not kept: {reason}", reason=say_sentence(off)) if off else ""
            print(printable(history.path) + (f"  ({told})" if told else ""))
            return ExitCode.OK
        if arguments.what == "keep":
            return _keep(history, arguments.run)
        if arguments.what == "clear":
            return _clear(history, arguments.run)
        return _show(history, arguments.run)
    except HistoryError as error:
        return refuse(say_sentence(str(error)), ExitCode.UNKNOWN)


def _show(history: History, name: str | None) -> int:
    if name is None:
        for summary in history.runs():
            first, last = utc_text(summary.first_at), utc_text(summary.last_at)
            told = say_count(
                summary.saves,
                "{count} save, {first} to {last}",
                "{count} saves, {first} to {last}",
                first=first,
                last=last,
            )
            print(f"{printable(summary.run)}  {told}")
        return ExitCode.OK
    keys = _keys(history, name)
    for key in keys:
        print(printable(key))
        for save in history.saves(key):
            print(f"  {_save_text(save)}")
    return ExitCode.OK if keys else _no_such(name)


def _save_text(save: ObservedSave) -> str:
    took = "–"
    if save.save_seconds is not None:
        bound = "≥ " if save.source.is_lower_bound else ""
        took = f"{bound}{duration_text(save.save_seconds)}"
    at, size = utc_text(save.committed_at), bytes_text(save.size_bytes)
    return say(
        "{at}  step {step}  {size}  took {took} ({source})  {name}",
        at=at,
        step=save.step,
        size=size,
        took=took,
        source=save.source,
        name=printable(save.name),
    )


def _keep(history: History, directory: str | None) -> int:
    from ckpt_tui.cli.looking import Look, complaints, look_at
    from ckpt_tui.history.saves import history_key, saves_of

    if directory is None:
        raise parsing.UsageError(say("ckpt-tui history keep: name a directory of checkpoints"))
    if off := why_not_kept():
        text = say("no history is kept: {reason}", reason=say_sentence(off))
        return refuse(text, ExitCode.UNKNOWN)
    (snapshot,) = look_at((directory,), Look(settle_seconds=0))
    for line in complaints((snapshot,)):
        complain(line)
    if snapshot.error:
        return ExitCode.UNKNOWN
    for each in snapshot.runs:
        saves = saves_of(each.checkpoints)
        history.keep(history_key(each), saves)
        told = say_count(len(saves), "{count} save kept", "{count} saves kept")
        print(f"{printable(history_key(each))}  {told}")
    return ExitCode.OK


def _clear(history: History, name: str | None) -> int:
    keys: list[str | None] = [None] if name is None else [*_keys(history, name)]
    if not keys and name is not None:
        return _no_such(name)
    forgotten = sum(history.clear(key) for key in keys)
    print(say_count(forgotten, "{count} save forgotten", "{count} saves forgotten"))
    return ExitCode.OK


def _keys(history: History, name: str) -> list[str]:
    return list(_matching((summary.run for summary in history.runs()), name))


def _matching(keys: Iterator[str], name: str) -> Iterator[str]:
    """Keys that a name means: PATH:FORMAT itself, or all runs at a path or below it."""
    path = os.path.abspath(name)
    for key in keys:
        run = key.rpartition(":")[0]
        if key == name or run == path or run.startswith(path.rstrip(os.sep) + os.sep):
            yield key


def _no_such(name: str) -> int:
    return refuse(say("{name}: nothing is kept of such a run", name=name), ExitCode.EMPTY)
