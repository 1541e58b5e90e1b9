"""Listing of directories: names, sizes and times; nothing is opened, no link is followed out."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from ckpt_tui.core.files import FileEntry, Kind, Tree

MAX_TREE_DEPTH = 8
MAX_TREE_ENTRIES = 500_000


class Directory(NamedTuple):
    """One directory, listed one level deep.

    Attributes:
        path: Absolute path.
        entries: In name order; `FileEntry.path` is the bare name.
        problem: Why it could not be listed, or "".
    """

    path: str
    entries: tuple[FileEntry, ...]
    problem: str = ""

    @property
    def name(self) -> str:
        """Last component of the path."""
        return os.path.basename(self.path)

    def file_names(self) -> tuple[str, ...]:
        """Names of the regular files."""
        return tuple(entry.path for entry in self.entries if entry.kind is Kind.FILE)

    def directory_names(self) -> tuple[str, ...]:
        """Names of the subdirectories; links to directories are not among them."""
        return tuple(entry.path for entry in self.entries if entry.kind is Kind.DIRECTORY)

    def get(self, name: str) -> FileEntry | None:
        """The entry of that name, or None."""
        return next((entry for entry in self.entries if entry.path == name), None)

    def sub(self, name: str) -> Directory:
        """Lists a subdirectory, one level deep."""
        return list_directory(os.path.join(self.path, name))


def list_directory(path: str) -> Directory:
    """Lists one directory; what cannot be read is told in `problem`, never raised."""
    try:
        with os.scandir(path) as scan:
            entries = [_entry(item, item.name, path) for item in scan]
    except OSError as error:
        return Directory(path, (), reason(error))
    entries.sort()
    return Directory(path, tuple(entries))


def list_tree(path: str, members: tuple[str, ...] = (), *, deep: bool = True) -> Tree:
    """Lists a checkpoint.

    Args:
        path: Absolute path of a directory, or of the first file of a checkpoint made of files.
        members: For a checkpoint of files: the names of all its files, in `path`'s directory.
            Paths in the tree are then these names.
        deep: False lists the directory's own files only.

    Returns:
        A tree with at most `MAX_TREE_ENTRIES` entries and `MAX_TREE_DEPTH` levels; anything
        beyond is told in `problems`.
    """
    if members:
        return _tree_of_files(path, members)
    entries: list[FileEntry] = []
    problems: list[tuple[str, str]] = []
    pending = [("", path, 0)]
    while pending:
        prefix, directory, depth = pending.pop()
        try:
            with os.scandir(directory) as scan:
                for item in scan:
                    entry = _entry(item, prefix + item.name, path)
                    entries.append(entry)
                    if entry.kind is Kind.DIRECTORY and deep:
                        pending.append((entry.path + "/", item.path, depth + 1))
        except OSError as error:
            problems.append((prefix.rstrip("/"), reason(error)))
        if pending and (pending[-1][2] > MAX_TREE_DEPTH or len(entries) > MAX_TREE_ENTRIES):
            problems.append((pending[-1][0], "too deep or too many files to list"))
            entries.sort()
            return Tree(path, tuple(entries), tuple(problems), truncated=True)
    entries.sort()
    return Tree(path, tuple(entries), tuple(problems))


def _tree_of_files(path: str, members: tuple[str, ...]) -> Tree:
    directory = os.path.dirname(path)
    entries: list[FileEntry] = []
    problems: list[tuple[str, str]] = []
    for name in members:
        try:
            info = os.lstat(os.path.join(directory, name))
        except OSError as error:
            problems.append((name, reason(error)))
            continue
        entries.append(_of_stat(name, info, None))
    entries.sort()
    return Tree(path, tuple(entries), tuple(problems))


def reason(error: OSError) -> str:
    """What went wrong, in the system's words, without the path."""
    return error.strerror or type(error).__name__


def _entry(item: os.DirEntry[str], path: str, root: str) -> FileEntry:
    try:
        info = item.stat(follow_symlinks=False)
        if not stat.S_ISLNK(info.st_mode):
            return _of_stat(path, info, None)
        return _of_link(item, path, root, info)
    except OSError:  # gone between the listing and the stat
        return FileEntry(path, Kind.OTHER, 0, 0, 0, 0)


def _of_link(item: os.DirEntry[str], path: str, root: str, info: os.stat_result) -> FileEntry:
    """A link counts as the file it names only where that file lies inside the same root."""
    target = os.readlink(item.path)
    try:
        real = os.path.realpath(item.path, strict=True)
        inside = os.path.commonpath([real, os.path.realpath(root)]) == os.path.realpath(root)
        if inside and os.path.isfile(real):
            return _of_stat(path, os.stat(real), target)
    except (OSError, ValueError):
        pass
    return FileEntry(path, Kind.LINK, 0, info.st_mtime_ns, 0, info.st_ino, target)


def _of_stat(path: str, info: os.stat_result, link_target: str | None) -> FileEntry:
    mode = info.st_mode
    if stat.S_ISREG(mode):
        kind = Kind.FILE
    elif stat.S_ISDIR(mode):
        kind = Kind.DIRECTORY
    elif stat.S_ISLNK(mode):
        kind = Kind.LINK
    else:
        kind = Kind.OTHER
    return FileEntry(
        path,
        kind,
        info.st_size if kind is Kind.FILE else 0,
        info.st_mtime_ns,
        getattr(info, "st_blocks", 0) * 512,
        info.st_ino,
        link_target,
    )
