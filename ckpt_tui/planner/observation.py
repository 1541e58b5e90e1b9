"""What the times of a run's commits say about its failures.

A failure shows as a step that went back, or as a gap longer than its own steps need. One that cost
less than the threshold does not show at all, so the time watched is thinned by the chance to see
one: a failure loses a part of an interval that is uniform in (0, P), and its recovery on top.
Deleted checkpoints make no gap: every gap is compared with the time of its own steps. Two saves of
one step are no failure unless the time between them is as long as such a gap: a trainer may write
its best and its last checkpoint side by side.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.cadence import LEAST_MINUTES
from ckpt_tui.core.median import median
from ckpt_tui.core.restarts import COPY_SECONDS
from ckpt_tui.planner.rate import JEFFREYS_SHAPE, RatePosterior, rate_posterior

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

GAP_INTERVALS = 1.5
"""A gap counts from so many intervals on ..."""
GAP_DEVIATIONS = 5.0
"""... and where it stands out by so many median deviations."""

_LEAST_EXPOSURE_HOURS = 1e-6


class Commit(NamedTuple):
    """A committed save: its step, and seconds since the epoch."""

    step: int
    at: float


class SeenFailure(NamedTuple):
    """A failure that the commits show.

    Attributes:
        at: Seconds since the epoch of the first commit after it.
        went_back: True where the step did not grow; False for a gap.
        excess_minutes: Time beyond what the steps of the gap need.
    """

    at: float
    went_back: bool
    excess_minutes: float


class Observation(NamedTuple):
    """What a run's commits show.

    Attributes:
        minutes_per_step: Median over neighbouring commits.
        interval_steps: Usual number of steps between two commits.
        interval_minutes: The usual interval, in minutes of running time.
        running_minutes: Time in which steps were done, outages left out.
        failures: Seen failures, oldest first; two in one gap look like one.
        seen_share: Chance that a failure shows at all, from 0 to 1.
        rate: What all this says about the rate; None where no failure could have been seen.
    """

    minutes_per_step: float
    interval_steps: int
    interval_minutes: float
    running_minutes: float
    failures: tuple[SeenFailure, ...]
    seen_share: float
    rate: RatePosterior | None


def observe(
    commits: Sequence[Commit],
    recovery_minutes: float,
    planned: Collection[float] = (),
    prior_shape: float = JEFFREYS_SHAPE,
    prior_hours: float = 0.0,
    level: float = 0.9,
) -> Observation | None:
    """Estimates interval and failure rate.

    None where fewer than two gaps show progress, or where the times are those of a copy.

    Args:
        commits: In any order; they are put in the order of time, never of steps.
        recovery_minutes: Down time and reload of a failure, minutes.
        planned: Times (`SeenFailure.at`) of stops that were no failures.
        prior_shape: Of the Gamma prior on the rate.
        prior_hours: Of the Gamma prior on the rate, hours.
        level: Credible level, between 0 and 1.
    """
    ordered = sorted(commits, key=lambda commit: (commit.at, commit.step))
    gaps = [_Gap(b.at, (b.at - a.at) / 60, b.step - a.step) for a, b in pairwise(ordered)]
    forward = [gap for gap in gaps if gap.steps > 0]
    pace = median(gap.minutes / gap.steps for gap in forward) if len(forward) > 1 else 0.0
    steps = round(median(gap.steps for gap in forward)) if forward else 0
    interval = pace * steps
    if interval < LEAST_MINUTES:
        return None
    threshold = max((GAP_INTERVALS - 1) * interval, GAP_DEVIATIONS * _deviation(forward, pace))
    failures = tuple(
        SeenFailure(gap.at, gap.steps <= 0, gap.excess(pace))
        for gap in gaps
        if gap.at not in planned and (gap.went_back or gap.excess(pace) > threshold)
    )
    running = sum(min(gap.minutes, pace * gap.steps) for gap in forward)
    seen_share = min(1.0, max(0.0, 1 - (threshold - recovery_minutes) / interval))
    exposure_hours = seen_share * running / 60
    rate = None
    if exposure_hours > _LEAST_EXPOSURE_HOURS:
        rate = rate_posterior(len(failures), exposure_hours, prior_shape, prior_hours, level)
    return Observation(pace, steps, interval, running, failures, seen_share, rate)


class _Gap(NamedTuple):
    """From one commit to the next in time."""

    at: float
    minutes: float
    steps: int

    @property
    def went_back(self) -> bool:
        """Whether the job went back; a copy or a clone puts near times in any order."""
        return self.steps < 0 and self.minutes * 60 >= COPY_SECONDS

    def excess(self, minutes_per_step: float) -> float:
        return self.minutes - minutes_per_step * max(0, self.steps)


def _deviation(gaps: Sequence[_Gap], minutes_per_step: float) -> float:
    """Median absolute deviation of the gaps from what their steps need, minutes."""
    excesses = [gap.excess(minutes_per_step) for gap in gaps]
    middle = median(excesses)
    return median(abs(excess - middle) for excess in excesses)
