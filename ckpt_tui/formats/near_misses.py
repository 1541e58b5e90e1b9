"""Where nothing was found: what was looked through, and what may have been meant instead.

Everything is bounded: by time, and by a number of directories. What a search did not reach is told
as such. Nothing is opened but what recognising a checkpoint takes.
"""

from __future__ import annotations

import os
from collections import deque
from difflib import get_close_matches
from enum import StrEnum
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.claiming import claim_of
from ckpt_tui.formats.discovery import MAX_DEPTH, discover
from ckpt_tui.formats.holding import holds_by
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import list_directory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.fs.listing import Directory

MOST_DIRECTORIES = 20_000
MOST_MISSES = 6
MOST_NAMES = 4_000
SECONDS = 1.5
_NAMES_AT_ONCE = 100
_LEVELS_BEYOND = 3
_LEVELS_BESIDE = 2
_SECONDS_BESIDE = 0.5
_USUAL = ("outputs", "output", "checkpoints", "ckpts", "ckpt", "runs", "results", "lightning_logs")


class Miss(StrEnum):
    """What may have been meant, or what is the matter."""

    ONE_CHECKPOINT = "one-checkpoint"  # the path is one checkpoint of a run
    INSIDE_CHECKPOINT = "inside-checkpoint"  # it lies in one
    FILE_BESIDE = "file-beside"  # it is a file beside checkpoints
    FILE_ALONE = "file-alone"  # it is a file, and nothing lies beside it
    SIMILAR_NAME = "similar-name"  # it is not there, and this is nearly called so
    BESIDE = "beside"  # checkpoints lie in the directory above it
    LINK = "link"  # a link leads out, to checkpoints
    HIDDEN = "hidden"  # a directory with a name that begins with a dot holds some
    DEEPER = "deeper"  # they lie deeper than is searched
    EXPORT = "export"  # it holds weights without the state of a job
    USUAL_PLACE = "usual-place"  # there is a directory with a usual name, without any


class NearMiss(NamedTuple):
    """One of them.

    Attributes:
        path: What it is about, absolute.
        instead: What to open instead, absolute; "" where there is nothing to open.
    """

    kind: Miss
    path: str
    instead: str = ""


class Nearby(NamedTuple):
    """What lies around a path at which nothing was found.

    Attributes:
        path: The path, absolute.
        directories: How many directories were looked through.
        whole: False where a bound ended that.
        misses: The likeliest first.
    """

    path: str
    directories: int = 0
    whole: bool = True
    misses: tuple[NearMiss, ...] = ()


def look_nearby(path: str, seconds: float = SECONDS) -> Nearby:
    """Looks around a path at which nothing was found.

    Args:
        path: Absolute path; it need not be there.
        seconds: When to come to an end; a call that hangs can take longer.
    """
    deadline = monotonic() + seconds
    if not calls.lexists(path):
        return Nearby(path, misses=_similar(path, deadline))
    if calls.is_file(path):
        return Nearby(path, misses=_about_file(path, deadline))
    inside = _around(path, deadline)
    walk = _Walk(path, deadline)
    walk.go()
    misses = (*inside, *walk.misses)
    return Nearby(path, walk.directories, walk.whole, misses[:MOST_MISSES])


def one_of_a_run(path: str) -> NearMiss | None:
    """What to open instead where a path is one checkpoint; None where it is none."""
    if calls.is_file(path):
        claims = discover(path, levels=0).claims
        alone = any(not claim.export for claim in claims)
    else:
        claim = claim_of(list_directory(path))
        alone = claim is not None and not claim.export
    return NearMiss(Miss.ONE_CHECKPOINT, path, os.path.dirname(path)) if alone else None


def _similar(path: str, deadline: float) -> tuple[NearMiss, ...]:
    """Names beside the first part of the path that is not there; the rest is kept where it fits."""
    missing, rest = path, ""
    while not calls.lexists(above := os.path.dirname(missing)):
        rest = os.path.join(os.path.basename(missing), rest) if rest else os.path.basename(missing)
        missing = above
    name = os.path.basename(missing)
    folded = {entry.path.casefold(): entry.path for entry in list_directory(above).entries}
    close = _closest(name.casefold(), folded, deadline)
    longer = [other for other in folded if name and other.startswith(name.casefold())]
    misses = []
    for other in dict.fromkeys((*close, *sorted(longer)[:2])):
        instead = os.path.join(above, folded[other])
        further = os.path.join(instead, rest) if rest else instead
        misses.append(
            NearMiss(Miss.SIMILAR_NAME, path, further if calls.lexists(further) else instead)
        )
    return tuple(misses)


