"""Why `latest` has no answer, or why its answer is not the newest attempt."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ckpt_tui.cli.exit_codes import ExitCode
from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.vocabulary import Level, Verdict
from ckpt_tui.core.world_size import mismatch_text, size_mismatch
from ckpt_tui.words import say, say_count, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.cli.latest_verified import Sound
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot


class NoAnswerError(Exception):
    """There is nothing that a restart may load; the text says why.

    Args:
        reason: What a person, or a script's log, reads.
        code: How the command ends.
        run: The run that was meant; None where it is not known.
    """

    def __init__(self, reason: str, code: ExitCode, run: Run | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.run = run


def none_yet(snapshot: Snapshot, expect_checkpoint: bool) -> NoAnswerError:
    """No run has a checkpoint of a job."""
    if snapshot.problems:
        text = say("{path}: no checkpoint that could be read", path=snapshot.root)
        return NoAnswerError(text, ExitCode.UNKNOWN)
    code = ExitCode.CRITICAL if expect_checkpoint else ExitCode.EMPTY
    return NoAnswerError(say("{path}: no checkpoint yet", path=snapshot.root), code)


def nothing_resumable(run: Run, exact: bool) -> NoAnswerError:
    """Checkpoints are there, and none of them will do."""
    text = say(
        "{path}: no exact checkpoint" if exact else "{path}: no resumable checkpoint",
        path=run.path,
    )
    if run.newest is not None:
        text += say("; the newest is {state}", state=_state(run.newest, run.newest.why))
        text += say(" (ckpt-tui show {path} says what to do)", path=shlex.quote(run.newest.path))
    code = ExitCode.UNKNOWN if run.level is Level.UNKNOWN else ExitCode.CRITICAL
    return NoAnswerError(text, code, run)


def nothing_sound(run: Run, sound: Sound) -> NoAnswerError:
    """Of none are all bytes known to be right."""
    if sound.timed_out:
        text = say("{path}: the time is up before its bytes were read", path=run.path)
        return NoAnswerError(text, ExitCode.UNKNOWN, run)
    text = say("{path}: of no resumable checkpoint are all bytes right", path=run.path)
    return NoAnswerError(text, ExitCode.UNKNOWN if sound.unread else ExitCode.CRITICAL, run)


def needs_converting(run: Run, resume: Checkpoint) -> NoAnswerError | None:
    """It was written by another world size, and something has to be done first; None if not."""
    found = size_mismatch(resume)
    if found is None:
        return None
    why, remedy = say_sentence(found.message), say_sentence(found.remedy)
    return NoAnswerError(f"{resume.path}: {why}: {remedy}", ExitCode.CRITICAL, run)


def passed_over(run: Run, *, exact: bool, verified: bool) -> str:
    """Why the newest attempt is not the answer; "" where it is, or is an ordinary save in flight.

    Args:
        run: With the answer as its resume point.
        exact: Whether only an exact one counts.
        verified: Whether bytes were read; what that passed over has been told then.
    """
    above = [c for c in run.rejected_newer if c.verdict is not Verdict.SAVING]
    untold = [c for c in above if not (verified and _can_be_taken(c, exact))]
    if not untold:
        return ""
    newest, more = untold[0], len(untold) - 1
    text = say(
        "passed over for --exact: {reason}" if newest.resumable else "passed over: {reason}",
        reason=_state(newest, reason_of(newest) or newest.why),
    )
    if more:
        text += say_count(more, "; {count} more newer one, too", "; {count} more newer ones, too")
    return f"{newest.path}: {text}"


def _can_be_taken(checkpoint: Checkpoint, exact: bool) -> bool:
    """Whether nothing but its bytes keeps it from being the answer."""
    return checkpoint.resumable and (not exact or checkpoint.verdict is Verdict.EXACT)


def _state(checkpoint: Checkpoint, why: str) -> str:
    """Its verdict, and why; or that it does not fit the job."""
    if checkpoint.is_of_other_size:
        return say(
            "of another world size: {reason}", reason=say_sentence(mismatch_text(checkpoint))
        )
    return say(
        "{verdict}: {reason}",
        verdict=say_sentence(checkpoint.verdict),
        reason=say_sentence(why),
    )
