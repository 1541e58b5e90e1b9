"""The command line: one word per command; a directory alone opens the dashboard."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ckpt_tui import __version__
from ckpt_tui.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.cli.parsing import Parser

# Command → what it does. Each is a module of this package, imported when it is called.
COMMANDS = {
    "check": "every checkpoint's verdict and the resume point, one shot",
    "latest": "the checkpoint that a restart should load, for launch scripts",
    "show": "one checkpoint: roles, shards, files, findings, tensors",
    "plan": "which interval to save at",
    "history": "what was seen of runs: where it is kept, show it, forget it",
    "config": "which files of configuration count, what they set, whether they are right",
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
    from ckpt_tui.cli.parsing import UsageError

    _steady_streams()
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
    except UsageError as error:
        print(error, file=sys.stderr)
        return ExitCode.USAGE
    except SystemExit as error:  # argparse after --help
        return error.code if isinstance(error.code, int) else ExitCode.OK
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader went away; a second flush at exit must not complain about it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except Exception as error:
        return _internal(error)
    return code


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
    return command.run(command.make_parser().parse_args(arguments))


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


def _internal(error: Exception) -> int:
    if os.environ.get("CKPT_TUI_DEBUG"):
        import traceback

        traceback.print_exc()
    print(
        f"ckpt-tui: internal error: {type(error).__name__}: {error}"
        " (set CKPT_TUI_DEBUG=1 for the place)",
        file=sys.stderr,
    )
    return ExitCode.INTERNAL
