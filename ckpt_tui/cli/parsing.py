"""Argument parsing that all commands share: usage errors end with 64, times and roles are read."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any, NoReturn

from ckpt_tui.core.vocabulary import ALL_ROLES, REQUIRED_ROLES
from ckpt_tui.words import ENGLISH, LANGUAGES, language, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class UsageError(Exception):
    """The command line cannot be understood; the text says what to change."""


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError` instead of ending the process with 2.

    Attributes:
        path_arguments: Arguments that are paths, for shell completion.
    """

    def __init__(self, *, add_help: bool = True, **settings: Any) -> None:
        super().__init__(**settings, add_help=False)
        self.path_arguments: list[argparse.Action] = []
        self._positionals.title = say("positional arguments")
        self._optionals.title = say("options")
        if add_help:
            text = say("show this help message and exit")
            self.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help=text)

    def add_path(self, name: str, **settings: Any) -> None:
        """Adds an argument that is a path; an empty one is refused."""
        self.path_arguments.append(self.add_argument(name, type=_path_of, **settings))

    def error(self, message: str) -> NoReturn:
        """Refuses the command line."""
        from ckpt_tui.cli.misuse import said  # only where a mistake was made

        raise UsageError(f"{self.format_usage().rstrip()}\n{self.prog}: {said(message)}")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Asks the system for the width itself: argparse imports shutil and all its archives for it."""

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 80
        super().__init__(prog, width=max(40, columns - 2))

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None,
    ) -> str:
        """The usage behind its word; further lines stand below the first one's arguments."""
        word = say("usage: ") if prefix is None else prefix
        text = super()._format_usage(usage, actions, groups, word)
        if word.isascii():
            return text
        from ckpt_tui.words.wrapping import columns_of

        return text.replace("\n  ", "\n  " + " " * (columns_of(word) - len(word)))

    def _split_lines(self, text: str, width: int) -> list[str]:
        """Breaks a help text; where characters take two columns, by columns."""
        if language() == ENGLISH:
            return super()._split_lines(text, width)
        from ckpt_tui.words.wrapping import paragraph

        return paragraph(text, width)


def make_parser(command: str, summary: str, exit_codes: str = "", examples: str = "") -> Parser:
    """The parser of one command.

    Args:
        command: Its word; "" for the program itself.
        summary: What it does, said already.
        exit_codes: Which exit codes have a meaning of its own, said already.
        examples: Command lines to begin with, one a line; they and the exit codes close the help.
    """
    parser = Parser(
        prog=f"ckpt-tui {command}".rstrip(),
        description=summary,
        epilog=_epilog(examples, exit_codes),
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        help=say(
            "language of texts (default: that of the locale, else {english}); JSON is English",
            english=ENGLISH,
        ),
    )
    return parser


def _epilog(examples: str, exit_codes: str) -> str:
    if not examples:
        return exit_codes
    shown = "\n".join(f"  {line}" for line in examples.splitlines())
    always = say("of every command: 64 usage error, 70 internal error, 130 interrupted")
    return f"{say('examples:')}\n{shown}\n\n{exit_codes.rstrip()}\n{always}"


def wants_json(arguments: argparse.Namespace) -> bool:
    """Whether a program reads the answer, which is then the same in all languages."""
    given = vars(arguments)
    return bool(given.get("as_json") or given.get("json")) or given.get("style") == "json"


def seconds_of(text: str) -> float:
    """A time such as 90s, 2h or 1d6h in seconds; a bare number is seconds."""
    try:
        return max(0.0, float(text)) if _is_number(text) else _seconds_with_units(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            say("{text}: need a time such as 90s or 2h", text=repr(text))
        ) from error


def minutes_of(text: str) -> float:
    """A time such as 8, 90s or 1h30m in minutes; a bare number is minutes."""
    from ckpt_tui.planner.fields import LONGEST_MINUTES
    from ckpt_tui.planner.units import parse_duration

    try:
        minutes = parse_duration(text)
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes <= LONGEST_MINUTES:
        raise argparse.ArgumentTypeError(
            say("{text}: need a time ≥ 0 such as 8 or 90s", text=repr(text))
        )
    return minutes


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _seconds_with_units(text: str) -> float:
    from ckpt_tui.planner.units import parse_duration  # only where units were typed

    return parse_duration(text) * 60


