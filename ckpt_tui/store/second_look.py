"""A second look before an alarm, where a file server may answer from a cache. Pure.

A client of a network file system may be told the sizes and names of a while ago: NFS keeps a
file's attributes for 3 to 60 s and a directory's for 30 to 60 s (nfs(5), `acregmin` to `acdirmax`).
So a checkpoint that was committed a moment ago can look cut. There, a verdict that got worse, and a
bad first verdict on something young, is believed only when a look after that time says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import duration_text
from ckpt_tui.core.verdict import not_yet
from ckpt_tui.core.vocabulary import Commit, Verdict

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.store.moment import Moment

YOUNG_SECONDS = 60.0
"""What was written so lately may be shown from a cache; a time in the future counts as now."""

_BAD = frozenset({Verdict.UNKNOWN, Verdict.CORRUPT, Verdict.INCOMPLETE})
_FROM_WORST = (Verdict.WEIGHTS_ONLY, Verdict.INEXACT, Verdict.EXACT)


def must_wait(judged: Checkpoint, shown: Checkpoint | None, age_seconds: float) -> bool:
    """Whether a verdict has to be seen twice.

    Args:
        judged: What this look says.
        shown: What is on the screen; None at the first look.
        age_seconds: Time since its newest write; below 0 where that lies in the future.
    """
    if judged.verdict in (Verdict.SAVING, Verdict.UNCOMMITTED):
        return False  # both go by growth over a time that is longer than any cache
    if shown is None or shown.verdict is Verdict.UNKNOWN:
        return judged.verdict in _BAD and age_seconds < YOUNG_SECONDS
    if shown.verdict is Verdict.SAVING:
        return judged.verdict in _BAD
    # The same files judged otherwise, for example for a job of another size, are no news of theirs.
    worse = _rank(judged.verdict) < _rank(shown.verdict)
    return worse and _as_read(judged) != _as_read(shown)


def _as_read(checkpoint: Checkpoint) -> CheckpointFacts:
    """What a look shows; wrong bytes that `verify` read come from no cache of names and sizes."""
    return checkpoint.facts._replace(verified=None, not_checked=())


def _rank(verdict: Verdict) -> int:
    return _FROM_WORST.index(verdict) if verdict in _FROM_WORST else -1


class SecondLook:
    """What is shown of one checkpoint, and what waits to be seen again.

    Attributes:
        pending: Whether a bad verdict waits.
    """

    def __init__(self) -> None:
        self.pending = False
        self._looked_at = 0.0
        self._newest_ns = 0
        self._since = 0.0
        self._facts: CheckpointFacts | None = None
        self._facts_since = 0.0
        self._shown: Checkpoint | None = None

    def looked(self, now: Moment, newest_mtime_ns: int) -> None:
        """Notes that the checkpoint was listed, and read where it differed or waits."""
        self._looked_at, self._newest_ns = now.monotonic, newest_mtime_ns

    def show(self, judged: Checkpoint, now: Moment, stale_seconds: float) -> Checkpoint:
        """What to show of a verdict.

        Args:
            judged: What the last look says.
            now: When that is asked.
            stale_seconds: For how long the file system may answer from a cache; 0 for never.

        Returns:
            The verdict itself; or, until a look `stale_seconds` later says the same, the one before
            with a remark, in the place of a first one a save in flight. Nothing is shown as
            resumable that was not seen so.
        """
        # What was young when it began to wait does not come of age by waiting.
        age_seconds = 0.0 if self.pending else now.wall - self._newest_ns / 1e9
        if judged.facts != self._facts:
            self._facts, self._facts_since = judged.facts, self._looked_at
        if stale_seconds <= 0 or not must_wait(judged, self._shown, age_seconds):
            return self._believe(judged)
        if not self.pending:
            self.pending, self._since = True, self._looked_at
        if self._looked_at - min(self._since, self._facts_since) >= stale_seconds:
            return self._believe(judged)
        return _held(judged, self._shown, stale_seconds)

    def _believe(self, judged: Checkpoint) -> Checkpoint:
        self.pending = False
        self._shown = judged
        return judged


def _held(judged: Checkpoint, shown: Checkpoint | None, stale_seconds: float) -> Checkpoint:
    doubt = (
        f"being checked: it looks {judged.verdict} ({judged.why}), but the file server may answer"
        f" from a cache for {duration_text(stale_seconds)}"
    )
    if shown is not None and shown.verdict not in (Verdict.SAVING, Verdict.UNKNOWN):
        return shown._replace(why=f"{shown.why}; {doubt}")
    return judged._replace(
        verdict=Verdict.SAVING,
        commit=Commit.SAVING,
        why=doubt,
        findings=tuple(not_yet(finding) for finding in judged.findings),
    )
