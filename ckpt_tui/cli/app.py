"""The command line: one word per command; a directory alone opens the dashboard."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ckpt_tui import __version__, words
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.outcome import finish
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    import argparse

    from ckpt_tui.cli.parsing import Parser

# Command → what it does. Each is a module of this package, imported when it is called.
COMMANDS = {
    "check": later("every checkpoint's verdict and the resume point, one shot"),
    "latest": later("the checkpoint that a restart should load, for launch scripts"),
    "show": later("one checkpoint: roles, shards, files, findings, tensors"),
    "verify": later("every byte that a checksum protects, read and compared; NaN and infinity"),
    "seal": later("checksums of a checkpoint that protects nothing, kept for verify"),
    "compare": later("two checkpoints side by side: what differs, what is the same"),
    "explain": later("what a finding or a verdict means, and what to do about it"),
    "plan": later("which interval to save at"),
    "cache": later("facts of checkpoints that were read before: where they are kept, delete them"),
    "history": later("what was seen of runs: where it is kept, show it, forget it"),
    "config": later("which files of configuration count, what they set, whether they are right"),
    "record": later("record what happens below a directory, without a terminal"),
    "replay": later("step through a recording in the dashboard"),
    "demo": later("watch a simulated job write checkpoints, faults included"),
}
_LANGUAGE = "--lang"
_SHELLS = ("bash", "zsh", "tcsh")

_HELP = later(
    """\
usage: ckpt-tui [DIR] | COMMAND [ARGS]… | --version | --help | --completion SHELL

Which checkpoint can the job resume from, and why not the newer ones?

  ckpt-tui DIR   the dashboard on the checkpoints below DIR (its options: ckpt-tui dashboard -h)

Nothing is ever written below DIR. A command word wins over a directory of that name: ./check.

commands (each has --help):
{commands}

  --lang en|zh         language of texts, before or after the command (default: the locale's)
  --completion SHELL   print a completion script for {shells}
  -V, --version        print the version
  -h, --help           print this

examples:
  ckpt-tui demo                        see it at work on a simulated job
  ckpt-tui /runs/gpt                   watch a run
  ckpt-tui check --json /runs/gpt      every verdict, for a program
  ckpt-tui latest /runs/gpt            the path to resume from, for a launch script
  ckpt-tui explain truncated-file      what a finding means, and what to do

environment:
  CKPT_TUI_CONFIG=FILE    the user's configuration     CKPT_TUI_CACHE=0     keep no facts for later
  CKPT_TUI_READERS=N      processes that read ahead    CKPT_TUI_HISTORY=0   keep no history of runs
  CKPT_TUI_DEBUG=1        show where an error arose    CKPT_TUI_STATE=0     remember no filters
  NO_COLOR=1              no colours                   CKPT_TUI_VERIFIED=0  use no results of verify

exit codes of check: 0 the newest attempt is resumable, 1 warning, 2 nothing is resumable,
3 not readable, 4 no checkpoint yet; of every command: 64 usage, 70 internal error, 130 interrupted
"""
)


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
            nowhere = open(os.devnull, "w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
            setattr(sys, name, nowhere)
        elif hasattr(stream, "reconfigure"):  # a caller may have put another object there
            stream.reconfigure(errors="backslashreplace")


def _dispatch(arguments: list[str]) -> int:
    ahead, arguments = _language_ahead(arguments)
    _speak([*ahead, *arguments])
    first = arguments[0] if arguments else ""
    if first in ("-h", "--help"):
        print(_help(), end="")
        return ExitCode.OK
    if first in ("-V", "--version"):
        print(f"ckpt-tui {__version__}")
        return ExitCode.OK
    if first == "--completion":
        return _print_completion(arguments[1:])
    if first in COMMANDS or first == "dashboard":
        return _call(first, [*ahead, *arguments[1:]])
    return _call("dashboard", [*ahead, *arguments])


def _help() -> str:
    commands = "\n".join(f"  {name:<12} {say(text)}" for name, text in COMMANDS.items())
    return say(_HELP, commands=commands, shells=", ".join(_SHELLS))


def _language_ahead(arguments: list[str]) -> tuple[list[str], list[str]]:
    """`--lang` before the command, and what follows it."""
    first = arguments[0] if arguments else ""
    cut = 2 if first == _LANGUAGE else int(first.startswith(f"{_LANGUAGE}="))
    return arguments[:cut], arguments[cut:]


def _speak(arguments: list[str]) -> None:
    """The language of `--lang`, `CKPT_TUI_LANG` or the locale; an unknown one is refused later."""
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    asked = os.environ.get("CKPT_TUI_LANG", "")
    for word, after in zip(own, [*own[1:], ""], strict=False):
        if word == _LANGUAGE or word.startswith(f"{_LANGUAGE}="):
            asked = word.partition("=")[2] or after
    words.use(asked if asked in words.LANGUAGES else words.of_locale(os.environ))


def _call(name: str, arguments: list[str]) -> int:
    from ckpt_tui.cli.parsing import wants_json

    command = _command(name)
    parsed = command.make_parser().parse_args(arguments)
    if wants_json(parsed):
        words.use(words.ENGLISH)
    if not _may_be_left(name, parsed):
        return command.run(parsed)
    from ckpt_tui.cli.apart import run_apart  # signals and pipes: only for who needs them

    return run_apart(lambda: finish(lambda: command.run(parsed)))


def _may_be_left(name: str, parsed: argparse.Namespace) -> bool:
    """Whether it must end in time though a file system may keep it for ever."""
    if name == "record":
        return True
    if name in ("verify", "seal"):
        from ckpt_tui.fs.mounts import lies_on_fuse

        places = map(os.path.abspath, parsed.paths)
        return getattr(parsed, "timeout", None) is not None or any(map(lies_on_fuse, places))
    if name != "dashboard":
        from ckpt_tui.cli.sources import check_number

        return hasattr(parsed, "timeout") and check_number(parsed, "timeout") is not None
    from ckpt_tui.fs.mounts import lies_on_fuse

    return sys.stdout.isatty() and lies_on_fuse(os.path.abspath(parsed.directory or "."))


def _command(name: str) -> Command:
    return cast("Command", import_module(f"ckpt_tui.cli.{name}"))


def _print_completion(arguments: list[str]) -> int:
    """Prints a completion script, made from the parsers of all commands."""
    from ckpt_tui.cli.parsing import UsageError, make_parser

    if len(arguments) != 1 or arguments[0] not in _SHELLS:
        raise UsageError(say("--completion: name a shell: {shells}", shells=", ".join(_SHELLS)))
    import shtab

    parser = make_parser("", say("Which checkpoint can the job resume from?"))
    parser.prog = "ckpt-tui"
    parser.add_argument("-V", "--version", action="store_true")
    subparsers = parser.add_subparsers()
    for name, text in COMMANDS.items():
        own = _command(name).make_parser()
        for action in own.path_arguments:
            vars(action)["complete"] = shtab.FILE  # where shtab looks for it
        subparsers.add_parser(
            name,
            parents=[own],
            add_help=False,
            description=say(text),
            help=say(text),
        )
    print(shtab.complete(parser, arguments[0]))
    return ExitCode.OK
