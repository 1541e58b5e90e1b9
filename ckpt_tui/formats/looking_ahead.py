"""Looks at a directory together with the few below it: what a slow server is asked for ahead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.formats.claiming import Looked, look_at
from ckpt_tui.formats.shared.names import has_number
from ckpt_tui.formats.unread import unread_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.formats.base import Claim
    from ckpt_tui.fs.listing import Directory

MOST_BELOW = 16
"""Of more in one directory the search asks for many at once when it comes there."""
MOST_IN_ALL = 64
"""So many are looked at below one directory, whatever its tree is: they take memory."""


def searched_names(directory: Directory) -> list[str]:
    """The subdirectories in which checkpoints are searched for."""
    return [n for n in directory.directory_names() if not n.startswith(".") or has_number(n)]


class LookingAhead:
    """Looks at one directory and, where the search would go on below it, at what lies there.

    Args:
        known: Answers for directories that were recognised before, which are not looked at.
    """

    def __init__(self, known: Callable[[str], Claim | None]) -> None:
        self._known = known
        self._left = MOST_IN_ALL

    def look(self, path: str, levels: int) -> Looked:
        """Looks; what is found below is only what the search would find there itself.

        Args:
            path: Absolute path of a directory.
            levels: How many levels below it are searched.
        """
        looked = look_at(path)
        claim, directory = looked.claim, looked.directory
        if directory is None or levels <= 0 or (claim is not None and not claim.export):
            return looked
        names = searched_names(directory)
        if len(names) > min(MOST_BELOW, self._left) or unread_format(directory.all_names()):
            return looked
        self._left -= len(names)
        inner = ((name, os.path.join(path, name)) for name in names)
        below = {name: self.look(p, levels - 1) for name, p in inner if self._is_new(p)}
        return looked._replace(below=below)

    def _is_new(self, path: str) -> bool:
        claim = self._known(path)
        return claim is None or claim.export
