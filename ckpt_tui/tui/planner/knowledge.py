"""What is known of the run under the cursor: its directory, and what the history remembers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ckpt_tui.history.observed import Observed, observed
from ckpt_tui.history.saves import history_key
from ckpt_tui.planner.observation import Commit, observe
from ckpt_tui.tui.background import on_daemon_thread

if TYPE_CHECKING:
    from collections.abc import Collection

    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.history.database import History
    from ckpt_tui.planner.observation import SeenFailure
    from ckpt_tui.planner.rate import RatePosterior


class Knowledge:
    """The run, and on request what it shows; planned stops are left out of its failures.

    Args:
        history: What was kept of runs; None where nothing is.
    """

    def __init__(self, history: History | None) -> None:
        self._history = history
        self._planned: dict[str, frozenset[float]] = {}
        self._seen: Observed | None = None
        self._failures: tuple[SeenFailure, ...] = ()
        self.run: Run | None = None
        self.snapshot: Snapshot | None = None

    @property
    def name(self) -> str:
        """What the run is called."""
        return "" if self.run is None else self.run.name

    @property
    def free_bytes(self) -> int | None:
        """Room on the run's disk."""
        return None if self.snapshot is None else self.snapshot.free_bytes

    @property
    def ranks(self) -> int | None:
        """World size of the resume point."""
        resume = self.run.resume if self.run is not None else None
        return resume.facts.world_size if resume is not None else None

    @property
    def seen(self) -> Observed | None:
        """What the last look told; None before it."""
        return self._seen

    @property
    def failures(self) -> tuple[SeenFailure, ...]:
        """All that look like failures, planned stops among them, oldest first."""
        return self._failures

    @property
    def planned(self) -> frozenset[float]:
        """Times of the stops of the run that were no failures."""
        return self._planned.get(self._key, frozenset())

    @property
    def rate(self) -> RatePosterior | None:
        """What the failures say about the rate."""
        observation = self._seen.observation if self._seen is not None else None
        return observation.rate if observation is not None else None

    @property
    def _key(self) -> str:
        return "" if self.run is None else history_key(self.run)

    async def look(self, recovery_minutes: float) -> None:
        """Works out what the run shows; on a thread, for the history's disk may be slow.

        Args:
            recovery_minutes: Down time and reload of a failure, minutes.
        """
        seen = None
        key: str | None = None
        while self.run is not None and key != self._key:  # anew where another run came meanwhile
            key = self._key
            seen = await on_daemon_thread(
                partial(observed, self.run, self._history, recovery_minutes)
            )
        if self.run is None or seen is None:
            self._seen, self._failures = None, ()
            return
        self._failures = seen.observation.failures if seen.observation is not None else ()
        self._seen = self._without_planned(seen, recovery_minutes)

    def mark_planned(self, planned: Collection[float], recovery_minutes: float) -> None:
        """Takes these stops out of the failures, and no others."""
        self._planned[self._key] = frozenset(planned)
        if self._seen is not None:
            self._seen = self._without_planned(self._seen, recovery_minutes)

    def _without_planned(self, seen: Observed, recovery_minutes: float) -> Observed:
        commits = [Commit(save.step, save.committed_at) for save in seen.saves]
        return seen._replace(observation=observe(commits, recovery_minutes, self.planned))
