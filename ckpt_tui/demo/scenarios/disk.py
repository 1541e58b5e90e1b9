"""A disk that a laptop does not have: as much room as is asked for, and files without holes.

What reads the prepared runs sees sizes, names, times and bytes as they are; only the number of
blocks and the free space are of this disk, which the first line of the screen says.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from ckpt_tui.fs.system import System

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from ckpt_tui.fs.system import Scan

_BLOCK_BYTES = 512
_FRAGMENT_BYTES = 4096


class SimulatedDisk(System):
    """The system's own calls, with the space of a larger disk below one directory.

    Args:
        directory: Absolute path without links; elsewhere all is as it is.
        free_bytes: Room that is left on it.
    """

    def __init__(self, directory: str, free_bytes: int) -> None:
        self._directory = directory
        self._below = os.path.join(directory, "")
        self._free_bytes = free_bytes

    def scandir(self, path: str) -> Scan:
        """A listing whose entries have all their blocks."""
        scan = super().scandir(path)
        return _FullScan(scan) if self._is_here(path) else scan

    def stat(self, path: str) -> os.stat_result:
        """What a path leads to, with all its blocks."""
        info = super().stat(path)
        return with_all_blocks(info) if self._is_here(path) else info

    def lstat(self, path: str) -> os.stat_result:
        """What lies at a path, with all its blocks."""
        info = super().lstat(path)
        return with_all_blocks(info) if self._is_here(path) else info

    def statvfs(self, path: str) -> os.statvfs_result:
        """The file system's sizes, with the free space of this disk."""
        info = super().statvfs(path)
        if not self._is_here(path):
            return info
        fragments = self._free_bytes // _FRAGMENT_BYTES
        fields = list(info)
        fields[0], fields[1] = _FRAGMENT_BYTES, _FRAGMENT_BYTES
        fields[2] = max(int(fields[2]), 4 * fragments)
        fields[3] = fields[4] = fragments
        return os.statvfs_result(fields)

    def _is_here(self, path: str) -> bool:
        return path == self._directory or path.startswith(self._below)


def with_all_blocks(info: os.stat_result) -> os.stat_result:
    """The same answer, as if the file had no holes."""
    blocks = -(-info.st_size // _BLOCK_BYTES)
    extra = {name: getattr(info, name) for name in dir(info) if name.startswith("st_")}
    return os.stat_result(tuple(info), extra | {"st_blocks": blocks})


class _FullEntry:
    """An entry of a listing whose file has all its blocks."""

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self._entry = entry
        self.name, self.path = entry.name, entry.path
        self.inode, self.is_dir = entry.inode, entry.is_dir
        self.is_file, self.is_symlink = entry.is_file, entry.is_symlink

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return with_all_blocks(self._entry.stat(follow_symlinks=follow_symlinks))


class _FullScan:
    def __init__(self, scan: Scan) -> None:
        self._scan = scan

    def __enter__(self) -> Iterator[os.DirEntry[str]]:
        # Nobody else can make a DirEntry; what stands in for one has all that the lister asks.
        return cast("Iterator[os.DirEntry[str]]", map(_FullEntry, self._scan.__enter__()))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None:
        self._scan.__exit__(kind, error, trace)
