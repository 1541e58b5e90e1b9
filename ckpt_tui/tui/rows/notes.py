"""Short texts about a checkpoint: what it is called, why it is no better, how old it is."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ckpt_tui.core.reasons import FAULTY, reason_of
from ckpt_tui.core.text import age_text, duration_text
from ckpt_tui.core.vocabulary import Severity, Verdict
from ckpt_tui.core.world_size import OTHER_SIZE
from ckpt_tui.tui.icons import VERDICT_LOOKS
from ckpt_tui.tui.lines import Line, Tone, joined, line, piece
from ckpt_tui.words import say, say_sentence
from ckpt_tui.words.lists import listed

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

LEAST_BOUND_SECONDS = 1.0
"""A save that took at least less than this may have taken any time: such a bound says nothing."""


def verdict_line(verdict: Verdict) -> Line:
    """Icon and word in the verdict's tone."""
    look = VERDICT_LOOKS[verdict]
    return line(piece(f"{look.icon} {say(verdict.value)}", look.tone))


def state_line(checkpoint: Checkpoint) -> Line:
    """The verdict, but for one that a job of the asked world size cannot load."""
    if checkpoint.is_of_other_size:
        word = say_sentence(OTHER_SIZE)
        return line(piece(f"{VERDICT_LOOKS[Verdict.INCOMPLETE].icon} {word}", Tone.BAD))
    return verdict_line(checkpoint.verdict)


def is_fault(checkpoint: Checkpoint) -> bool:
    """Whether an operator should look at it: damaged, never finished, unreadable, or stalling."""
    if checkpoint.verdict in FAULTY:
        return True
    if checkpoint.progress is not None and checkpoint.progress.silent_ranks:
        return True
    return any(finding.severity is Severity.ERROR for finding in checkpoint.findings)


def note_of(checkpoint: Checkpoint, resume: bool, named_by: tuple[str, ...]) -> Line:
    """The note column: resume point, reason, and the pointers that name it."""
    parts: list[Line] = []
    if resume:
        parts.append(line(piece(say("resume point"), Tone.OK)))
    reason = reason_of(checkpoint)
    if reason:
        parts.append(line(piece(say_sentence(reason), _reason_tone(checkpoint))))
    facts = checkpoint.facts
    if facts.verified is not None and facts.verified.not_finite:
        parts.append(line(piece(say("NaN or infinity"), Tone.WARN)))
    kinds = (
        (say("export"), facts.export),
        (say("leftover"), facts.staging),
        (say("copy"), facts.alias),
    )
    parts.extend(line(piece(word, Tone.DIM)) for word, applies in kinds if applies)
    if named_by:
        text = say("named by {names}", names=listed(named_by))
        parts.append(line(piece(text, Tone.DIM)))
    return joined(parts)


def _reason_tone(checkpoint: Checkpoint) -> Tone:
    if checkpoint.verdict is Verdict.SAVING:
        silent = checkpoint.progress is not None and checkpoint.progress.silent_ranks
        return Tone.WARN if silent else Tone.BUSY
    if not checkpoint.resumable and checkpoint.verdict in (Verdict.EXACT, Verdict.INEXACT):
        return Tone.BAD
    return VERDICT_LOOKS[checkpoint.verdict].tone


def took_text(checkpoint: Checkpoint, bound: str) -> str:
    """How long the save took, with `bound` before a lower bound; "" where times show nothing."""
    facts = checkpoint.facts
    if facts.save_seconds is None or checkpoint.verdict is Verdict.SAVING:
        return ""
    if not facts.save_seconds_is_lower_bound:
        return duration_text(facts.save_seconds)
    if facts.save_seconds < LEAST_BOUND_SECONDS:
        return ""
    return f"{bound}{duration_text(facts.save_seconds)}"


def utc_text(seconds: float | None, now: float | None = None) -> str:
    """An absolute time in UTC; only the time of day where it is less than a day from `now`."""
    if seconds is None:
        return "–"
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return "–"
    if now is not None and abs(now - seconds) < 86400:
        return f"{moment:%H:%M} UTC"
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def ago_text(seconds: float | None) -> str:
    """An age as a phrase: "14m ago", "just now"."""
    text = age_text(seconds)
    return say("just now") if text == "now" else say("{age} ago", age=text)


def said_age(seconds: float | None) -> str:
    """The age of something as `age_text` tells it, in the language in use."""
    text = age_text(seconds)
    return say("now") if text == "now" else text


def minutes_text(minutes: float) -> str:
    """Minutes, coarse: "27m", "0m", "1h 14m"."""
    return "0m" if minutes <= 0 else age_text(max(1.0, minutes * 60))
