"""The two lines that a replay adds: that nothing is live, and where in the recording one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.alarms.values import EventKind
from ckpt_tui.core.text import duration_text
from ckpt_tui.tui.lines import Line, Piece, Tone, cut, joined, line, pad, piece
from ckpt_tui.tui.rows.notes import ago_text, utc_text
from ckpt_tui.words import say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.recording.told import RecordedEvent

_BAR_FROM_WIDTH = 100
_MOST_TOLD = 2


class Progress(NamedTuple):
    """Where in a recording one is.

    Attributes:
        wall: Seconds since the epoch of the moment that is shown.
        frame: Number of the frame, from 1.
        frames: How many there are.
        share: Of the time that has passed, from 0 to 1.
        speed: Seconds of the recording for a second.
        events: What happened at this frame, the loudest first.
        next_event: What happens next; "" where nothing does.
        next_is_warning: Whether something goes wrong then.
        next_seconds: Time until then.
        problem: Why the frame that was asked for cannot be shown, or "".
    """

    wall: float
    frame: int
    frames: int
    share: float
    playing: bool
    speed: float
    events: tuple[str, ...] = ()
    next_event: str = ""
    next_is_warning: bool = False
    next_seconds: float = 0.0
    problem: str = ""


def banner_line(wall: float, now: float, path: str, width: int) -> Line:
    """Says loudly that this is no live picture.

    Args:
        wall: Seconds since the epoch of the moment that is shown.
        now: Seconds since the epoch, by the real clock.
        path: The recording.
        width: Cells there are.
    """
    told = say(
        "of {time}, {ago}: nothing here is live · {path}",
        time=utc_text(wall),
        ago=ago_text(max(0.0, now - wall)),
        path=path,
    )
    return cut(
        line(" ", piece(say(" REPLAY "), Tone.WARN_BLOCK), " ", piece(told, Tone.WARN)), width
    )


def progress_line(progress: Progress, width: int, ascii_only: bool = False) -> Line:
    """Time, frame, speed, a bar, and the next event; a bar where there is room."""
    if progress.problem:
        return cut(line(" ", piece(say_sentence(progress.problem), Tone.BAD)), width)
    sign = _play_sign(progress.playing, ascii_only)
    speed = f"×{progress.speed:g}"
    where = say("{number} of {all}", number=progress.frame, all=progress.frames)
    head = joined(
        (
            line(" ", piece(f"{sign} {speed}", Tone.ACCENT)),
            line(piece(utc_text(progress.wall))),
            line(piece(where)),
        )
    )
    if width >= _BAR_FROM_WIDTH:
        head = (*head, Piece("  "), *_bar(progress.share, width // 6, ascii_only))
    return cut(joined((head, _event_text(progress))), width)


def event_text(event: RecordedEvent) -> str:
    """What happened; of an alarm that was cleared it says so."""
    if event.kind is not EventKind.CLEARED:
        return say_sentence(event.text)
    return say("cleared: {message}", message=say_sentence(event.text))


def _play_sign(playing: bool, ascii_only: bool) -> str:
    if ascii_only:
        return say("play" if playing else "still")
    return "▶" if playing else "■"


def _bar(share: float, cells: int, ascii_only: bool) -> Sequence[Piece]:
    done = min(cells - 1, int(share * cells))
    full, knob, rest = ("=", "#", "-") if ascii_only else ("━", "●", "─")
    pieces = (Piece(full * done, Tone.DONE), Piece(knob, Tone.ACCENT))
    return pad(line(*pieces, Piece(rest * (cells - 1 - done), Tone.DIM)), cells)


def _event_text(progress: Progress) -> Line:
    if progress.events:
        told, more = progress.events[:_MOST_TOLD], len(progress.events) - _MOST_TOLD
        if more > 0:
            told = (*told, say("{count} more", count=more))
        events = say("; ").join(told)
        return line(piece(say("now: {events}", events=events), Tone.BOLD))
    if not progress.next_event:
        return line(piece(say("no event follows"), Tone.DIM))
    tone = Tone.WARN if progress.next_is_warning else Tone.PLAIN
    when = duration_text(progress.next_seconds)
    return line(piece(say("in {time}: {event}", time=when, event=progress.next_event), tone))
