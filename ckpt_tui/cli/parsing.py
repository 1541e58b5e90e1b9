"""Argument parsing that all commands share: usage errors end with 64, times and roles are read."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any, NoReturn

from ckpt_tui.core.vocabulary import ALL_ROLES, REQUIRED_ROLES

if TYPE_CHECKING:
    from collections.abc import Callable


class UsageError(Exception):
    """The command line cannot be understood; the text says what to change."""


class Parser(argparse.ArgumentParser):
    """A parser that raises `UsageError` instead of ending the process with 2.

    Attributes:
        path_arguments: Arguments that are paths, for shell completion.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.path_arguments: list[argparse.Action] = []

    def add_path(self, name: str, **settings: Any) -> None:
        """Adds an argument that is a path; an empty one is refused."""
        self.path_arguments.append(self.add_argument(name, type=_path_of, **settings))

    def error(self, message: str) -> NoReturn:
        """Refuses the command line."""
        raise UsageError(f"{self.format_usage().rstrip()}\n{self.prog}: {message}")


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Asks the system for the width itself: argparse imports shutil and all its archives for it."""

    def __init__(self, prog: str) -> None:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 80
        super().__init__(prog, width=max(40, columns - 2))


def make_parser(command: str, summary: str, exit_codes: str = "") -> Parser:
    """The parser of one command; `exit_codes` closes its help."""
    return Parser(
        prog=f"ckpt-tui {command}".rstrip(),
        description=summary,
        epilog=exit_codes,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )


def seconds_of(text: str) -> float:
    """A time such as 90s, 2h or 1d6h in seconds; a bare number is seconds."""
    try:
        return max(0.0, float(text)) if _is_number(text) else _seconds_with_units(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: need a time such as 90s or 2h") from error


def minutes_of(text: str) -> float:
    """A time such as 8, 90s or 1h30m in minutes; a bare number is minutes."""
    from ckpt_tui.planner.fields import LONGEST_MINUTES
    from ckpt_tui.planner.units import parse_duration

    try:
        minutes = parse_duration(text)
    except ValueError:
        minutes = -1.0
    if not 0 <= minutes <= LONGEST_MINUTES:
        raise argparse.ArgumentTypeError(f"{text!r}: need a time ≥ 0 such as 8 or 90s")
    return minutes


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def _seconds_with_units(text: str) -> float:
    from ckpt_tui.planner.units import parse_duration  # only where units were typed

    return parse_duration(text) * 60


def _path_of(text: str) -> str:
    """A path; an empty one is most likely a variable that was never set."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty (an unset variable?)")
    return text


def roles_of(text: str) -> tuple[str, ...]:
    """Role names from a list with commas."""
    roles = tuple(part.strip() for part in text.split(",") if part.strip())
    if not roles or not set(roles) <= set(ALL_ROLES):
        raise argparse.ArgumentTypeError(f"{text!r}: roles are {', '.join(ALL_ROLES)}")
    return roles


def whole_number_from(least: int) -> Callable[[str], int]:
    """A whole number that is not below `least`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r}: need a whole number of at least {least}")
        return value

    return read


def add_judging_options(parser: argparse.ArgumentParser) -> None:
    """`--world-size`, `--require`, `--stall-after`, `--config`: how checkpoints are judged."""
    parser.add_argument(
        "--world-size",
        type=whole_number_from(1),
        metavar="N",
        help="judge for a job of N ranks: another size than the writer's needs a format that can"
        " reshard",
    )
    parser.add_argument(
        "--require",
        type=roles_of,
        metavar="ROLE,…",
        help=f"roles that a resumed run needs (default: {','.join(REQUIRED_ROLES)})",
    )
    parser.add_argument(
        "--stall-after",
        type=seconds_of,
        default=120.0,
        metavar="TIME",
        help="a save that has not grown for so long is dead (default: 120s)",
    )
    add_config_options(parser)


def add_config_options(parser: argparse.ArgumentParser) -> None:
    """`--config` and `--no-config`: which files of configuration count."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--config",
        type=_path_of,
        metavar="FILE",
        help="a file of configuration that wins over the user's and the one in DIR",
    )
    which.add_argument(
        "--no-config", action="store_true", help="read no file of configuration at all"
    )


def add_looking_options(parser: argparse.ArgumentParser) -> None:
    """`--timeout` and `--settle`: how long a one-shot look may take."""
    parser.add_argument(
        "--timeout", type=seconds_of, metavar="TIME", help="give up after so long (a hung mount)"
    )
    parser.add_argument(
        "--settle",
        type=seconds_of,
        default=2.0,
        metavar="TIME",
        help="time between two looks at an unfinished save (default: 2s)",
    )