def _closest(name: str, others: Iterable[str], deadline: float) -> list[str]:
    """Up to three names that are nearly the same, the closest first.

    Of very many names those of about the same length are compared: a slip changes that by little.
    """
    likeliest = sorted(others, key=lambda other: abs(len(other) - len(name)))[:MOST_NAMES]
    close: list[str] = []
    for start in range(0, len(likeliest), _NAMES_AT_ONCE):
        if monotonic() > deadline:
            break
        close += get_close_matches(name, likeliest[start : start + _NAMES_AT_ONCE])
    return get_close_matches(name, close)


def _about_file(path: str, deadline: float) -> tuple[NearMiss, ...]:
    inside = _inside(path)
    if inside:
        return inside
    above = os.path.dirname(path)
    if holds_by(above, _LEVELS_BESIDE, deadline):
        return (NearMiss(Miss.FILE_BESIDE, path, above),)
    return (NearMiss(Miss.FILE_ALONE, path),)


def _inside(path: str) -> tuple[NearMiss, ...]:
    """The checkpoint that a path lies in."""
    place = os.path.dirname(path)
    for _ in range(_LEVELS_BESIDE):
        claim = claim_of(list_directory(place))
        if claim is not None and not claim.export:
            return (NearMiss(Miss.INSIDE_CHECKPOINT, path, os.path.dirname(place)),)
        place = os.path.dirname(place)
    return ()


def _around(path: str, deadline: float) -> tuple[NearMiss, ...]:
    """A checkpoint that a directory lies in, or a run that it lies in beside the checkpoints."""
    inside = _inside(path)
    if inside:
        return inside
    above = os.path.dirname(path)
    soon = min(deadline, monotonic() + _SECONDS_BESIDE)
    if os.path.dirname(above) != above and holds_by(above, 1, soon, directly=True):
        return (NearMiss(Miss.BESIDE, path, above),)
    return ()


class _Walk:
    """Looks through a directory, as deep as a search goes, for what a search passes over."""

    def __init__(self, root: str, deadline: float) -> None:
        self.directories = 0
        self.whole = True
        self._root = root
        self._real_root = ""
        self._deadline = deadline
        self._deeper: list[str] = []
        self._aside: list[NearMiss] = []
        self._usual: list[NearMiss] = []
        self._exports: list[NearMiss] = []

    @property
    def misses(self) -> tuple[NearMiss, ...]:
        """What holds checkpoints, then what could."""
        holding = islice(filter(self._is_worth, self._aside), MOST_MISSES)
        deeper = [
            NearMiss(Miss.DEEPER, self._root, os.path.dirname(path))
            for path in self._deeper[:MOST_MISSES]
            if holds_by(path, _LEVELS_BEYOND, self._deadline)
        ]
        return (*holding, *deeper[:1], *self._exports, *self._usual)

    def go(self) -> None:
        """Looks through all directories, the nearest first."""
        self._real_root = calls.realpath(self._root)
        queue = deque([(self._root, 0)])
        while queue:
            if self.directories >= MOST_DIRECTORIES or self._is_late():
                self.whole = False
                return
            path, level = queue.popleft()
            directory = list_directory(path)
            self.directories += 1
            self._note(directory, level)
            names = [name for name in directory.directory_names() if not name.startswith(".")]
            below = [os.path.join(path, name) for name in names]
            if level < MAX_DEPTH:
                queue.extend((each, level + 1) for each in below)
            else:
                self._deeper += below

    def _note(self, directory: Directory, level: int) -> None:
        if level > 1:
            return
        claim = claim_of(directory)
        if claim is not None and claim.export:
            self._exports.append(NearMiss(Miss.EXPORT, directory.path))
        self._note_links(directory)
        for name in directory.directory_names():
            path = os.path.join(directory.path, name)
            if name.startswith(".") and name not in (".git", ".venv", ".cache"):
                self._aside.append(NearMiss(Miss.HIDDEN, path, path))
            elif name.casefold() in _USUAL:
                self._usual.append(NearMiss(Miss.USUAL_PLACE, path))

    def _note_links(self, directory: Directory) -> None:
        for name in directory.link_names():
            if self._is_late():  # each is asked of the file system several times
                self.whole = False
                return
            link = os.path.join(directory.path, name)
            if not calls.is_directory(link):
                continue
            target = calls.realpath(link)
            if not f"{target}/".startswith(f"{self._real_root}/"):
                self._aside.append(NearMiss(Miss.LINK, link, target))

    def _is_late(self) -> bool:
        return monotonic() > self._deadline

    def _is_worth(self, miss: NearMiss) -> bool:
        if self._is_late():
            return False
        return bool(holds_by(miss.instead, _LEVELS_BEYOND, self._deadline))
