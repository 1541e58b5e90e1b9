"""Directories of this user in which the program keeps files of its own, and their switches."""

from __future__ import annotations

import os

CACHE_SWITCH = "CKPT_TUI_CACHE"
"""Environment variable: "0", "off" or "no" keeps nothing in the user's cache."""

_OFF = frozenset({"0", "off", "no", "false"})


def user_directory(variable: str, below_home: str) -> str:
    """Where files of one kind lie, by the XDG base directory specification.

    Args:
        variable: Environment variable that names the base; a relative path in it does not count.
        below_home: The base, relative to the home directory, where the variable says nothing.

    Returns:
        The program's directory; relative where the user has no home.
    """
    base = os.environ.get(variable, "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), below_home)
    return os.path.join(base, "ckpt-tui")


def cache_file(name: str) -> str:
    """Path of a file in the user's cache: below ``$XDG_CACHE_HOME``, else ``~/.cache``.

    It is relative where the user has no home.
    """
    return os.path.join(user_directory("XDG_CACHE_HOME", ".cache"), name)


def is_off(switch: str) -> bool:
    """Whether an environment variable switches something off."""
    return os.environ.get(switch, "").strip().lower() in _OFF
