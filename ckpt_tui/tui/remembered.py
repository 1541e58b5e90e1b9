"""What the dashboard remembers of a user from one start to the next: filters, the order of rows.

It is one small JSON file in the user's state directory, and never in the directory that is watched.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.fs.small_json import read_small_json, write_small_json
from ckpt_tui.fs.user_directory import is_off, user_directory
from ckpt_tui.history.recent import SWITCH

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_FILTERS = 50
MOST_CHARACTERS = 200
"""A longer filter is not remembered."""
_MOST_SORT_KEYS = 8


class _Kept(NamedTuple):
    """The content of the file.

    Attributes:
        filters: The newest first.
        sort: Column keys, `-` before one for the largest first.
    """

    filters: tuple[str, ...] = ()
    sort: tuple[str, ...] = ()


def remembered_path() -> str:
    """Absolute path of the file; "" where nothing is to be kept, or the user has no home."""
    path = os.path.join(user_directory("XDG_STATE_HOME", ".local/state"), "dashboard.json")
    return path if os.path.isabs(path) and not is_off(SWITCH) else ""


class Remembered:
    """Filters that were used and the order that was chosen last.

    Args:
        path: The file; "" keeps all in memory alone.
        watched: The watched directory, in which nothing is ever written.
    """

    def __init__(self, path: str = "", watched: str = "") -> None:
        self._path = path
        self._watched = watched
        self._writing = threading.Lock()
        self._kept = _read(path)

    @property
    def filters(self) -> tuple[str, ...]:
        """Filters that were used, the newest first."""
        return self._kept.filters

    @property
    def sort(self) -> tuple[str, ...]:
        """The order that was chosen last; empty where none was."""
        return self._kept.sort

    def add_filter(self, text: str) -> bool:
        """Puts a filter in front; says whether that changed anything."""
        filters = _bounded((text.strip(), *self._kept.filters))
        changed = filters != self._kept.filters
        self._kept = self._kept._replace(filters=filters)
        return changed

    def set_sort(self, words: tuple[str, ...]) -> bool:
        """Remembers an order; says whether it is another one."""
        changed = words != self._kept.sort
        self._kept = self._kept._replace(sort=words)
        return changed

    def save(self) -> None:
        """Writes the file, for a thread that may wait; where that fails, nothing is kept.

        What another dashboard has added meanwhile stays, behind what is new here.
        """
        if not self._path:
            return
        with self._writing:
            kept = self._kept
            filters = _bounded((*kept.filters, *_read(self._path).filters))
            value = kept._replace(filters=filters)._asdict()
            write_small_json(self._path, value, not_below=self._watched)


def _bounded(filters: Iterable[str]) -> tuple[str, ...]:
    good = (text for text in filters if text and len(text) <= MOST_CHARACTERS)
    return tuple(dict.fromkeys(good))[:MOST_FILTERS]


def _read(path: str) -> _Kept:
    """The file's content; what is no such file holds nothing."""
    told = read_small_json(path) if path else None
    if not isinstance(told, dict):
        return _Kept()
    filters, sort = _texts(told.get("filters")), _texts(told.get("sort"))
    return _Kept(_bounded(filters), sort[:_MOST_SORT_KEYS])


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(text for text in value if isinstance(text, str) and text.isprintable())
