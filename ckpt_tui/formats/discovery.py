"""Finds the checkpoints below a root: at most six levels, never into one, never out by a link."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.base import Claim
from ckpt_tui.formats.claiming import Looked, claim_of, look_at
from ckpt_tui.formats.looking_ahead import LookingAhead, searched_names
from ckpt_tui.formats.registry import CATCH_ALL, reader_names, readers_for
from ckpt_tui.formats.shared.names import age_by_name, has_number, is_named_alike
from ckpt_tui.formats.shared.nemo_marker import marker_of, markers_among
from ckpt_tui.formats.unread import unread_format
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import Directory, link_out, list_directory
from ckpt_tui.fs.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MAX_DEPTH = 6
SIBLINGS_COMPARED = 8


class Found(NamedTuple):
    """What a search found.

    Attributes:
        claims: All checkpoints, in no promised order.
        directories: Path → listing of every directory that is not inside a checkpoint.
        problems: (absolute path, reason) of what could not be listed.
        unlisted: Directories that are there and gave no listing at all.
        unread: (absolute path, name of the format) of what is known and not read.
    """

    claims: tuple[Claim, ...]
    directories: dict[str, Directory]
    problems: tuple[tuple[str, str], ...]
    unlisted: frozenset[str] = frozenset()
    unread: tuple[tuple[str, str], ...] = ()


def discover(
    root: str,
    known: Callable[[str], Claim | None] = lambda path: None,
    levels: int = MAX_DEPTH,
    boundary: str = "",
    told: Callable[[Claim], None] | None = None,
) -> Found:
    """Searches a root, which may itself be a checkpoint.

    Args:
        root: Absolute path of a directory.
        known: Answers for directories that were recognised before, so that they are not listed
            again.
        levels: How many levels below the root are searched.
        boundary: The directory that no link is followed out of; "" for the root itself.
        told: Called with each claim as soon as it is made, the newest of a directory first by
            the numbers in their names; what siblings say may still change or withdraw it.
    """
    search = _Search(known, boundary or root, told)
    if calls.is_file(root):
        search.visit_file(root)
    else:
        search.visit(look_at(root), levels)
    if search.unclaimed or search.unread:
        search.ask_plug_ins(files_only=calls.is_file(root))
    return Found(
        tuple(search.claims),
        search.directories,
        tuple(search.problems),
        frozenset(search.unlisted),
        tuple(search.unread.items()),
    )


class _Search:
    def __init__(
        self,
        known: Callable[[str], Claim | None],
        boundary: str,
        told: Callable[[Claim], None] | None,
    ) -> None:
        self.known = known
        self.boundary = boundary
        self.told = told
        self.claims: list[Claim] = []
        self.directories: dict[str, Directory] = {}
        self.unclaimed: dict[str, Directory] = {}
        self.unread: dict[str, str] = {}
        self.markers: dict[str, frozenset[str]] = {}
        self.problems: list[tuple[str, str]] = []
        self.unlisted: set[str] = set()
        self._pace = Pace()

    def visit(self, looked: Looked, levels: int) -> Claim | None:
        """Searches a directory; returns the claim on the directory itself, if there is one."""
        claim, directory = looked.claim, looked.directory
        if directory is None:
            return self._take(claim) if claim is not None else None
        path = directory.path
        if directory.problem and calls.lexists(path):
            self.problems.append((path, directory.problem))
            if not directory.entries:
                self.unlisted.add(path)
        if directory.problem and not directory.entries:
            return None
        if claim is not None and not claim.export:
            return self._take(claim)
        self.directories[path] = directory
        self.markers[path] = markers_among(entry.path for entry in directory.entries)
        taken = claim is not None or self._take_files(directory)
        if not taken and self._is_unread(directory) and not directory.directory_names():
            return None
        holds = self._descend(directory, levels, looked.below) if levels > 0 else False
        if not taken and not holds:
            self.unclaimed[path] = directory
        return self._take(claim) if claim else None

    def visit_file(self, path: str) -> None:
        """Searches one file that was named by itself: the checkpoint that it is, or is a part of.

        Its siblings are looked at only where they share its name up to an ending or a number.
        """
        parent, name = list_directory(os.path.dirname(path)), os.path.basename(path)
        entry = parent.get(name)
        if entry is None:
            return
        alone = Directory(parent.path, (entry._replace(link_target=None),))
        group = tuple(one for one in parent.entries if is_named_alike(one.path, name))
        if len(group) > 1 and self._take_files(Directory(parent.path, group), part=name):
            return
        if not self._take_files(alone):
            self.unclaimed[parent.path] = alone

    def ask_plug_ins(self, files_only: bool) -> None:
        """Takes what a plug-in knows: the rest is read by nobody."""
        from ckpt_tui.formats.plug_ins.unclaimed import (
            ask_plug_ins,  # only where something is unclaimed
        )

        answer = ask_plug_ins(self.unclaimed, self.claims, files_only)
        self.problems += answer.problems
        for claim in answer.claims:
            self._take(claim)
            if claim.members:
                self.unread.pop(os.path.dirname(claim.path), None)
            elif not claim.export:
                self._close(claim.path)

    def _close(self, path: str) -> None:
        """What lies in a checkpoint is its own affair."""
        for place in [p for p in self.directories if f"{p}/".startswith(f"{path}/")]:
            del self.directories[place]
            self.unclaimed.pop(place, None)
            self.unread.pop(place, None)
        self.claims = [c for c in self.claims if not c.path.startswith(f"{path}/")]

    def _descend(self, directory: Directory, levels: int, below: Mapping[str, Looked]) -> bool:
        """Searches the subdirectories; says whether one of them is a checkpoint."""
        claims: dict[str, Claim | None] = {}
        barren: list[str] = []
        names = self._in_order(searched_names(directory))
        for name, looked in self._looked_at(directory.path, names, levels - 1, below):
            count = len(self.claims)
            claims[name] = self.visit(looked, levels - 1)
            if len(self.claims) == count:
                barren.append(name)
        usual = _usual_readers(claims)
        for name in barren:
            reader = usual.get(plain_name(name))
            if reader is not None:  # named like its siblings, whatever is (not yet) in it
                path = os.path.join(directory.path, name)
                self.directories.pop(path, None)
                self.unclaimed.pop(path, None)
                self.unread.pop(path, None)
                claims[name] = self._take(Claim(reader, path))
        self._join_siblings(directory, claims)
        self._take_links(directory, claims, usual)
        return any(claims.values())

    def _looked_at(
        self, path: str, names: Sequence[str], levels: int, below: Mapping[str, Looked]
    ) -> Iterator[tuple[str, Looked]]:
        """Each name with what it is; those that were not recognised before are looked at.

        Where there are many on a slow server it is asked for several at once, ahead of their turn.

        Args:
            path: The directory that holds them.
            names: The subdirectories.
            levels: How many levels below these are searched.
            below: What was looked at ahead.
        """
        told = dict(below)
        for name in names:
            claim = self.known(os.path.join(path, name))
            if claim is not None and not claim.export:
                told[name] = Looked(claim, None)
        asked = [os.path.join(path, name) for name in names if name not in told]
        fresh = self._pace.in_turn(
            asked, look_at, str, lambda place: LookingAhead(self.known).look(place, levels)
        )
        for name in names:
            yield name, told[name] if name in told else next(fresh)

    def _in_order(self, names: Sequence[str]) -> Sequence[str]:
        """The newest first where somebody listens."""
        return names if self.told is None else sorted(names, key=age_by_name, reverse=True)

    def _join_siblings(self, directory: Directory, claims: Mapping[str, Claim | None]) -> None:
        """A save cut early may look like a folder of torch files, or like an export: siblings tell.

        Only where every file in it is named as theirs are; else it is a checkpoint of its own.
        """
        attempts = {n: c for n, c in claims.items() if c is not None and not c.export}
        told = {n: c for n, c in attempts.items() if c.reader != CATCH_ALL}
        usual = {True: _usual_readers(attempts), False: _usual_readers(told)}
        shapes: dict[tuple[str, bool], set[str]] = {}
        for name, claim in claims.items():
            if claim is None:
                continue
            key = (plain_name(name), claim.export)
            reader = usual[claim.export].get(key[0])
            if reader is None or (name in told and claim.reader == reader):
                continue
            if key not in shapes:
                surer = attempts if claim.export else told
                alike = [
                    n for n, c in surer.items() if plain_name(n) == key[0] and c.reader == reader
                ]
                newest = sorted(alike, key=age_by_name)[-SIBLINGS_COMPARED:]
                siblings = [directory.sub(n) for n in newest]
                shapes[key] = set().union(*map(_file_shapes, siblings))
            own = _file_shapes(directory.sub(name))
            if own <= shapes[key] and (own or name not in told):
                place = self.claims.index(claim)
                self.claims[place] = claim._replace(reader=reader, export=False)
                self._close(claim.path)

    def _take_links(
        self, directory: Directory, claims: Mapping[str, Claim | None], usual: Mapping[str, str]
    ) -> None:
        """A link named like the run's directories is an attempt; one to a sibling is a pointer."""
        for name in directory.link_names():
            reader = usual.get(plain_name(name))
            if reader is None:
                continue
            path = os.path.join(directory.path, name)
            place, target = os.path.split(calls.realpath(path))
            if claims.get(target) and place == calls.realpath(directory.path):
                continue
            followed = not link_out(path, self.boundary)
            claim = claim_of(list_directory(path)) if followed else None
            self._take(claim or Claim(reader, path))

    def _is_unread(self, directory: Directory) -> bool:
        """Whether it holds a format that is not read; told once for all steps of a run."""
        label = unread_format(directory.all_names())
        if label:
            self.unread[directory.path] = label
            self.unclaimed[directory.path] = directory
        return bool(label)

    def _take_files(self, directory: Directory, part: str = "") -> bool:
        """Takes the checkpoints that are files; says whether there were any.

        Args:
            directory: Their listing.
            part: Only the checkpoint of which this file is one of several; "" for all.
        """
        taken: set[str] = set()
        found = False
        for candidate in readers_for(directory.all_names()):
            for members in candidate.claims_files(directory):
                if taken.intersection(members):
                    continue
                taken.update(members)
                if not part or (part in members and len(members) > 1):
                    found = True
                    path = os.path.join(directory.path, members[0])
                    self._take(Claim(candidate.name, path, members))
        return found

    def _take(self, claim: Claim) -> Claim:
        """Takes a claim in, with the marker as it lies beside the checkpoint now."""
        marker = marker_of(claim.path)
        beside = self.markers.get(os.path.dirname(claim.path))
        marked = calls.lexists(marker) if beside is None else os.path.basename(marker) in beside
        if marked != claim.marker:
            claim = claim._replace(marker=marked)
        self.claims.append(claim)
        if self.told is not None:
            self.told(claim)
        return claim


def _file_shapes(directory: Directory) -> set[str]:
    return {plain_name(name.removesuffix(".tmp")) for name in directory.file_names()}


def _usual_readers(claims: Mapping[str, Claim | None]) -> dict[str, str]:
    """Shape of a numbered name → the reader of ours that claims most directories so named."""
    ours = reader_names()
    counts = Counter(
        (plain_name(name), claim.reader)
        for name, claim in claims.items()
        if claim is not None and has_number(name) and not claim.export and claim.reader in ours
    )
    order = ours.index
    rising = sorted(counts, key=lambda key: (counts[key], -order(key[1])))
    return dict(rising)  # the last of a shape stays
