"""Listing of directories: names, sizes and times; nothing is opened, no link is followed out."""

from __future__ import annotations

import errno
import os
import stat
from itertools import islice
from operator import itemgetter
from sys import intern
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.files import FileEntry, Kind, Tree
from ckpt_tui.fs import calls
from ckpt_tui.fs.asking import answered

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TREE_DEPTH = 8
MAX_TREE_ENTRIES = 500_000
TOO_MUCH = "too deep or too many files to list"
"""The reason of a problem where nothing went wrong and a bound was reached."""
_ENTRIES_PER_NOTE = 16
"""So often a long scan notes that the file system still answers."""

_path_of = itemgetter(0)
_FILE, _DIRECTORY = Kind.FILE, Kind.DIRECTORY


class Directory(NamedTuple):
    """One directory, listed one level deep.

    Attributes:
        path: Absolute path.
        entries: In name order; `FileEntry.path` is the bare name.
        problem: Why it, or an entry of it, could not be listed, or "".
    """

    path: str
    entries: tuple[FileEntry, ...]
    problem: str = ""

    @property
    def name(self) -> str:
        """Last component of the path."""
        return os.path.basename(self.path)

    def all_names(self) -> tuple[str, ...]:
        """Its own name and those of all entries, by which readers may know it."""
        return (self.name, *(entry.path for entry in self.entries))

    def file_names(self) -> tuple[str, ...]:
        """Names of the regular files."""
        return tuple(entry.path for entry in self.entries if entry.kind is Kind.FILE)

    def directory_names(self) -> tuple[str, ...]:
        """Names of the subdirectories; links to directories are not among them."""
        return tuple(entry.path for entry in self.entries if entry.kind is Kind.DIRECTORY)

    def link_names(self) -> tuple[str, ...]:
        """Names of the links that do not stand for a file of the directory itself."""
        return tuple(entry.path for entry in self.entries if entry.kind is Kind.LINK)

    def get(self, name: str) -> FileEntry | None:
        """The entry of that name, or None."""
        return next((entry for entry in self.entries if entry.path == name), None)

    def sub(self, name: str) -> Directory:
        """Lists a subdirectory, one level deep."""
        return list_directory(os.path.join(self.path, name))


def list_directory(path: str) -> Directory:
    """Lists one directory; what cannot be read is told in `problem`, never raised."""
    problems: list[tuple[str, str]] = []
    try:
        with calls.scandir(path) as scan:
            entries = sorted(_entries(scan, "", path, problems), key=_path_of)
    except OSError as error:
        return Directory(path, (), reason(error))
    return Directory(path, tuple(entries), problems[0][1] if problems else "")


def grown_entries(before: Directory, now: Directory) -> list[str] | None:
    """Names whose sizes or times differ; None where an entry came, went or was replaced."""
    if before.problem != now.problem or len(before.entries) != len(now.entries):
        return None
    differing = [(a, b) for a, b in zip(before.entries, now.entries, strict=True) if a != b]
    if any(_identity(a) != _identity(b) for a, b in differing):
        return None
    return [entry.path for entry, _ in differing]


def _identity(entry: FileEntry) -> tuple[object, ...]:
    return entry.path, entry.kind, entry.inode, entry.link_target


def list_again(before: Directory) -> Directory:
    """Lists a directory anew, without a look at each subdirectory that was there before.

    Those keep the size and the time of before; on a file server that saves a question for each.
    """
    known = {e.path: e for e in before.entries if e.kind is _DIRECTORY}
    entries: list[FileEntry] = []
    fresh: list[os.DirEntry[str]] = []
    problems: list[tuple[str, str]] = []
    try:
        with calls.scandir(before.path) as scan:
            for item in scan:
                old = known.get(item.name)
                if old is not None and old.inode == item.inode():
                    entries.append(old)
                else:
                    fresh.append(item)
            entries += _entries(iter(fresh), "", before.path, problems)
    except OSError as error:
        return Directory(before.path, (), reason(error))
    entries.sort(key=_path_of)
    return Directory(before.path, tuple(entries), problems[0][1] if problems else "")


def list_names(path: str) -> Directory:
    """Lists one directory without a look at each file: names and kinds, sizes and times are 0.

    What cannot be told that way is told in `problem`; `list_directory` says more.
    """
    entries: list[FileEntry] = []
    try:
        with calls.scandir(path) as scan:
            for item in scan:
                # One look shows whether the directory may be searched, not only listed.
                info = None if entries else item.stat(follow_symlinks=False)
                if item.is_symlink():
                    info = info or item.stat(follow_symlinks=False)
                    entries.append(_of_link(item, item.name, path, info))
                else:
                    entries.append(FileEntry(item.name, _kind_of(item), 0, 0, 0, item.inode()))
    except OSError as error:
        return Directory(path, (), reason(error))
    entries.sort(key=_path_of)
    return Directory(path, tuple(entries))


def _kind_of(item: os.DirEntry[str]) -> Kind:
    if item.is_file(follow_symlinks=False):
        return _FILE
    return _DIRECTORY if item.is_dir(follow_symlinks=False) else Kind.OTHER


