"""`latest --verify`: the resume point whose bytes are right."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.progress_line import ProgressLine
from ckpt_tui.core.runs import resume_point
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.verify.engine import verify
from ckpt_tui.verify.remembered import remember
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.verify.results import FileResult


class Sound(NamedTuple):
    """What was found.

    Attributes:
        resume: The resume point; None where none is left.
        unread: Whether one could not be read to its end.
        timed_out: Whether the time was up.
    """

    resume: Checkpoint | None
    unread: bool = False
    timed_out: bool = False


def first_sound(run: Run, *, exact: bool, timeout_seconds: float | None) -> Sound:
    """Verifies the resume point; where a byte of it is wrong, the next one, and so on.

    Args:
        run: Its checkpoints.
        exact: Whether only an exact one counts.
        timeout_seconds: When to give up; None never.
    """
    named = frozenset(pointer.target for pointer in run.pointers if pointer.target)
    left = [c for c in run.checkpoints if not exact or c.verdict is Verdict.EXACT]
    cancel = threading.Event()
    if timeout_seconds is not None:
        timer = threading.Timer(min(timeout_seconds, threading.TIMEOUT_MAX), cancel.set)
        timer.daemon = True
        timer.start()
    unread = False
    while (resume := resume_point(left, named)) is not None:
        bad = _first_bad(resume, cancel)
        if cancel.is_set():
            return Sound(None, unread, timed_out=True)
        if bad is None:
            return Sound(resume, unread)
        unread = unread or bad.unread
        left.remove(resume)
        _tell(resume, bad)
    return Sound(None, unread)


def _first_bad(checkpoint: Checkpoint, cancel: threading.Event) -> FileResult | None:
    """The first file of a checkpoint that is wrong or cannot be read; None for none."""
    line = ProgressLine()
    verified = verify((checkpoint.path,), progress=line.show, cancel=cancel)
    line.clear()
    if why := remember(verified):
        complain(say_sentence(why))
    own = [file for file in verified.files if file.checkpoint == checkpoint.path]
    return next((file for file in own if file.ok is False or file.unread), None)


def _tell(checkpoint: Checkpoint, bad: FileResult) -> None:
    passed = say("passed over: {reason}", reason=say_sentence(bad.message))
    at = bad.path if bad.path == checkpoint.path else f"{checkpoint.path}: {bad.path}"
    complain(f"{at}: {passed}")
