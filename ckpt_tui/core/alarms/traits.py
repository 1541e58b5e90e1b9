"""What the rules ask of a run, reckoned once for each picture in which it differs."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.alarms.trend import MOST_SAVES, Trend, trend_of
from ckpt_tui.core.alarms.values import RunName
from ckpt_tui.core.cadence import LEAST_MINUTES, recent_interval_seconds, times_of
from ckpt_tui.core.median import median
from ckpt_tui.core.reasons import FAULTY
from ckpt_tui.core.runs import attempts_of
from ckpt_tui.core.vocabulary import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.cadence import SaveTimes
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run

LEAST_SAVES = 5
"""Of fewer saves nobody knows what is usual."""


class Traits(NamedTuple):
    """A run as the rules see it. Times are seconds.

    Attributes:
        saving: The save in flight, the newest where there are several.
        quiet: All checkpoints that are not in flight.
        interval_seconds: Usual time from commit to commit; None where it does not show.
        last_commit: Epoch of the newest commit; None where nothing was committed.
        last_sign: Epoch of the newest write or commit of any attempt; 0 where unknown.
        failed: Attempts above the resume point that a restart must not take, newest first;
            saves in flight are none.
        damaged: Attempts below it that are damaged or were never finished, newest first.
        settled: How many attempts are not in flight.
        good: How many of them can be resumed from.
        last_save_seconds: Of the newest save whose time is known.
        usual_save_seconds: Median of those before it; None where they are too few.
        exact_usual_seconds: Median of all whose time is known exactly; None where too few.
        trend: Of the newest saves; None where they are too few.
        size_bytes: Of the next save, as far as one knows: the resume point's; 0 where unknown.
    """

    run: Run
    name: RunName
    saving: Checkpoint | None
    quiet: tuple[Checkpoint, ...]
    interval_seconds: float | None
    last_commit: float | None
    last_sign: float
    failed: tuple[Checkpoint, ...]
    damaged: tuple[Checkpoint, ...]
    settled: int
    good: int
    last_save_seconds: float | None
    usual_save_seconds: float | None
    exact_usual_seconds: float | None
    trend: Trend | None
    size_bytes: int


def traits_of(run: Run, before: Traits | None = None) -> Traits:
    """Reckons all of them; its cost grows with the number of checkpoints.

    A save in flight makes a new picture of its run several times a second, in which all others are
    as they were: then the last traits hold.
    """
    quiet = tuple([c for c in run.checkpoints if c.verdict is not Verdict.SAVING])
    saving = run.in_flight if len(quiet) < len(run.checkpoints) else None
    if before is not None and _alike(before.quiet, quiet):
        return before._replace(run=run, saving=saving)
    attempts = attempts_of(quiet)
    above = [c for c in run.rejected_newer if c.verdict is not Verdict.SAVING]
    above_paths = {c.path for c in above}
    commits = [c for c in attempts if c.counts_as_commit and c.committed_at]
    newest = nlargest(2 * MOST_SAVES, commits, key=lambda c: c.committed_at or 0.0)
    exact, alike = _save_seconds([times_of(c) for c in reversed(newest)])
    return Traits(
        run,
        RunName(run.path, run.format, run.name),
        saving,
        quiet,
        recent_interval_seconds(attempts),
        newest[0].committed_at if newest else None,
        max((c.moment for c in attempts), default=0.0),
        tuple(c for c in above if not c.resumable),
        tuple(c for c in attempts if c.verdict in FAULTY and c.path not in above_paths),
        len(attempts),
        sum(1 for c in attempts if c.resumable),
        alike[-1] if alike else None,
        median(alike[:-1]) if len(alike) > LEAST_SAVES else None,
        median(exact) if len(exact) >= LEAST_SAVES else None,
        trend_of(alike),
        run.resume.facts.size_bytes if run.resume else 0,
    )


def _alike(before: Sequence[Checkpoint], after: Sequence[Checkpoint]) -> bool:
    """Whether nothing differs that a rule or an event looks at."""
    return len(before) == len(after) and all(
        a.verdict is b.verdict and a.resumable is b.resumable and a.facts == b.facts
        for a, b in zip(before, after, strict=True)
    )


def _save_seconds(saves: Sequence[SaveTimes]) -> tuple[list[float], list[float]]:
    """Save times that are exact, and all of the kind that can be compared with each other.

    A lower bound and an exact time of the same save differ, so that a change of kind in the middle
    would look like a change of speed.
    """
    timed = [(save.save_seconds or 0.0, save.is_lower_bound) for save in saves]
    exact = [seconds for seconds, bound in timed if seconds > 0 and not bound]
    bounds = [seconds for seconds, bound in timed if bound and seconds >= 60 * LEAST_MINUTES]
    return exact, exact if len(exact) >= len(bounds) or len(exact) > LEAST_SAVES else bounds