def _path_of(text: str) -> str:
    """A path; an empty one is most likely a variable that was never set."""
    if not text:
        raise argparse.ArgumentTypeError(say("the path is empty (an unset variable?)"))
    return text


def roles_of(text: str) -> tuple[str, ...]:
    """Role names from a list with commas."""
    roles = tuple(part.strip() for part in text.split(",") if part.strip())
    if not roles or not set(roles) <= set(ALL_ROLES):
        raise argparse.ArgumentTypeError(
            say("{text}: roles are {roles}", text=repr(text), roles=", ".join(ALL_ROLES))
        )
    return roles


def whole_number_from(least: int) -> Callable[[str], int]:
    """A whole number that is not below `least`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(
                say("{text}: need a whole number of at least {least}", text=repr(text), least=least)
            )
        return value

    return read


def add_json_option(parser: argparse._ActionsContainer) -> None:
    """`--json`: the answer for programs."""
    parser.add_argument(
        "--json", dest="as_json", action="store_true", help=say("print the JSON document")
    )


def add_judging_options(parser: argparse.ArgumentParser) -> None:
    """`--world-size`, `--require`, `--stall-after`, `--config`: how checkpoints are judged."""
    from ckpt_tui.store.members import Options

    stall_seconds = Options().stall_after_seconds
    parser.add_argument(
        "--world-size",
        type=whole_number_from(1),
        metavar="N",
        help=say(
            "judge for a job of N ranks: another size than the writer's needs a format that can"
            " reshard"
        ),
    )
    parser.add_argument(
        "--require",
        type=roles_of,
        metavar="ROLE,…",
        help=say(
            "roles that a resumed run needs (default: {roles})", roles=",".join(REQUIRED_ROLES)
        ),
    )
    parser.add_argument(
        "--stall-after",
        type=seconds_of,
        metavar="TIME",
        help=say(
            "a save that has not grown for so long is dead (default: {seconds}s)",
            seconds=f"{stall_seconds:g}",
        ),
    )
    add_config_options(parser)


def add_config_options(parser: argparse.ArgumentParser) -> None:
    """`--config` and `--no-config`: which files of configuration count."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--config",
        type=_path_of,
        metavar="FILE",
        help=say("a file of configuration that wins over the user's and the one in DIR"),
    )
    which.add_argument(
        "--no-config", action="store_true", help=say("read no file of configuration at all")
    )


def add_switch(parser: argparse.ArgumentParser, name: str, text: str) -> None:
    """`--NAME` and `--no-NAME`; None where neither is given, so that configuration counts."""
    parser.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=text)


def add_view_options(parser: argparse.ArgumentParser) -> None:
    """`--ascii`, `--theme`, `--no-mouse`: how a dashboard is drawn."""
    add_switch(parser, "ascii", say("draw with ASCII characters only"))
    parser.add_argument(
        "--theme",
        metavar="NAME",
        help=say("auto, ansi, or a theme of Textual such as textual-light"),
    )
    add_switch(parser, "mouse", say("listen to the mouse, or leave it to the terminal's selection"))


def add_looking_options(parser: argparse.ArgumentParser) -> None:
    """`--timeout` and `--settle`: how long a one-shot look may take."""
    from ckpt_tui.config.settings import SETTLE_SECONDS

    parser.add_argument(
        "--timeout",
        type=seconds_of,
        metavar="TIME",
        help=say("give up after so long (a hung mount)"),
    )
    parser.add_argument(
        "--settle",
        type=seconds_of,
        metavar="TIME",
        help=say(
            "time between two looks at an unfinished save (default: {seconds}s)",
            seconds=f"{SETTLE_SECONDS:g}",
        ),
    )
