"""Asks the plug-ins about what no reader of ours claims.

The rule is the same whether the whole root is searched or a part of it again: a plug-in may take a
directory with no checkpoint on it or below it, and files where neither the directory, nor a file of
it, nor a directory in it is a checkpoint.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.base import Claim, ClaimKind
from ckpt_tui.formats.plug_ins.guarded import FailedPlugInError
from ckpt_tui.formats.registry import plugged
from ckpt_tui.formats.shared.names import has_number
from ckpt_tui.fs.paths import directories_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ckpt_tui.fs.listing import Directory


class Answer(NamedTuple):
    """What the plug-ins said.

    Attributes:
        claims: What they take.
        problems: (absolute path, reason) of what a plug-in could not be asked about.
    """

    claims: tuple[Claim, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()


def ask_plug_ins(
    unclaimed: Mapping[str, Directory], claims: Iterable[Claim], files_only: bool = False
) -> Answer:
    """Asks about each unclaimed directory, from the top down.

    Args:
        unclaimed: Path → listing of the directories in which a plug-in may see something.
        claims: All checkpoints that are known.
        files_only: Ask about the files in them only.
    """
    asking = _Asking(unclaimed, claims)
    if not asking.installed.readers and not asking.installed.broken:
        return Answer()
    if not files_only:
        asking.ask_about_directories()
        asking.join_siblings()
    asking.ask_about_files()
    asking.tell_broken()
    return Answer(tuple(asking.found.values()), tuple(asking.problems))


def claim_of_plug_in(directory: Directory) -> Claim | None:
    """The claim of a plug-in on a directory that no reader of ours claims."""
    claims = ask_plug_ins({directory.path: directory}, ()).claims
    return next((claim for claim in claims if claim.path == directory.path), None)


class _Asking:
    def __init__(self, unclaimed: Mapping[str, Directory], claims: Iterable[Claim]) -> None:
        self.installed = plugged()
        self.unclaimed = dict(sorted(unclaimed.items()))
        self.claims = list(claims)
        self.found: dict[str, Claim] = {}
        self.closed: set[str] = set()
        self.problems: list[tuple[str, str]] = []

    def ask_about_directories(self) -> None:
        """The outer directory first: what is in a checkpoint is a part of it."""
        holding = {place for claim in self.claims for place in directories_above(claim.path)}
        for path, directory in self.unclaimed.items():
            if path in holding or not self._is_free(path):
                continue
            for reader in self.installed.readers_for(directory.all_names()):
                try:
                    kind = reader.claims_directory(directory)
                except FailedPlugInError as failure:
                    self.problems.append((path, str(failure)))
                    continue
                if kind is not ClaimKind.NO:
                    self._take(Claim(reader.name, path, (), kind is ClaimKind.EXPORT))
                    break

    def join_siblings(self) -> None:
        """A directory named like those that a plug-in took is its, whatever is (not yet) in it."""
        usual = {
            (os.path.dirname(claim.path), plain_name(os.path.basename(claim.path))): claim.reader
            for claim in self.claims
            if claim.reader in self.installed.readers and _is_numbered(claim)
        }
        holding = {place for claim in self.claims for place in directories_above(claim.path)}
        for path in self.unclaimed:
            reader = usual.get((os.path.dirname(path), plain_name(os.path.basename(path))))
            if reader and path not in holding and self._is_free(path):
                self._take(Claim(reader, path))

    def ask_about_files(self) -> None:
        """Where no checkpoint lies directly in the directory."""
        holding = {os.path.dirname(claim.path) for claim in self.claims}
        for path, directory in self.unclaimed.items():
            if path in holding or not self._is_free(path):
                continue
            taken: set[str] = set()
            for reader in self.installed.readers_for(directory.all_names()):
                try:
                    groups = reader.claims_files(directory)
                except FailedPlugInError as failure:
                    self.problems.append((path, str(failure)))
                    continue
                for members in groups:
                    if taken.isdisjoint(members):
                        taken.update(members)
                        first = os.path.join(path, members[0])
                        self._take(Claim(reader.name, first, members))

    def tell_broken(self) -> None:
        """Once, and where a checkpoint may be that one of them would know."""
        holding = {place for claim in self.claims for place in directories_above(claim.path)}
        for path, directory in self.unclaimed.items():
            may_be_one = has_number(directory.name) or not self.claims
            free = path not in holding and self._is_free(path)
            if may_be_one and free and directory.file_names():
                self.problems += [(path, why) for why in self.installed.broken]
                return

    def _take(self, claim: Claim) -> None:
        self.found[claim.path] = claim
        self.claims.append(claim)
        if not claim.members and not claim.export:
            self.closed.add(claim.path)

    def _is_free(self, path: str) -> bool:
        """Whether it is neither taken nor inside a directory that is."""
        return path not in self.found and self.closed.isdisjoint(directories_above(path))


def _is_numbered(claim: Claim) -> bool:
    name = os.path.basename(claim.path)
    return has_number(name) and not claim.members and not claim.export
