"""Where configuration lies, and the reading of one file: bounded, and never followed elsewhere."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.config.settings import FILE_NAME, VARIABLE_PREFIX, ConfigError, Settings
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.config.settings import Entry

MOST_BYTES = 64 * 1024
MOST_DOTS = 2000
"""Parsing a key of n dotted parts takes time and memory as n²; the keys here have two parts."""

VARIABLE = "CKPT_TUI_CONFIG"

NOT_KEYS = frozenset(
    f"{VARIABLE_PREFIX}{name}"
    for name in (
        # What whoever starts the program sets for it: the file, its readers, a trace of errors.
        "CONFIG", "READERS", "DEBUG", "STATE", "VERIFIED",
        # What a program gets that an alarm runs, and hands on to what that runs.
        "EVENT", "CODE", "LEVEL", "MESSAGE", "AT", "ROOT", "RUN", "CHECKPOINT",
    )
)  # fmt: skip
"""Variables with the prefix that set no key."""


def variables_set(environ: Mapping[str, str]) -> list[str]:
    """Variables that may set a key; one that is empty sets nothing."""
    return sorted(
        name
        for name, text in environ.items()
        if name.startswith(VARIABLE_PREFIX) and name not in NOT_KEYS and text
    )


def users_file(environ: Mapping[str, str], platform: str = sys.platform) -> str:
    """The user's own file, whether or not it is there; `CKPT_TUI_CONFIG` names another one.

    It lies where the platform keeps configuration: below ``$XDG_CONFIG_HOME`` where that is set,
    else ``~/.config``, on a Mac ``~/Library/Application Support``, on Windows ``%APPDATA%``.
    """
    named = environ.get(VARIABLE)
    if named:
        return os.path.abspath(named)
    home = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(home):
        home = _platforms_place(environ, platform)
    return os.path.join(home, "ckpt-tui", "config.toml")


def _platforms_place(environ: Mapping[str, str], platform: str) -> str:
    """As `platformdirs` has it, whose import takes longer than the rest of a start."""
    if platform == "win32" and environ.get("APPDATA"):
        return environ["APPDATA"]
    below = {
        "darwin": ("Library", "Application Support"),
        "win32": ("AppData", "Roaming"),
    }.get(platform, (".config",))
    return os.path.join(os.path.expanduser("~"), *below)


def users_file_counts(environ: Mapping[str, str]) -> bool:
    """Whether the user's own file is read: it may be absent, unless the environment names it."""
    return bool(environ.get(VARIABLE)) or os.path.lexists(users_file(environ))


def file_beside(path: str) -> str:
    """The file that belongs to a directory or checkpoint: in it, else in the one above; or "".

    Args:
        path: What is looked at.
    """
    path = os.path.abspath(path)
    places = (os.path.join(place, FILE_NAME) for place in (path, os.path.dirname(path)))
    return next((place for place in places if os.path.lexists(place)), "")


def read_own(path: str) -> Settings:
    """Reads a file of the user's, which may be a link.

    Raises:
        ConfigError: It cannot be read, or is not right.
    """
    return _read(path, os.path.realpath(path))


def read_beside(path: str) -> Settings:
    """Reads a file that lies beside checkpoints: whoever writes there may have written it.

    What would run a program, send something away, change whom alarms reach or what a key does is
    left out, and named in `not_from_here`.

    Raises:
        ConfigError: It cannot be read, is a link, or is not right.
    """
    settings = _read(path, path)
    if not settings.entries:
        return settings
    from ckpt_tui.config.keys import key_of

    kept: list[Entry] = []
    refused: list[str] = []
    for entry in settings.entries:
        key = key_of(entry.table, entry.key)
        if key is not None and key.beside:
            kept.append(entry)
        else:
            refused.append(entry.name)
    return Settings(tuple(kept), tuple(refused))


def _read(path: str, place: str) -> Settings:
    try:
        with FileSource(place) as source:
            data = source.read_at(0, MOST_BYTES + 1)
    except ArtifactError as error:
        raise ConfigError(path, say_sentence(error.message)) from error
    if len(data) > MOST_BYTES:
        raise ConfigError(path, say("it has more than {count} bytes", count=MOST_BYTES))
    if data.count(b".") > MOST_DOTS:
        raise ConfigError(path, say("it has more than {count} dots", count=MOST_DOTS))
    import tomllib  # paid for only where there is a file

    from ckpt_tui.config.reading import settings_of

    try:
        text = data.decode()
        document = tomllib.loads(text)
    except UnicodeDecodeError as error:
        text = say("it is no UTF-8 text at byte {place}", place=error.start)
        raise ConfigError(path, text) from error
    except RecursionError as error:
        raise ConfigError(path, say("it is no TOML: nested too deeply")) from error
    except ValueError as error:
        text = say("it is no TOML: {reason}", reason=f"{error!s:.200}")
        raise ConfigError(path, text) from error
    return settings_of(document, path, text)
