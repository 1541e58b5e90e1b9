"""Files that the dashboard writes when it is asked to: never inside the watched directory."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.snapshot import Snapshot

_MOST_NAMES = 100


def watched_place(snapshot: Snapshot | None) -> str:
    """The directory that nothing may be written into; "" where nothing is watched.

    Where one checkpoint is watched, or a file, that is the directory it lies in: it is the run's.
    """
    if snapshot is None or not snapshot.root:
        return ""
    above = os.path.dirname(os.path.abspath(snapshot.root))
    among_others = snapshot.single or os.path.isfile(snapshot.root)
    if not among_others or os.path.dirname(above) == above:  # all there is lies in the topmost
        return snapshot.root
    return above


def write_export(text: str, root: str, stamp: str, suffix: str = ".csv") -> str:
    """Writes it into the current directory, or where it cannot be: the temporary or home one.

    Args:
        text: What to write.
        root: The directory that it may not be in; "" where there is none.
        stamp: Goes into the file's name; a number is added where there is such a file already.
        suffix: Ends it.

    Returns:
        The file's path.

    Raises:
        OSError: It cannot be written, or every place that may be is inside the watched directory.
    """
    told = say("the current, the temporary and the home directory are all watched")
    failure = OSError(errno.EROFS, told, root)
    for place_of in _PLACES:
        try:
            # Strictly: the current directory may be gone.
            place = os.path.realpath(place_of(), strict=True)
            if not _is_inside(place, root):
                return _write_new(text, os.path.join(place, f"ckpt-tui-{stamp}"), suffix)
        except OSError as error:  # read-only, full, gone or somebody else's: the next may do
            failure = error
    raise failure


def _home() -> str:
    return os.path.expanduser("~")


_PLACES: tuple[Callable[[], str], ...] = (os.getcwd, tempfile.gettempdir, _home)


def _is_inside(place: str, root: str) -> bool:
    if not root:
        return False
    watched = os.path.realpath(root)
    return os.path.commonpath([place, watched]) == watched


def _write_new(text: str, stem: str, suffix: str) -> str:
    """Writes a file that was not there before."""
    for number in range(1, _MOST_NAMES + 1):
        path = f"{stem}{f'-{number}' if number > 1 else ''}{suffix}"
        try:
            with open(path, "x", encoding="utf-8", errors="surrogateescape", newline="") as file:
                _fill(file, text)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), stem + suffix)


def _fill(file: TextIO, text: str) -> None:
    """Writes all of it, or leaves no file."""
    try:
        file.write(text)
        file.flush()
    except OSError:
        with suppress(OSError):
            os.unlink(file.name)
        raise
