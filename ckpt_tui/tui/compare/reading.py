"""Makes a comparison beside the screen: facts at once, tensors as their headers are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.comparing.checkpoints import Comparison, compare_checkpoints
from ckpt_tui.core.comparing.tensors import compare_tensors
from ckpt_tui.core.tensors import is_listable, listing_of_facts
from ckpt_tui.core.tensors_reading import TensorsReading
from ckpt_tui.tui.background import on_daemon_thread
from ckpt_tui.tui.tensors.shelf import TensorShelf, stamp_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.tensors import TensorListing
    from ckpt_tui.tui.tensors.shelf import TensorSource


class Comparer:
    """Compares pairs, one after the other.

    Args:
        source: Reads the headers of a checkpoint; None goes by what looks saw of them.
    """

    def __init__(self, source: TensorSource | None) -> None:
        self._source = source
        self._shelf = TensorShelf()
        self._reading = TensorsReading()

    def stop(self) -> None:
        """Nobody waits any more."""
        self._reading.stop()

    async def compare(self, first: Checkpoint, second: Checkpoint) -> AsyncIterator[Comparison]:
        """The comparison without tensors, then the whole one; a call before is given up."""
        self._reading.stop()
        reading = self._reading = TensorsReading()
        comparison = await on_daemon_thread(lambda: compare_checkpoints(first, second))
        yield comparison
        listings = [await self._listing(each, reading) for each in (first, second)]
        if not reading.stopped:
            tensors = await on_daemon_thread(lambda: compare_tensors(*listings))
            yield comparison._replace(tensors=tensors)

    async def _listing(self, checkpoint: Checkpoint, reading: TensorsReading) -> TensorListing:
        source, facts = self._source, checkpoint.facts
        if source is None or not is_listable(checkpoint):
            return listing_of_facts(facts)
        stamp = stamp_of(facts)
        kept = self._shelf.get(stamp)
        if kept is None:
            kept = await on_daemon_thread(lambda: source(checkpoint, reading))
            if not reading.stopped:
                self._shelf.put(stamp, kept)
        return kept
