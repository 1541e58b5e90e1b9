"""Files that the dashboard writes when it is asked to: never inside the watched directory."""

from __future__ import annotations

import errno
import os
import tempfile

from ckpt_tui.words import say

_MOST_NAMES = 100


def write_export(text: str, root: str, stamp: str, suffix: str = ".csv") -> str:
    """Writes it into the current directory; where that is watched, the temporary or home one.

    Args:
        text: What to write.
        root: The watched directory; "" where there is none.
        stamp: Goes into the file's name; a number is added where there is such a file already.
        suffix: Ends it.

    Returns:
        The file's path.

    Raises:
        OSError: It cannot be written, or every place that may be is inside the watched directory.
    """
    places = [os.curdir, tempfile.gettempdir(), os.path.expanduser("~")]
    outside = [place for place in map(os.path.realpath, places) if not _is_inside(place, root)]
    if not outside:
        told = say("the current, the temporary and the home directory are all watched")
        raise OSError(errno.EROFS, told, root)
    for place in outside[:-1]:
        try:
            return _write_new(text, os.path.join(place, f"ckpt-tui-{stamp}"), suffix)
        except PermissionError:  # somebody else's directory: the next one may be ours
            continue
    return _write_new(text, os.path.join(outside[-1], f"ckpt-tui-{stamp}"), suffix)


def _is_inside(place: str, root: str) -> bool:
    watched = os.path.realpath(root)
    return bool(root) and os.path.commonpath([place, watched]) == watched


def _write_new(text: str, stem: str, suffix: str) -> str:
    """Writes a file that was not there before."""
    for number in range(1, _MOST_NAMES + 1):
        path = f"{stem}{f'-{number}' if number > 1 else ''}{suffix}"
        try:
            with open(path, "x", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(text)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), stem + suffix)
