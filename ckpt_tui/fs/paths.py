"""Which path lies above, below or behind which."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from collections.abc import Iterable


def directories_above(path: str) -> list[str]:
    """All directories that hold a path, the nearest first."""
    places = []
    while (parent := os.path.dirname(path)) != path:
        places.append(parent)
        path = parent
    return places


def topmost(places: Iterable[str]) -> list[str]:
    """Without the directories that lie below another one of them."""
    kept: list[str] = []
    for place in sorted(place.rstrip(os.sep) + os.sep for place in places):
        if not kept or not place.startswith(kept[-1]):
            kept.append(place)
    return [place.rstrip(os.sep) or os.sep for place in kept]


def within(place: str, paths: Iterable[str]) -> list[str]:
    """Those that are a directory or lie below it."""
    below = place.rstrip(os.sep) + os.sep
    return [path for path in paths if path == place or path.startswith(below)]


def is_there(path: str) -> bool:
    """Whether anything has that name, a dangling link too; no text out of a file makes it raise."""
    try:
        return calls.lexists(path)
    except ValueError:  # a zero byte, which no path can have
        return False


def link_target(path: str, root: str) -> str:
    """Where a link inside a root leads, as a path below the root; "" for all that is no link."""
    if path == root or not calls.is_link(path):
        return ""
    return spelled_below(calls.realpath(path), root)


def spelled_below(real: str, root: str) -> str:
    """A path without links, as one that begins with a root which may be reached by a link."""
    return os.path.join(root, os.path.relpath(real, calls.realpath(root)))
