"""One observed save, and where its times come from."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run


_TOO_MANY = 2**63
_YEAR_10000 = 253_402_300_800.0


class Source(StrEnum):
    """How the times of a save are known, the best last."""

    FILE_TIMES = "file-times"  # mtimes mark the ends of writes: a lower bound
    MARKER = "marker"  # the writer stored both times
    WATCHED = "watched"  # a process saw it grow

    @property
    def is_lower_bound(self) -> bool:
        """Whether the save may have taken longer."""
        return self is Source.FILE_TIMES


class ObservedSave(NamedTuple):
    """A committed save as it was seen.

    Attributes:
        name: The checkpoint's own name, within its run.
        committed_at: Seconds since the epoch.
        save_seconds: First write to commit; None where unknown.
    """

    name: str
    step: int
    committed_at: float
    save_seconds: float | None
    size_bytes: int
    source: Source


def is_kept(checkpoint: Checkpoint) -> bool:
    """Whether a history can use it: a commit of the job of its own, with a step and a time.

    Both come from files that anybody may have written, so what no database and no calendar takes
    is left out.
    """
    step, at = checkpoint.step, checkpoint.committed_at
    if not checkpoint.counts_as_commit or step is None or at is None:
        return False
    possible = 0 <= at < _YEAR_10000 and 0 <= step < _TOO_MANY
    return possible and checkpoint.facts.size_bytes < _TOO_MANY


def saves_of(checkpoints: Iterable[Checkpoint]) -> tuple[ObservedSave, ...]:
    """The saves of a run that a history keeps."""
    return tuple(
        ObservedSave(
            c.facts.name,
            c.step or 0,
            c.committed_at or 0.0,
            c.facts.save_seconds,
            c.facts.size_bytes,
            _source_of(c),
        )
        for c in checkpoints
        if is_kept(c)
    )


def history_key(run: Run) -> str:
    """What a run's saves are kept under: `PATH:FORMAT`, as `--run` takes it."""
    return f"{run.path}:{run.format}"


def _source_of(checkpoint: Checkpoint) -> Source:
    if checkpoint.watched:
        return Source.WATCHED
    return Source.FILE_TIMES if checkpoint.facts.save_seconds_is_lower_bound else Source.MARKER
