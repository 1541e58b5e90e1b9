"""`ckpt-tui config`: where configuration comes from, what it sets, and whether it is right."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.cli import parsing
from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.cli.messages import complain
from ckpt_tui.config.files import (
    VARIABLE,
    file_beside,
    read_beside,
    read_own,
    users_file,
    users_file_counts,
)
from ckpt_tui.config.settings import (
    FILE_NAME,
    NO_SETTINGS,
    ConfigError,
    Settings,
    merged,
    not_from_here_text,
)
from ckpt_tui.core.printable import printable

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from ckpt_tui.config.settings import AlarmValue

_ABOUT = f"""\
Configuration: `path` says which files count, `show` what they set together, `validate` whether
they are right, `schema` which keys there are.

The weakest first: the user's file ($XDG_CONFIG_HOME/ckpt-tui/config.toml, or what {VARIABLE}
names), {FILE_NAME} in DIR or the directory above it, --config. Names are put together one by one,
of lists the nearest comes first.
"""

_EXIT_CODES = "exit codes: 0 all files are right; 64 one is not, or is named and is not there"


def make_parser() -> parsing.Parser:
    """The parser of its arguments."""
    parser = parsing.make_parser("config", _ABOUT, _EXIT_CODES)
    parser.add_argument("what", choices=("path", "show", "validate", "schema"))
    parser.add_path("directory", nargs="?", default=".", metavar="DIR")
    parsing.add_config_options(parser)
    return parser


def run(arguments: argparse.Namespace) -> int:
    """Prints what was asked for; a file that is not right ends it with its error."""
    if arguments.what == "schema":
        _print_schema()
        return ExitCode.OK
    if arguments.what == "path":
        for path, _ in _places(arguments):
            print(printable(path) + ("" if os.path.lexists(path) else "  (not there)"))
        return ExitCode.OK
    try:
        there = [(path, read(path)) for path, read in _places(arguments) if _counts(path)]
    except ConfigError as error:
        raise parsing.UsageError(f"ckpt-tui: {printable(str(error))}") from error
    if arguments.what == "validate":
        for path, settings in there:
            but = f", but {not_from_here_text(settings)}" if settings.not_from_here else ""
            print(f"{printable(path)}: right{but}")
        return ExitCode.OK
    for path, settings in there:
        if settings.not_from_here:
            complain(f"{path}: {not_from_here_text(settings)}")
    print("\n".join(_toml_lines(merged(settings for _, settings in there))))
    return ExitCode.OK


def _places(arguments: argparse.Namespace) -> Iterator[tuple[str, Callable[[str], Settings]]]:
    """Every file that counts, the weakest first, with how it is read."""
    if arguments.no_config:
        return
    yield users_file(os.environ), read_own
    beside = file_beside(arguments.directory)
    if beside:
        yield beside, read_beside
    if arguments.config is not None:
        yield os.path.abspath(arguments.config), read_own


def _counts(path: str) -> bool:
    """Only the user's own file may be absent."""
    return path != users_file(os.environ) or users_file_counts(os.environ)


def _toml_lines(settings: Settings) -> Iterator[str]:
    """Settings as a file would hold them."""
    if settings == NO_SETTINGS:
        yield "# nothing is set"
        return
    if settings.require is not None:
        yield f"require = {_array(settings.require)}\n"
    if settings.alarms:
        yield "[alarms]"
        yield from (f"{key} = {_value(value)}" for key, value in settings.alarms)
        yield ""
    yield "[roles]"
    by_role: dict[str, list[str]] = {}
    for name, role in settings.roles:
        by_role.setdefault(role, []).append(name)
    for role, names in by_role.items():
        yield f"{role} = {_array(names)}"
    for key, keys in (("step_keys", settings.step_keys), ("epoch_keys", settings.epoch_keys)):
        if keys:
            yield f"{key} = {_array(keys)}"


def _array(names: list[str] | tuple[str, ...]) -> str:
    return _value(tuple(names))


def _value(value: AlarmValue) -> str:
    import json

    return json.dumps(value)  # of strings, arrays of them, numbers and booleans TOML has the same


def _print_schema() -> None:
    from ckpt_tui.cli.json_text import json_text
    from ckpt_tui.config.schema import json_schema

    print(json_text(json_schema()))
