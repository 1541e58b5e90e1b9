"""What is to be verified, one checkpoint after the other: the queue, and what became of each."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.verify.rate import ReadRate
from ckpt_tui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.verify.results import Progress, Verified


class Verifier(NamedTuple):
    """How bytes are verified; both are called on a thread that may wait.

    Attributes:
        verify: (paths, whether to look for NaN and infinity, told how far it is, set to end it) →
            what was found; it returns soon after it was asked to end, also where a disk hangs.
        remember: Keeps what was found, so that the next picture shows it; returns why it could
            not, or "".
    """

    verify: Callable[[Sequence[str], bool, Callable[[Progress], None], threading.Event], Verified]
    remember: Callable[[Verified], str]


class Job:
    """One checkpoint that is, or will be, verified.

    Args:
        checkpoint: The checkpoint.
        finite: Whether to look for NaN and infinity, too.
        title: What messages call it; its own title by default.

    Attributes:
        path: Of the checkpoint; the key of its row.
        paths: What is read: its directory, or its files.
        cancel: Set by whoever wants it to end.
        progress: How far it is; None before anything was read.
        rate: How fast, of late.
    """

    def __init__(self, checkpoint: Checkpoint, finite: bool, title: str = "") -> None:
        self.path = checkpoint.path
        self.title = title or checkpoint.title
        self.paths = paths_of(checkpoint)
        self.finite = finite
        self.cancel = threading.Event()
        self.progress: Progress | None = None
        self.rate = ReadRate()

    def tell(self, progress: Progress) -> None:
        """Takes in how far it is, from the thread that reads."""
        self.progress = progress


class VerifyQueue:
    """Checkpoints that wait, and the one whose turn it is.

    Attributes:
        current: The one that is read now; None where none is.
        waiting: Those after it, in their order.
    """

    def __init__(self) -> None:
        self.current: Job | None = None
        self.waiting: tuple[Job, ...] = ()

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All of them, the one whose turn it is first."""
        return (*((self.current,) if self.current is not None else ()), *self.waiting)

    def has(self, path: str) -> bool:
        """Whether a checkpoint waits, or is read."""
        return any(job.path == path for job in self.jobs)

    def add(self, job: Job) -> None:
        """Puts one behind the others."""
        self.waiting = (*self.waiting, job)

    def next(self) -> Job | None:
        """The one whose turn it is now; None where none waits."""
        self.current = self.waiting[0] if self.waiting else None
        self.waiting = self.waiting[1:]
        return self.current

    def stop(self, path: str | None = None) -> None:
        """Ends one, or all: those that wait go at once, the current one when it hears of it."""
        self.waiting = tuple(job for job in self.waiting if path not in (None, job.path))
        if self.current is not None and path in (None, self.current.path):
            self.current.cancel.set()


def why_not(checkpoint: Checkpoint, title: str) -> str:
    """Why a checkpoint, which messages call so, is not verified; "" where it can be."""
    if checkpoint.verdict is Verdict.SAVING:
        return say("{title} is still being written: verify it once it is committed.", title=title)
    if checkpoint.facts.staging:
        return say("{title} has a temporary name: its bytes are not final.", title=title)
    return ""


def paths_of(checkpoint: Checkpoint) -> tuple[str, ...]:
    """Its directory; the files of what is made of files, or lies in its run's own directory."""
    facts = checkpoint.facts
    if facts.is_made_of_files():
        base = facts.path.rpartition("/")[0]
    elif facts.export:
        base = facts.path
    else:
        return (facts.path,)
    return tuple(f"{base}/{file.path}" for file in facts.files) or (facts.path,)
