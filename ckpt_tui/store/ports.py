"""What the store asks of those who keep facts, and results of `verify`, for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.verify.rows import Row


class FactsCache(Protocol):
    """Facts that were read before. One thread at a time calls it, and no call raises."""

    def load(self, root: str) -> None:
        """Takes in what is kept of checkpoints at a path and below it: before the first look."""

    def holds(self, path: str) -> bool:
        """Whether `get` may have an answer: such a checkpoint need not be read ahead."""

    def get(self, claim: Claim, tree: Tree) -> CheckpointFacts | None:
        """What a reader would say of a listing; None where it has to be asked."""

    def put(
        self, claim: Claim, tree: Tree, facts: CheckpointFacts, looked_at_seconds: float
    ) -> None:
        """Takes what was read, where that may be kept.

        Args:
            claim: What was read.
            tree: The listing that it was read under.
            facts: What was read.
            looked_at_seconds: Since the epoch, not after the listing began.
        """

    def flush(self) -> None:
        """Writes what was put, at the end of a look; does not wait for it."""


class NoCache:
    """Keeps nothing."""

    def load(self, root: str) -> None:
        """Nothing is kept."""

    def holds(self, path: str) -> bool:
        """Never."""
        return False

    def get(self, claim: Claim, tree: Tree) -> CheckpointFacts | None:
        """Never an answer."""
        return None

    def put(
        self, claim: Claim, tree: Tree, facts: CheckpointFacts, looked_at_seconds: float
    ) -> None:
        """Forgets it."""

    def flush(self) -> None:
        """Nothing to write."""


class ResultsSource(Protocol):
    """Where results of `verify` are remembered. One thread at a time calls it; it never raises."""

    def changed(self) -> bool:
        """Whether there may be others than `below` gave last."""

    def below(self, root: str) -> Sequence[Row]:
        """All results at a path without links, and below it.

        A row may hold anything: `verify.rows.file_of` says what it means.
        """


class NoResults:
    """Nothing was ever verified."""

    def changed(self) -> bool:
        """Never."""
        return False

    def below(self, root: str) -> Sequence[Row]:
        """None."""
        return ()
