"""The command line: one word per command; a directory alone opens the dashboard."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ckpt_tui import __version__
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.outcome import finish

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.cli.parsing import Parser

# Command → what it does. Each is a module of this package, imported when it is called.
COMMANDS = {
    "check": "every checkpoint's verdict and the resume point, one shot",
    "latest": "the checkpoint that a restart should load, for launch scripts",
    "show": "one checkpoint: roles, shards, files, findings, tensors",
    "plan": "which interval to save at",
    "cache": "facts of checkpoints that were read before: where they are kept, delete them",
    "history": "what was seen of runs: where it is kept, show it, forget it",
    "config": "which files of configuration count, what they set, whether they are right",
    "record": "record what happens below a directory, without a terminal",
    "replay": "step through a recording in the dashboard",
    "demo": "watch a simulated job write checkpoints, faults included",
}
_SHELLS = ("bash", "zsh", "tcsh")

_HELP = f"""\
usage: ckpt-tui [DIR] | COMMAND [ARGS]… | --version | --help | --completion SHELL

Which checkpoint can the job resume from, and why not the newer ones?

  ckpt-tui DIR   the dashboard on the checkpoints below DIR (its options: ckpt-tui dashboard -h)

commands (each has --help):
{chr(10).join(f"  {name:<12} {text}" for name, text in COMMANDS.items())}

  --completion SHELL   print a completion script for {", ".join(_SHELLS)}
  -V, --version        print the version
  -h, --help           print this

exit codes of check: 0 the newest attempt is resumable, 1 warning, 2 nothing is resumable,
3 not readable, 4 no checkpoint yet; of every command: 64 usage, 70 internal error, 130 interrupted
"""


class Command(Protocol):
    """What a module of a command offers."""

    def make_parser(self) -> Parser:
        """The parser of its arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Does it and returns the exit code."""


def run(arguments: list[str]) -> int:
    """Runs one command and returns its exit code; data on stdout, everything else on stderr."""
    _steady_streams()
    return finish(lambda: _dispatch(arguments))


def _steady_streams() -> None:
    """A closed stream swallows; a terminal's poor encoding gets escapes instead of an error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):  # a caller may have put another object there
            stream.reconfigure(errors="backslashreplace")


def _dispatch(arguments: list[str]) -> int:
    first = arguments[0] if arguments else ""
    if first in ("-h", "--help"):
        print(_HELP, end="")
        return ExitCode.OK
    if first in ("-V", "--version"):
        print(f"ckpt-tui {__version__}")
        return ExitCode.OK
    if first == "--completion":
        return _print_completion(arguments[1:])
    if first in COMMANDS or first == "dashboard":
        return _call(first, arguments[1:])
    return _call("dashboard", arguments)


def _call(name: str, arguments: list[str]) -> int:
    command = _command(name)
    parsed = command.make_parser().parse_args(arguments)
    if not _may_be_left(name, parsed):
        return command.run(parsed)
    from ckpt_tui.cli.apart import run_apart  # signals and pipes: only for who needs them

    return run_apart(lambda: finish(lambda: command.run(parsed)))


def _may_be_left(name: str, parsed: argparse.Namespace) -> bool:
    """Whether it must end in time though a file system may keep it for ever."""
    if name != "dashboard":
        return getattr(parsed, "timeout", None) is not None
    from ckpt_tui.fs.mounts import lies_on_fuse

    return sys.stdout.isatty() and lies_on_fuse(os.path.abspath(parsed.directory))


def _command(name: str) -> Command:
    return cast("Command", import_module(f"ckpt_tui.cli.{name}"))


def _print_completion(arguments: list[str]) -> int:
    """Prints a completion script, made from the parsers of all commands."""
    from ckpt_tui.cli.parsing import UsageError, make_parser

    if len(arguments) != 1 or arguments[0] not in _SHELLS:
        raise UsageError(f"--completion: name a shell: {', '.join(_SHELLS)}")
    import shtab

    parser = make_parser("", "Which checkpoint can the job resume from?")
    parser.prog = "ckpt-tui"
    parser.add_argument("-V", "--version", action="store_true")
    words = parser.add_subparsers()
    for name, text in COMMANDS.items():
        own = _command(name).make_parser()
        for action in own.path_arguments:
            vars(action)["complete"] = shtab.FILE  # where shtab looks for it
        words.add_parser(
            name,
            parents=[own],
            add_help=False,
            description=text,
            help=text,
        )
    print(shtab.complete(parser, arguments[0]))
    return ExitCode.OK
