"""What a directory listing says about files: values without any reading of content."""

from __future__ import annotations

from bisect import bisect_left
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple


class Kind(StrEnum):
    """Type of a directory entry; links are never followed out of a checkpoint."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    OTHER = "other"


class FileEntry(NamedTuple):
    """One entry of a tree.

    Attributes:
        path: Relative to the tree's root, POSIX separators; "" is the root itself (a checkpoint
            that is one file).
        size_bytes: Logical size.
        allocated_bytes: Blocks on disk × 512; less than the size means holes.
        mtime_ns: Time of the last write, nanoseconds since the epoch.
        inode: Number of the file; a rename over a file changes it.
        link_target: Raw text of a link that was not followed, else None.
    """

    path: str
    kind: Kind
    size_bytes: int
    mtime_ns: int
    allocated_bytes: int
    inode: int
    link_target: str | None = None


_FILE = Kind.FILE  # a look at the class for each of 100,000 entries would be felt
_path_of = itemgetter(0)


class Tree(NamedTuple):
    """Everything below one checkpoint, in path order.

    Attributes:
        root: Absolute path of the directory (or of the one file).
        entries: All files, directories and links below it, sorted by path.
        problems: (relative path, reason) of what could not be listed.
        truncated: True where the listing stopped at its bound of entries or depth.
        root_mtime_ns: Time of the last change of a directory with nothing in it; 0 otherwise.
        link_target: Raw text of a link in the root's place that was not followed, else "".
    """

    root: str
    entries: tuple[FileEntry, ...]
    problems: tuple[tuple[str, str], ...] = ()
    truncated: bool = False
    root_mtime_ns: int = 0
    link_target: str = ""

    def files(self) -> tuple[FileEntry, ...]:
        """Regular files only."""
        return tuple([entry for entry in self.entries if entry.kind is _FILE])

    def get(self, path: str) -> FileEntry | None:
        """The entry of that relative path, or None."""
        place = bisect_left(self.entries, path, key=_path_of)
        found = self.entries[place] if place < len(self.entries) else None
        return found if found is not None and found.path == path else None

    def total_bytes(self) -> int:
        """Sum of the logical sizes of all files."""
        return sum([entry.size_bytes for entry in self.entries if entry.kind is _FILE])

    def newest_mtime_ns(self) -> int:
        """The latest change of any file; of any entry where there is no file; of the root else."""
        files = [entry.mtime_ns for entry in self.entries if entry.kind is _FILE]
        return max(files or [entry.mtime_ns for entry in self.entries], default=self.root_mtime_ns)

    def oldest_mtime_ns(self) -> int:
        """The earliest modification time of any file."""
        return min([e.mtime_ns for e in self.entries if e.kind is _FILE], default=0)
