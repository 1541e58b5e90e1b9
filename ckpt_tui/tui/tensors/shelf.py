"""Listings of the last few checkpoints, so that the way back costs nothing."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.tensors import TensorListing
    from ckpt_tui.core.tensors_reading import TensorsReading

    TensorSource = Callable[[Checkpoint, TensorsReading], TensorListing]

MOST_LISTINGS = 4
MOST_TENSORS = 400_000
"""All listings that are kept hold at most so many, the newest always."""


class Stamp(NamedTuple):
    """What a listing holds for: the files of a checkpoint as they were."""

    path: str
    files: int
    size_bytes: int
    newest_mtime_ns: int


def stamp_of(facts: CheckpointFacts) -> Stamp:
    """Another one as soon as a file of it changes."""
    newest = max((file.mtime_ns for file in facts.files), default=0)
    return Stamp(facts.path, len(facts.files), facts.size_bytes, newest)


class TensorShelf:
    """Keeps listings by stamp; the one that was not wanted for the longest time goes first."""

    def __init__(self) -> None:
        self._listings: OrderedDict[Stamp, TensorListing] = OrderedDict()

    def get(self, stamp: Stamp) -> TensorListing | None:
        """The listing, if it is kept."""
        listing = self._listings.get(stamp)
        if listing is not None:
            self._listings.move_to_end(stamp)
        return listing

    def put(self, stamp: Stamp, listing: TensorListing) -> None:
        """Keeps a listing."""
        self._listings[stamp] = listing
        self._listings.move_to_end(stamp)
        while len(self._listings) > 1 and (
            len(self._listings) > MOST_LISTINGS or self._tensors() > MOST_TENSORS
        ):
            self._listings.popitem(last=False)

    def _tensors(self) -> int:
        return sum(len(listing.tensors) for listing in self._listings.values())
