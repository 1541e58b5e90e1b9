"""Finds the checkpoints below a root: at most six levels, never into one, never out by a link."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.base import Claim, ClaimKind
from ckpt_tui.formats.registry import CATCH_ALL, reader_names, readers_for
from ckpt_tui.formats.shared.names import has_number, is_staging_name
from ckpt_tui.formats.unread import unread_format
from ckpt_tui.fs.listing import Directory, list_directory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        self.directories[path] = directory
        if claim is None and not self._take_files(directory) and self._is_unread(directory):
            return None
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
        claims: dict[str, Claim | None] = {}
        for name in directory.directory_names():
            if not name.startswith(".") or has_number(name):
                claims[name] = self.visit(os.path.join(directory.path, name), levels - 1)
        usual = _usual_readers(claims)
        for name, claim in claims.items():
            reader = usual.get(plain_name(name))
            if reader is None:
                continue
            if claim is None:
                self._take_attempt(directory, name, reader)
            elif claim.reader == CATCH_ALL and reader != CATCH_ALL:
                self.claims.remove(claim)
                self._take(claim._replace(reader=reader))

    def _take_attempt(self, directory: Directory, name: str, reader: str) -> None:
        """A directory named like its siblings is an attempt, whatever is (not yet) in it."""
        path = os.path.join(directory.path, name)
        if not any(claim.path.startswith(path + os.sep) for claim in self.claims):
            self.directories.pop(path, None)
            self._take(Claim(reader, path))

    def _is_unread(self, directory: Directory) -> bool:
        """Whether it holds a format that is not read; told once for all steps of a run."""
        label = unread_format(_names(directory))
        if label:
            path = directory.path
            run = os.path.dirname(path) if has_number(directory.name) else path
            problem = (run, f"looks like {label} checkpoints, which this version does not read")
            if problem not in self.problems:
                self.problems.append(problem)
        return bool(label)

    def _take_files(self, directory: Directory) -> bool:
        """Takes the checkpoints that are files; says whether there were any."""
        taken: set[str] = set()
        for candidate in readers_for(_names(directory)):
            for members in candidate.claims_files(directory):
                if not taken.intersection(members):
                    taken.update(members)
                    path = os.path.join(directory.path, members[0])
                    self._take(Claim(candidate.name, path, members))
        return bool(taken)

    def _take(self, claim: Claim) -> Claim:
        self.claims.append(claim)
        return claim


def _usual_readers(claims: Mapping[str, Claim | None]) -> dict[str, str]:
    """Shape of a numbered name → the most telling reader that claims a directory so named."""
    order = reader_names().index
    usual: dict[str, str] = {}
    for name, claim in claims.items():
        if claim is not None and has_number(name) and not claim.export:
            shape = plain_name(name)
            usual[shape] = min(usual.get(shape, claim.reader), claim.reader, key=order)
    return usual


def claim_directory(path: str) -> Claim | None:
    """What a directory is taken for now, by its own names alone."""
    return _claim(list_directory(path))


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
