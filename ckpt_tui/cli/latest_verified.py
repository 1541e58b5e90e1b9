"""`latest --verify`: the resume point whose bytes are right."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cli.messages import complain
from ckpt_tui.cli.patience import set_after
from ckpt_tui.cli.progress_line import ProgressLine
from ckpt_tui.core.runs import named_by, resume_point
from ckpt_tui.core.text import bytes_text
from ckpt_tui.core.verified import is_covered, is_damage
from ckpt_tui.core.verified_findings import files_of_states
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.verify.engine import verify
from ckpt_tui.verify.remembered import remember
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.verify.results import FileResult, Verified


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


class _Doubt(NamedTuple):
    """Why a checkpoint is passed over.

    Attributes:
        place: The file, or the checkpoint, that is meant.
        reason: What is wrong with it.
        unread: Whether it is not wrong, as far as anybody knows, but was not read.
    """

    place: str
    reason: str
    unread: bool


def first_sound(run: Run, *, exact: bool, timeout_seconds: float | None) -> Sound:
    """Verifies the resume point; where a byte of it is wrong, the next one, and so on.

    Args:
        run: Its checkpoints.
        exact: Whether only an exact one counts.
        timeout_seconds: When to give up; None never.
    """
    cancel = threading.Event()
    with set_after(timeout_seconds, cancel):
        return _first_sound(run, exact, cancel)


def _first_sound(run: Run, exact: bool, cancel: threading.Event) -> Sound:
    named = named_by(run.pointers)
    left = [c for c in run.checkpoints if not exact or c.verdict is Verdict.EXACT]
    unread = False
    while (resume := resume_point(left, named)) is not None:
        doubt = _doubt(resume, cancel)
        if cancel.is_set():
            return Sound(None, unread, timed_out=True)
        if doubt is None:
            return Sound(resume, unread)
        unread = unread or doubt.unread
        left.remove(resume)
        passed = say("passed over: {reason}", reason=say_sentence(doubt.reason))
        complain(f"{doubt.place}: {passed}")
    return Sound(None, unread)


def _doubt(checkpoint: Checkpoint, cancel: threading.Event) -> _Doubt | None:
    """Why the bytes of a checkpoint are not known to be right; None where they are."""
    line = ProgressLine()
    verified = verify((checkpoint.path,), progress=line.show, cancel=cancel)
    line.clear()
    if why := remember(verified):
        complain(say_sentence(why))
    own = [file for file in verified.files if file.checkpoint == checkpoint.path]
    for file in own or verified.files:  # a link's are those of what it leads to
        if file.unread or _is_wrong(file, checkpoint):
            same = file.path == checkpoint.path
            place = file.path if same else f"{checkpoint.path}: {file.path}"
            return _Doubt(place, file.message, file.unread)
    for path, reason in verified.problems:
        if f"{path}/".startswith(f"{checkpoint.path}/"):  # not a seal's: its own bytes are right
            return _Doubt(path, reason, unread=True)
    if not verified.files:
        return _Doubt(checkpoint.path, "none of its files was found", unread=True)
    _tell_uncovered(checkpoint, verified)
    return None


def _tell_uncovered(checkpoint: Checkpoint, verified: Verified) -> None:
    """Where checksums cover only a part, whoever asked for all bytes has to know it."""
    checked, size = verified.checked_bytes, verified.size_bytes
    if is_covered(checked, size):
        return
    if checked:
        text = say(
            "only {part} of {whole} are protected by a checksum, and right",
            part=bytes_text(checked),
            whole=bytes_text(size),
        )
    else:
        text = say("no checksum protects any of its bytes")
    complain(f"{checkpoint.path}: {text}")


def _is_wrong(file: FileResult, checkpoint: Checkpoint) -> bool:
    """Whether a file's wrong bytes make the checkpoint unusable."""
    facts = checkpoint.facts
    base = os.path.dirname(facts.path) if facts.is_made_of_files() else facts.path
    wrong = ((fault.code, fault.tensor) for fault in file.faults)
    own = file.checkpoint == checkpoint.path
    path, parts = os.path.relpath(file.path, base), files_of_states(facts)
    return file.ok is False and (not own or is_damage(path, file.method, wrong, parts))
