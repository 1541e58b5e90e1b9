"""Counts how often we and the framework agree."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.store.index import Store
from tests.framework.judge.deaths import Death

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.judge.rounds import State

_BROKEN = (Verdict.UNKNOWN, Verdict.UNCOMMITTED, Verdict.CORRUPT, Verdict.INCOMPLETE)
# Bytes are wrong for sure; a framework that compares no checksums may load them all the same.
_BY_CHECKSUM = "checksum-mismatch"
_LONG_AFTER_SECONDS = 3600.0


class Framework(NamedTuple):
    """What the framework did when it was asked to load.

    Attributes:
        loads: It returned without an error.
        same: What it returned is what was saved.
        error: Its error, or "".
    """

    loads: bool
    same: bool
    error: str = ""


class Ours(NamedTuple):
    """What we say.

    Attributes:
        good: A restart can take it (for a single file: its structure is whole).
        broken: It is damaged or unfinished.
        why: The reason.
    """

    good: bool
    broken: bool
    why: str


class Tally:
    """Judged states, and those on which we were wrong."""

    def __init__(self) -> None:
        self.states = 0
        self.killed = 0
        self.refused = 0
        self.wrong: list[str] = []
        self.false_resumable = 0
        self.false_broken = 0
        self._told = 0

    def add(self, state: str, framework: Framework, ours: Ours) -> None:
        """Compares one state; a framework that silently loads other bytes decides nothing."""
        self.states += 1
        self.refused += not framework.loads
        said = f"{state}: framework {framework.error or 'loads it'}; we: {ours.why}"
        if ours.good and not framework.loads:
            self.false_resumable += 1
            self.wrong.append(f"false resumable: {said}")
        if ours.broken and framework.same:
            self.false_broken += 1
            self.wrong.append(f"false broken: {said}")

    def add_state(self, state: State) -> None:
        """Counts what a job left; here the framework's silence is not enough."""
        restored = state.framework.restored
        error = state.framework.error or ("" if restored else "loads it, but loses state")
        self.killed += state.newest and Death(state.death).kills
        resumable = state.ours.resumable
        ours = Ours(resumable, not resumable, f"{state.ours.verdict}: {state.ours.why}")
        self.add(state.where, Framework(restored, restored, error), ours)

    def line(self) -> str:
        """The closing line."""
        return (
            f"framework judge: {self.states} states judged, {self.killed} of them left by jobs"
            f" that were killed ({self.refused} refused by the framework),"
            f" {self.false_resumable} false resumable, {self.false_broken} false broken"
        )

    def assert_right(self) -> None:
        """Fails with what was wrong since the last call, of which the first few are shown."""
        fresh, self._told = self.wrong[self._told :], len(self.wrong)
        assert not fresh, "\n".join([f"{len(fresh)} wrong", *fresh[:20]])


def our_verdict(path: Path) -> Ours:
    """Our verdict on one checkpoint, an hour after its last write: nothing is in flight."""
    store = Store(str(path), wall=lambda: time.time() + _LONG_AFTER_SECONDS)
    judged = store.look().checkpoints
    if not judged:
        return Ours(False, True, "no checkpoint is seen")
    (checkpoint,) = judged
    by_checksum = any(finding.code == _BY_CHECKSUM for finding in checkpoint.findings)
    return Ours(
        checkpoint.resumable,
        checkpoint.verdict in _BROKEN and not by_checksum,
        f"{checkpoint.verdict}: {checkpoint.why}",
    )
