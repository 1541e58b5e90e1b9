"""Whether a path changed, by one stat: what is far cheaper than to look at what it holds.

A directory's times change when an entry is made, renamed, replaced or removed in it, and when its
own mode or owner is changed; not when a file in it grows or is overwritten, nor for anything deeper
down. A file that is renamed into place shows as another inode.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from collections.abc import Iterable

_GONE = (errno.ENOENT, errno.ENOTDIR)


class _Sign(NamedTuple):
    device: int
    inode: int
    mtime_ns: int
    ctime_ns: int


class Signs:
    """The last signs of some paths."""

    def __init__(self) -> None:
        self._last: dict[str, _Sign | int | None] = {}

    def changed(self, paths: Iterable[str], since_ns: int) -> set[str]:
        """Those of the paths whose sign differs from the last time; all others are forgotten.

        Args:
            paths: What is asked.
            since_ns: What was not asked for the last time is told if it changed at this time or
                later, nanoseconds since the epoch by the file system's clock; 0 for all there is.
        """
        signs = {path: _sign(path) for path in paths}
        last, self._last = self._last, signs
        return {
            path
            for path, sign in signs.items()
            if (sign != last[path] if path in last else _is_young(sign, since_ns))
        }


def _is_young(sign: _Sign | int | None, since_ns: int) -> bool:
    return isinstance(sign, _Sign) and max(sign.mtime_ns, sign.ctime_ns) >= since_ns


def _sign(path: str) -> _Sign | int | None:
    """None where nothing is; the error's number where it cannot be told."""
    try:
        info = calls.stat(path)
    except OSError as error:
        return None if error.errno in _GONE else error.errno
    return _Sign(info.st_dev, info.st_ino, info.st_mtime_ns, info.st_ctime_ns)
