"""What facts depend on outside their checkpoint: asked again where the answer may have changed.

A Trainer's checkpoint names the best one beside it; a conversion that was cut counts as none while
its source is there. Nothing of the checkpoint itself changes when one of those goes away.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.fs.paths import directories_above, is_there

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ckpt_tui.core.facts import NeighbourFacts
    from ckpt_tui.fs.listing import Directory

_Askers = dict[str, bool]
"""Checkpoint → whether the path was there when its facts were read."""


class Neighbours:
    """The paths that were asked about, by the directories that hold them."""

    def __init__(self) -> None:
        self._places: dict[str, dict[str, _Askers]] = {}
        self._asked: dict[str, tuple[NeighbourFacts, ...]] = {}

    def note(self, checkpoint: str, asked: tuple[NeighbourFacts, ...]) -> None:
        """Notes what the facts of a checkpoint depend on, in the place of what was noted before."""
        self.forget(checkpoint)
        if asked:
            self._asked[checkpoint] = asked
        for path, there in asked:
            paths = self._places.setdefault(os.path.dirname(path), {})
            paths.setdefault(path, {})[checkpoint] = there

    def forget(self, checkpoint: str) -> None:
        """Forgets what a checkpoint depends on."""
        for path, _ in self._asked.pop(checkpoint, ()):
            place = os.path.dirname(path)
            paths = self._places.get(place, {})
            paths.get(path, {}).pop(checkpoint, None)
            if not paths.get(path):
                paths.pop(path, None)
            if not paths:
                self._places.pop(place, None)

    def outdated(self, dirty: frozenset[str] | None, listings: Mapping[str, Directory]) -> set[str]:
        """The checkpoints whose facts rest on an answer that is another one now.

        Args:
            dirty: Absolute paths that may have changed; None for everything.
            listings: Directories as they were listed after that: those need not be asked again.
        """
        found: set[str] = set()
        for path, there in self._answers(dirty, listings):
            askers = self._places[os.path.dirname(path)][path]
            found.update(asker for asker, before in askers.items() if before != there)
        return found

    def _answers(
        self, dirty: frozenset[str] | None, listings: Mapping[str, Directory]
    ) -> Iterator[tuple[str, bool]]:
        if not self._places:
            return
        around = set(dirty or ()).union(*map(directories_above, dirty or ()))
        for place, paths in self._places.items():
            if dirty is None or not dirty.isdisjoint((place, *directories_above(place))):
                yield from _all_there(paths, listings.get(place))
            else:
                yield from ((path, is_there(path)) for path in around & paths.keys())


def _all_there(paths: Iterable[str], listing: Directory | None) -> Iterator[tuple[str, bool]]:
    if listing is None or listing.problem:
        yield from ((path, is_there(path)) for path in paths)
        return
    names = {entry.path for entry in listing.entries}
    yield from ((path, os.path.basename(path) in names) for path in paths)
