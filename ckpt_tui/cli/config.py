"""`ckpt-tui config`: where configuration comes from, what it sets, and whether it is right."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.sources import not_from_here_text, sources_of
from ckpt_tui.config.files import (
    VARIABLE,
    file_beside,
    read_beside,
    read_own,
    users_file,
    users_file_counts,
    variables_set,
)
from ckpt_tui.config.settings import FILE_NAME, ConfigError, Settings
from ckpt_tui.core.printable import printable
from ckpt_tui.words import later, say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

_ABOUT = later(
    """\
Configuration: `path` says which files count, `show` what holds in DIR and where each value comes
from, `validate` whether files and environment are right, `schema` which keys there are.

The weakest first: the user's file (what {variable} names, else ckpt-tui/config.toml where
the platform keeps configuration), {file} in DIR or above it, --config, environment
variables such as CKPT_TUI_THEME, options. Names of roles are put together, of all else the nearest
wins.
"""
)

_EXAMPLES = "ckpt-tui config show /runs/gpt\nckpt-tui config validate /runs/gpt"
_EXIT_CODES = later("exit codes: 0 all is right; 64 something is not, or is named and is not there")


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    about = say(_ABOUT, variable=VARIABLE, file=FILE_NAME)
    parser = parsing.make_parser("config", about, say(_EXIT_CODES), _EXAMPLES)
    parser.add_argument("what", choices=("path", "show", "validate", "schema"))
    parser.add_path("directory", nargs="?", default=".", metavar="DIR")
    parsing.add_config_options(parser)
    parser.set_defaults(all_variables=True)
    return parser


class _Place(NamedTuple):
    """A source, and how it is read."""

    name: str
    read: Callable[[], Settings]


def run(arguments: argparse.Namespace) -> int:
    """Prints what was asked for; all that is not right ends it with its errors."""
    if arguments.what == "schema":
        _print_schema()
    elif arguments.what == "path":
        for path in _files(arguments):
            absent = "" if os.path.lexists(path) else f"  ({say('not there')})"
            print(printable(path) + absent)
    elif arguments.what == "validate":
        _validate(arguments)
    else:
        _show(arguments)
    return ExitCode.OK


def _show(arguments: argparse.Namespace) -> None:
    from ckpt_tui.cli.config_text import toml_lines

    beside = file_beside(arguments.directory) if not arguments.no_config else ""
    sources = sources_of(arguments)
    if beside:
        _settings_of([_Place(beside, partial(read_beside, beside))])
    settings, remarks = sources.found_for(arguments.directory)
    for path, remark in remarks:
        complain(f"{path}: {remark}")
    _complain_of_variables()
    print("\n".join(toml_lines(settings)))


def _validate(arguments: argparse.Namespace) -> None:
    from ckpt_tui.cli.view import require_right_view

    places = list(_places(arguments))
    there = _settings_of(places)
    for settings in there:
        require_right_view(settings)
    for place, settings in zip(places, there, strict=True):
        but = ""
        if settings.not_from_here:
            but = f"; {not_from_here_text(settings)}"
        print(f"{say('{place}: right', place=printable(place.name))}{but}")
    _complain_of_variables()


def _settings_of(places: list[_Place]) -> list[Settings]:
    """What each source sets.

    Raises:
        UsageError: Some are not right; it has all mistakes of all of them.
    """
    there: list[Settings] = []
    mistakes: list[str] = []
    for place in places:
        try:
            there.append(place.read())
        except ConfigError as error:
            mistakes += error.lines
    if mistakes:
        raise parsing.UsageError("\n".join(f"ckpt-tui: {printable(line)}" for line in mistakes))
    return there


def _files(arguments: argparse.Namespace) -> Iterator[str]:
    """Every file that counts, the weakest first."""
    if arguments.no_config:
        return
    yield users_file(os.environ)
    beside = file_beside(arguments.directory)
    if beside:
        yield beside
    if arguments.config is not None:
        yield os.path.abspath(arguments.config)


def _places(arguments: argparse.Namespace) -> Iterator[_Place]:
    """Every source that is there or is named; only the user's own file may be absent."""
    beside = file_beside(arguments.directory)
    for path in _files(arguments):
        if path == users_file(os.environ) and not users_file_counts(os.environ):
            continue
        read = read_beside if path == beside else read_own
        yield _Place(path, partial(read, path))
    if variables_set(os.environ):
        from ckpt_tui.config.variables import read_variables

        yield _Place(say("the environment"), partial(read_variables, os.environ))


def _complain_of_variables() -> None:
    if not variables_set(os.environ):
        return
    from ckpt_tui.config.variables import strange_variables

    for line in strange_variables(os.environ):
        complain(line)


def _print_schema() -> None:
    from ckpt_tui.cli.json_text import json_text
    from ckpt_tui.config.schema import json_schema
    from ckpt_tui.tui.actions.key_map import mappable

    actions = {each.id: each.help for actions in mappable().values() for each in actions}
    print(json_text(json_schema(actions)))
