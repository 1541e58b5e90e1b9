"""What a run's saves tell in the order of time: those that are here, and those long removed."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.restarts import Attempt, restarts_between, timed_attempts
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.history.observed import SAME_SAVE_SECONDS, observed
from ckpt_tui.history.saves import Source
from ckpt_tui.tui.rows.notes import LEAST_BOUND_SECONDS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.restarts import Restart
    from ckpt_tui.core.runs import Run
    from ckpt_tui.history.database import History
    from ckpt_tui.history.observed import Observed
    from ckpt_tui.history.saves import ObservedSave

CADENCE_GAP = "cadence-gap"
"""Code of the finding that a save is absent from a regular series (`core.gaps`)."""


class TimedSave(NamedTuple):
    """One save of the run.

    Attributes:
        name: The checkpoint's own name, within its run.
        title: What to call it: its step, its count of saves, or its name.
        at: Seconds since the epoch of the commit, else of the newest write.
        save_seconds: First write to commit; None where unknown.
        is_lower_bound: True where it may have taken longer.
        verdict: None where the checkpoint is gone, and only the history knows it.
        reason: Why it is not exact, in a few words; "" where it is.
        path: Absolute path; "" where it is gone.
        is_resume: True for the run's resume point.
    """

    name: str
    title: str
    step: int | None
    at: float
    size_bytes: int
    save_seconds: float | None
    is_lower_bound: bool
    verdict: Verdict | None
    reason: str = ""
    path: str = ""
    is_resume: bool = False

    @property
    def bytes_per_second(self) -> float | None:
        """Size over save time; an upper bound where the time is a lower one."""
        seconds = self.save_seconds
        return self.size_bytes / seconds if seconds and self.size_bytes else None


class Outage(NamedTuple):
    """A time without a commit that is longer than its own steps need.

    Attributes:
        begin: Seconds since the epoch of the commit before it.
        end: Seconds since the epoch of the commit after it.
        excess_seconds: Time beyond what the steps between need.
    """

    begin: float
    end: float
    excess_seconds: float


class Story(NamedTuple):
    """A run in the order of time.

    Attributes:
        saves: Oldest first.
        restarts: Times the job went back to an older step, oldest first.
        outages: Oldest first.
        absent: Saves that a regular series lacks, as sentences.
        from_history: How many saves only the history knows.
        problem: Why the history could not be read, or "".
    """

    saves: tuple[TimedSave, ...] = ()
    restarts: tuple[Restart, ...] = ()
    outages: tuple[Outage, ...] = ()
    absent: tuple[str, ...] = ()
    from_history: int = 0
    problem: str = ""


def story_of(run: Run, history: History | None) -> Story:
    """Merges the checkpoints of a run with what the history remembers of it.

    Reads the history, whose disk may be slow: call it on a thread of its own.
    """
    seen = observed(run, history, 0.0)
    resume = run.resume.path if run.resume is not None else ""
    here = [_save_of(c, resume) for c in run.checkpoints if not c.facts.alias and c.moment > 0]
    gone = _gone(seen.saves, here)
    saves = tuple(sorted([*here, *map(_gone_save, gone)], key=lambda save: save.at))
    restarts = restarts_between([*timed_attempts(run.checkpoints), *map(_gone_attempt, gone)])
    return Story(
        saves,
        restarts,
        _outages(seen, {restart.at for restart in restarts}),
        tuple(f.message for f in run.findings if f.code == CADENCE_GAP),
        len(gone),
        seen.problem,
    )


def _save_of(checkpoint: Checkpoint, resume: str) -> TimedSave:
    facts = checkpoint.facts
    seconds = None if checkpoint.verdict is Verdict.SAVING else facts.save_seconds
    if facts.save_seconds_is_lower_bound and (seconds or 0.0) < LEAST_BOUND_SECONDS:
        seconds = None
    return TimedSave(
        facts.name,
        checkpoint.title,
        checkpoint.step,
        checkpoint.moment,
        facts.size_bytes,
        seconds,
        facts.save_seconds_is_lower_bound,
        checkpoint.verdict,
        reason_of(checkpoint),
        checkpoint.path,
        checkpoint.path == resume,
    )


def _gone(remembered: Sequence[ObservedSave], here: Sequence[TimedSave]) -> list[ObservedSave]:
    """Those that no checkpoint of the same name, step and time stands for."""
    present: dict[tuple[str, int | None], list[float]] = {}
    for save in here:
        present.setdefault((save.name, save.step), []).append(save.at)
    return [
        save
        for save in remembered
        if not any(
            abs(at - save.committed_at) <= SAME_SAVE_SECONDS
            for at in present.get((save.name, save.step), ())
        )
    ]


def _gone_save(save: ObservedSave) -> TimedSave:
    return TimedSave(
        save.name,
        f"step {save.step}",
        save.step,
        save.committed_at,
        save.size_bytes,
        save.save_seconds,
        save.source.is_lower_bound,
        None,
    )


def _gone_attempt(save: ObservedSave) -> Attempt:
    marked = save.source is Source.MARKER
    return Attempt(save.step, save.committed_at, True, save.name, marked=marked)


def _outages(seen: Observed, restarted: Collection[float]) -> tuple[Outage, ...]:
    """The gaps that end with no restart: one is told by itself."""
    if seen.observation is None:
        return ()
    times = [save.committed_at for save in seen.saves]
    return tuple(
        Outage(times[max(0, bisect_left(times, f.at) - 1)], f.at, f.excess_minutes * 60)
        for f in seen.observation.failures
        if not f.went_back and f.at not in restarted
    )
