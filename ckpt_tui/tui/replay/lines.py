"""The two lines that a replay adds: that nothing is live, and where in the recording one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import duration_text
from ckpt_tui.tui.lines import Line, Piece, Tone, cut, joined, line, pad, piece
from ckpt_tui.tui.rows.notes import ago_text, utc_text

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        next_level: Its level.
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
    next_level: str = ""
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
    told = f"of {utc_text(wall)}, {ago_text(max(0.0, now - wall))}: nothing here is live · {path}"
    return cut(line(" ", piece(" REPLAY ", Tone.WARN_BLOCK), " ", piece(told, Tone.WARN)), width)


def progress_line(progress: Progress, width: int, ascii_only: bool = False) -> Line:
    """Time, frame, speed, a bar, and the next event; a bar where there is room."""
    if progress.problem:
        return cut(line(" ", piece(progress.problem, Tone.BAD)), width)
    sign = _play_sign(progress.playing, ascii_only)
    speed = f"×{progress.speed:g}"
    where = f"{progress.frame} of {progress.frames}"
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


def _play_sign(playing: bool, ascii_only: bool) -> str:
    if ascii_only:
        return "play" if playing else "still"
    return "▶" if playing else "■"


def _bar(share: float, cells: int, ascii_only: bool) -> Sequence[Piece]:
    done = min(cells - 1, int(share * cells))
    full, knob, rest = ("=", "#", "-") if ascii_only else ("━", "●", "─")
    pieces = (Piece(full * done, Tone.DONE), Piece(knob, Tone.ACCENT))
    return pad(line(*pieces, Piece(rest * (cells - 1 - done), Tone.DIM)), cells)


def _event_text(progress: Progress) -> Line:
    if progress.events:
        told, more = progress.events[:_MOST_TOLD], len(progress.events) - _MOST_TOLD
        rest = f"; {more} more" if more > 0 else ""
        return line(piece(f"now: {'; '.join(told)}{rest}", Tone.BOLD))
    if not progress.next_event:
        return line(piece("no event follows", Tone.DIM))
    tone = Tone.PLAIN if progress.next_level == "info" else Tone.WARN
    when = duration_text(progress.next_seconds)
    return line(piece(f"in {when}: {progress.next_event}", tone))