def link_out(path: str, boundary: str) -> str:
    """Raw target of a link that is not followed; "" for all else.

    Followed is only the boundary itself, and a link to a directory that lies inside the boundary
    and does not hold the link.
    """
    if path == boundary or not calls.is_link(path):
        return ""
    real = calls.realpath(path)
    inside = _is_below(real, calls.realpath(boundary))
    holds_link = _is_below(calls.realpath(os.path.dirname(path)), real)
    if inside and not holds_link and calls.is_directory(real):
        return ""
    try:
        return calls.readlink(path)
    except OSError:  # gone, or no link any more: the next listing tells
        return ""


def _is_below(path: str, top: str) -> bool:
    return (path + os.sep).startswith(top.rstrip(os.sep) + os.sep)


def list_tree(
    path: str, members: tuple[str, ...] = (), *, deep: bool = True, boundary: str = ""
) -> Tree:
    """Lists a checkpoint.

    Args:
        path: Absolute path of a directory, or of the first file of a checkpoint made of files.
        members: For a checkpoint of files: the names of all its files, in `path`'s directory.
            Paths in the tree are then these names.
        deep: False lists the directory's own files only.
        boundary: Where `path` is a link, the directory that it must not lead out of; "" for any.

    Returns:
        A tree with at most `MAX_TREE_ENTRIES` entries and `MAX_TREE_DEPTH` levels; anything
        beyond is told in `problems`. What goes away meanwhile below the root is left out.
    """
    if members:
        return _tree_of_files(path, members)
    target = link_out(path, boundary) if boundary else ""
    if target:
        return Tree(path, (), link_target=target)
    entries: list[FileEntry] = []
    problems: list[tuple[str, str]] = []
    pending = [("", path, 0)]
    while pending:
        prefix, directory, depth = pending.pop()
        try:
            with calls.scandir(directory) as scan:
                for entry in _entries(scan, prefix, path, problems):
                    entries.append(entry)
                    if entry.kind is _DIRECTORY and deep:
                        inner = os.path.join(path, entry.path)
                        pending.append((entry.path + "/", inner, depth + 1))
        except OSError as error:
            if not (prefix and _is_gone(error)):
                problems.append((prefix.rstrip("/"), reason(error)))
        if pending and (pending[-1][2] > MAX_TREE_DEPTH or len(entries) > MAX_TREE_ENTRIES):
            problems.append((pending[-1][0], TOO_MUCH))
            entries.sort(key=_path_of)
            return Tree(path, tuple(entries), tuple(problems), truncated=True)
    entries.sort(key=_path_of)
    changed_ns = 0 if entries or problems else _mtime_ns(path)
    return Tree(path, tuple(entries), tuple(problems), root_mtime_ns=changed_ns)


def _mtime_ns(path: str) -> int:
    try:
        return calls.stat(path).st_mtime_ns
    except OSError:  # gone since it was listed
        return 0


def _tree_of_files(path: str, members: tuple[str, ...]) -> Tree:
    directory = os.path.dirname(path)
    entries: list[FileEntry] = []
    problems: list[tuple[str, str]] = []
    for name in members:
        try:
            info = calls.lstat(os.path.join(directory, name))
        except OSError as error:
            if not _is_gone(error):
                problems.append((name, reason(error)))
            continue
        entries.append(_of_stat(name, info, None))
    entries.sort()
    return Tree(path, tuple(entries), tuple(problems))


def reason(error: OSError) -> str:
    """What went wrong, in the system's words, without the path."""
    return error.strerror or type(error).__name__


def _is_gone(error: OSError) -> bool:
    return error.errno in (errno.ENOENT, errno.ENOTDIR)


def _entries(
    scan: Iterator[os.DirEntry[str]], prefix: str, root: str, problems: list[tuple[str, str]]
) -> Iterator[FileEntry]:
    """The entries of one directory; adds at most one problem, for all that have no answer.

    An entry that goes away between the listing and the look at it is left out; a directory that
    cannot be looked at stays, so that a server which fails for a moment takes no checkpoint away.
    """
    told = False
    while some := tuple(islice(scan, _ENTRIES_PER_NOTE)):
        for item in some:
            try:
                yield _entry(item, intern(prefix + item.name), root)
            except OSError as error:
                if _is_gone(error):
                    continue
                if item.is_dir(follow_symlinks=False):  # told by the listing itself
                    yield FileEntry(prefix + item.name, _DIRECTORY, 0, 0, 0, item.inode())
                if not told:
                    told = True
                    problems.append((prefix.rstrip("/"), reason(error)))
        answered(len(some))


def _entry(item: os.DirEntry[str], path: str, root: str) -> FileEntry:
    info = item.stat(follow_symlinks=False)
    if stat.S_ISREG(info.st_mode):
        blocks = getattr(info, "st_blocks", 0)
        size_bytes, mtime_ns = info.st_size, info.st_mtime_ns
        return FileEntry(path, _FILE, size_bytes, mtime_ns, blocks * 512, info.st_ino)
    if stat.S_ISLNK(info.st_mode):
        return _of_link(item, path, root, info)
    return _of_stat(path, info, None)


def _of_link(item: os.DirEntry[str], path: str, root: str, info: os.stat_result) -> FileEntry:
    """A link counts as the file it names only where that file lies inside the same root."""
    target = calls.readlink(item.path)
    try:
        real = calls.realpath(item.path, strict=True)
        inside = os.path.commonpath([real, calls.realpath(root)]) == calls.realpath(root)
        if inside and calls.is_file(real):
            return _of_stat(path, calls.stat(real), target)
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
