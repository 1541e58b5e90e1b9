"""What is known of how a run saves and fails: its checkpoints, and what the history remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.cadence import Cadence, SaveTimes, cadence_from, times_of
from ckpt_tui.history.database import History, HistoryError
from ckpt_tui.history.saves import ObservedSave, Source, history_key, is_kept, saves_of
from ckpt_tui.planner.observation import Commit, Observation, observe
from ckpt_tui.planner.rate import JEFFREYS_SHAPE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ckpt_tui.core.runs import Run

SAME_SAVE_SECONDS = 60.0
"""The time of one commit moves so far at most, while files are written behind it."""

_RANK = tuple(Source)


class Observed(NamedTuple):
    """What is known of a run.

    Attributes:
        cadence: Interval, save time and size.
        observation: What the commits say about failures; None where they show no progress.
        saves: Those with a step and a time, oldest first.
        from_history: How many of them only the history knows.
        problem: Why the history could not be read, or "".
    """

    cadence: Cadence
    observation: Observation | None
    saves: tuple[ObservedSave, ...]
    from_history: int
    problem: str = ""


def observed(
    run: Run,
    history: History | None,
    recovery_minutes: float,
    *,
    planned: Collection[float] = (),
    prior_shape: float = JEFFREYS_SHAPE,
    prior_hours: float = 0.0,
    level: float = 0.9,
) -> Observed:
    """Merges a run's checkpoints with what the history remembers of it.

    A history that cannot be read is told in `problem`; the directory alone counts then.

    Args:
        run: The run as it is now.
        history: None where none is kept.
        recovery_minutes: Down time and reload of a failure, minutes.
        planned: Times (`SeenFailure.at`) of stops that were no failures.
        prior_shape: Of the Gamma prior on the failure rate.
        prior_hours: Of the Gamma prior on the failure rate, hours.
        level: Credible level, between 0 and 1.
    """
    present = saves_of(run.checkpoints)
    remembered: Sequence[ObservedSave] = ()
    problem = ""
    if history is not None:
        try:
            remembered = history.saves(history_key(run))
        except HistoryError as error:
            problem = str(error)
    saves = merged(present, remembered)
    commits = [Commit(save.step, save.committed_at) for save in saves]
    others = [c for c in run.checkpoints if c.counts_as_commit and not is_kept(c)]
    times = [
        SaveTimes(s.step, s.committed_at, s.save_seconds, s.source.is_lower_bound, s.size_bytes)
        for s in saves
    ]
    times += [times_of(checkpoint) for checkpoint in others]
    return Observed(
        cadence_from(times),
        observe(commits, recovery_minutes, planned, prior_shape, prior_hours, level),
        saves,
        len(saves) - len(merged(present)),
        problem,
    )


def merged(*parts: Iterable[ObservedSave]) -> tuple[ObservedSave, ...]:
    """Puts saves together, oldest first, each once.

    Two of one name and step within a minute are one save, of which the better source counts; later
    ones are saves of their own: the job came to that step again.
    """
    everything = [save for part in parts for save in part]
    everything.sort(key=lambda save: (save.name, save.step, save.committed_at))
    kept: list[ObservedSave] = []
    for save in everything:
        if kept and _is_same(kept[-1], save):
            kept[-1] = max(save, kept[-1], key=lambda each: _RANK.index(each.source))
        else:
            kept.append(save)
    return tuple(sorted(kept, key=lambda save: save.committed_at))


def _is_same(one: ObservedSave, other: ObservedSave) -> bool:
    near = abs(one.committed_at - other.committed_at) <= SAME_SAVE_SECONDS
    return near and (one.name, one.step) == (other.name, other.step)
