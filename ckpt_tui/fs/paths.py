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


def link_target(path: str, root: str) -> str:
    """Where a link inside a root leads, as a path below the root; "" for all that is no link."""
    if path == root or not calls.is_link(path):
        return ""
    inside = os.path.relpath(calls.realpath(path), calls.realpath(root))
    return os.path.join(root, inside)
