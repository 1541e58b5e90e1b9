"""From the paths that are asked about to the files to read, each with its checkpoint."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.files import FileEntry, Kind
from ckpt_tui.formats.base import Claim
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.named_paths import file_of
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import list_tree, reason
from ckpt_tui.verify.context import Context
from ckpt_tui.verify.given_seals import GivenSeals
from ckpt_tui.verify.owners import Owners
from ckpt_tui.verify.seals import ENDING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Planned(NamedTuple):
    """A file to read.

    Attributes:
        missing: True where a seal lists it and it is not there.
    """

    context: Context
    entry: FileEntry
    missing: bool = False

    @property
    def path(self) -> str:
        """Its absolute path."""
        return os.path.join(self.context.files.base, self.entry.path)


class Demand(NamedTuple):
    """A checkpoint whose index may demand files that are not there.

    Attributes:
        only: Absolute path; only files at or below it are asked about; "" for all.
    """

    context: Context
    only: str


class Plan(NamedTuple):
    """What is to be read.

    Attributes:
        files: In path order, none twice.
        problems: (absolute path, reason) of what is not there or could not be listed.
        demands: The checkpoints that these files are of.
    """

    files: tuple[Planned, ...]
    problems: tuple[tuple[str, str], ...]
    demands: tuple[Demand, ...] = ()


def plan(paths: Sequence[str], seals: Sequence[str] = (), *, use_seals: bool = True) -> Plan:
    """Finds the checkpoints below the paths, or above them, and lists their files.

    Args:
        paths: What was asked about.
        seals: Files of seals that somebody names for checkpoints that were moved.
        use_seals: Whether a seal that is kept for a checkpoint counts.
    """
    given = GivenSeals(seals, use_kept=use_seals)
    making = _Planning(given)
    for path in paths:
        making.add(file_of(os.path.abspath(path)))
    making.take()
    making.problems += given.problems()
    ordered = tuple(making.files[path] for path in sorted(making.files))
    return Plan(ordered, tuple(dict.fromkeys(making.problems)), tuple(making.demands.values()))


class _Part(NamedTuple):
    """A checkpoint whose files are asked about.

    Attributes:
        only: Absolute path; only files at or below it are; "" for all.
        deep: Whether what lies in its subdirectories is its own.
        boundary: The directory that no link is followed out of; "" for its own.
    """

    claim: Claim
    only: str = ""
    deep: bool = True
    boundary: str = ""


class _Planning:
    def __init__(self, given: GivenSeals) -> None:
        self.files: dict[str, Planned] = {}
        self.problems: list[tuple[str, str]] = []
        self.demands: dict[str, Demand] = {}
        self._given = given
        self._owners = Owners()
        self._contexts: dict[str, Context] = {}
        self._parts: list[_Part] = []

    def add(self, path: str) -> None:
        try:
            calls.stat(path)
        except (OSError, ValueError) as error:
            why = reason(error) if isinstance(error, OSError) else str(error)
            self.problems.append((path, why))
            return
        if calls.is_file(path):
            self._add_file(path)
        else:
            self._add_directory(path)

    def _add_file(self, path: str) -> None:
        """One file, with all files of a checkpoint that it names; its checkpoint may know of it.

        A link stands for what it leads to; links above it stay as whoever asks spelled them, so
        that the checkpoint keeps the path by which it is known.
        """
        if os.path.islink(path):
            path = calls.realpath(path)
        claim = self._owners.of_file(path)
        self._parts.append(_Part(claim, only="" if claim.path == path else path))

    def _add_directory(self, path: str) -> None:
        found = discover(path)
        self.problems += found.problems
        # The deepest first: what it holds is not its holder's.
        for claim in sorted(found.claims, key=lambda claim: -claim.path.count(os.sep)):
            holds = claim.export and claim.path == path and len(found.claims) > 1
            self._parts.append(_Part(claim, deep=not holds, boundary=path))
        if not found.claims:
            claim = self._owners.above(os.path.dirname(path)) or Claim("", path)
            self._parts.append(_Part(claim, only=path))

    def take(self) -> None:
        """Takes the files of all that was added: only then is it known what each seal is for."""
        self._given.settle(part.claim.path for part in self._parts)
        for part in self._parts:
            self._take(part)

    def _take(self, part: _Part) -> None:
        only = part.only
        context = self._context(part)
        base, tree = context.files.base, context.tree
        if context.path and part.deep:
            self._demand(context, only)

        def asked(path: str) -> bool:
            return not only or path == only or path.startswith(only + os.sep)

        for entry in tree.entries:
            path = os.path.join(base, entry.path)
            kept = entry.kind in (Kind.FILE, Kind.LINK) and not entry.path.endswith(ENDING)
            if kept and asked(path):
                self.files.setdefault(path, Planned(context, entry))
        for name in context.seal.files:
            path = os.path.join(base, name)
            if asked(path) and tree.get(name) is None:
                gone = FileEntry(name, Kind.FILE, 0, 0, 0, 0)
                self.files.setdefault(path, Planned(context, gone, missing=True))

    def _demand(self, context: Context, only: str) -> None:
        """Once for a checkpoint: all of it where two parts of it are asked about."""
        known = self.demands.get(context.path)
        if known is not None and known.only != only:
            only = ""
        self.demands[context.path] = Demand(context, only)

    def _context(self, part: _Part) -> Context:
        claim = part.claim
        known = self._contexts.get(claim.path)
        if known is not None:
            return known
        tree = list_tree(claim.path, claim.members, deep=part.deep, boundary=part.boundary)
        base = os.path.dirname(claim.path) if claim.members else claim.path
        if tree.link_target:
            why = "it is a link that leads out of the directory and is not followed"
            self.problems.append((claim.path, why))
        self.problems += ((os.path.join(base, place), why) for place, why in tree.problems)
        seal = None
        try:
            seal = self._given.seal_of(claim.path)
        except ArtifactError as error:
            self.problems.append((error.path, error.message))
        context = self._contexts[claim.path] = Context(claim, tree, seal)
        return context
