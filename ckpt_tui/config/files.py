"""Where configuration lies, and the reading of one file: bounded, and never followed elsewhere."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.config.settings import FILE_NAME, ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.config.settings import Settings

MOST_BYTES = 64 * 1024
MOST_DOTS = 2000
"""Parsing a key of n dotted parts takes time and memory as n²; the keys here have two parts."""

VARIABLE = "CKPT_TUI_CONFIG"


def users_file(environ: Mapping[str, str]) -> str:
    """The user's own file, whether or not it is there; `CKPT_TUI_CONFIG` names another one."""
    named = environ.get(VARIABLE)
    if named:
        return os.path.abspath(named)
    home = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(home):
        home = os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(home, "ckpt-tui", "config.toml")


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

    What would run a program, send something away or change whom alarms reach is left out, and named
    in `not_from_here`.

    Raises:
        ConfigError: It cannot be read, is a link, or is not right.
    """
    settings = _read(path, path)
    if not settings.alarms:
        return settings
    from ckpt_tui.config.alarm_keys import OWN_FILE_ONLY

    kept = tuple(pair for pair in settings.alarms if pair[0] not in OWN_FILE_ONLY)
    refused = tuple(key for key, _ in settings.alarms if key in OWN_FILE_ONLY)
    return settings._replace(alarms=kept, not_from_here=refused)


def _read(path: str, place: str) -> Settings:
    try:
        with FileSource(place) as source:
            data = source.read_at(0, MOST_BYTES + 1)
    except ArtifactError as error:
        raise ConfigError(path, error.message) from error
    if len(data) > MOST_BYTES:
        raise ConfigError(path, f"it has more than {MOST_BYTES} bytes")
    if data.count(b".") > MOST_DOTS:
        raise ConfigError(path, f"it has more than {MOST_DOTS} dots")
    import tomllib  # paid for only where there is a file

    from ckpt_tui.config.schema import settings_of

    try:
        text = data.decode()
        document = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ConfigError(path, f"it is no UTF-8 text at byte {error.start}") from error
    except (ValueError, RecursionError) as error:
        why = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ConfigError(path, f"it is no TOML: {why:.200}") from error
    return settings_of(document, path, text)
