"""Finds the checkpoints below a root: at most six levels, never into one, never out by a link."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.base import Claim, ClaimKind
from ckpt_tui.formats.names import has_number, is_staging_name
from ckpt_tui.formats.registry import readers_for
from ckpt_tui.fs.listing import Directory, list_directory

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 6


class Found(NamedTuple):
    """What a search found.

    Attributes:
        claims: All checkpoints, in no promised order.
        directories: Path → listing of every directory that is not inside a checkpoint.
        problems: (absolute path, reason) of what could not be listed.
    """

    claims: tuple[Claim, ...]
    directories: dict[str, Directory]
    problems: tuple[tuple[str, str], ...]


def discover(
    root: str,
    known: Callable[[str], Claim | None] = lambda path: None,
    levels: int = MAX_DEPTH,
) -> Found:
    """Searches a root, which may itself be a checkpoint.

    Args:
        root: Absolute path of a directory.
        known: Answers for directories that were recognised before, so that they are not listed
            again.
        levels: How many levels below the root are searched.
    """
    search = _Search(known)
    if os.path.isfile(root):
        search.visit_file(root)
    else:
        search.visit(root, levels, is_root=True)
    return Found(tuple(search.claims), search.directories, tuple(search.problems))


class _Search:
    def __init__(self, known: Callable[[str], Claim | None]) -> None:
        self.known = known
        self.claims: list[Claim] = []
        self.directories: dict[str, Directory] = {}
        self.problems: list[tuple[str, str]] = []

    def visit(self, path: str, levels: int, is_root: bool = False) -> Claim | None:
        """Searches a directory; returns the claim on the directory itself, if there is one."""
        remembered = None if is_root else self.known(path)
        if remembered is not None and not remembered.export:
            return self._take(remembered)
        directory = list_directory(path)
        if directory.problem:
            self.problems.append((path, directory.problem))
            return None
        claim = _claim(directory)
        if claim is not None and not claim.export:
            return self._take(claim)
        if claim is None:
            self._take_files(directory)
        self.directories[path] = directory
        if levels > 0:
            self._descend(directory, levels)
        return self._take(claim) if claim else None

    def visit_file(self, path: str) -> None:
        """Searches one file that was named by itself; its siblings are not looked at."""
        parent = list_directory(os.path.dirname(path))
        entry = parent.get(os.path.basename(path))
        if entry is not None:
            self._take_files(Directory(parent.path, (entry._replace(link_target=None),)))

    def _descend(self, directory: Directory, levels: int) -> None:
        unclaimed: list[str] = []
        readers_by_shape: dict[str, str] = {}
        for name in directory.directory_names():
            if name.startswith(".") and not has_number(name):
                continue
            claim = self.visit(os.path.join(directory.path, name), levels - 1)
            if claim is None:
                unclaimed.append(name)
            elif has_number(name) and not claim.export:
                readers_by_shape[plain_name(name)] = claim.reader
        for name in unclaimed:
            self._take_attempt(directory, name, readers_by_shape)

    def _take_attempt(
        self, directory: Directory, name: str, readers_by_shape: dict[str, str]
    ) -> None:
        """A directory named like its siblings is an attempt, whatever is (not yet) in it."""
        reader = readers_by_shape.get(plain_name(name))
        path = os.path.join(directory.path, name)
        inside = any(c.path.startswith(path + os.sep) for c in self.claims)
        if reader is not None and has_number(name) and not inside:
            self.directories.pop(path, None)
            self._take(Claim(reader, path))

    def _take_files(self, directory: Directory) -> None:
        taken: set[str] = set()
        for candidate in readers_for(_names(directory)):
            for members in candidate.claims_files(directory):
                if not taken.intersection(members):
                    taken.update(members)
                    path = os.path.join(directory.path, members[0])
                    self._take(Claim(candidate.name, path, members))

    def _take(self, claim: Claim) -> Claim:
        self.claims.append(claim)
        return claim


def _claim(directory: Directory) -> Claim | None:
    for candidate in readers_for(_names(directory)):
        kind = candidate.claims_directory(directory)
        if kind is not ClaimKind.NO:
            return Claim(candidate.name, directory.path, (), kind is ClaimKind.EXPORT)
    return None


def _names(directory: Directory) -> tuple[str, ...]:
    return (directory.name, *(entry.path for entry in directory.entries))


def staged(claim: Claim) -> bool:
    """Whether a checkpoint still has a temporary name."""
    return is_staging_name(os.path.basename(claim.path))
