"""In words: the save under the cursor, and what happened beside saving."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.median import median
from ckpt_tui.core.reasons import FAULTY
from ckpt_tui.core.text import age_text, bytes_text, duration_text, plural
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.icons import RESUME_MARK, WARNING_MARK
from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, cut, joined, line, piece
from ckpt_tui.tui.rows.notes import ago_text, utc_text, verdict_line
from ckpt_tui.tui.timeline.strips import GONE_SIGN, RESTART_SIGN, look_of

if TYPE_CHECKING:
    from ckpt_tui.tui.timeline.story import Story, TimedSave

_SLOW = 1.5
"""A save that took so many times as long as usual is told to be slow."""


class Event(NamedTuple):
    """Something that happened to the run, beside a save that went well.

    Attributes:
        at: Seconds since the epoch.
        text: What happened, with its sign in front.
    """

    at: float
    text: Line


def events_of(story: Story) -> list[Event]:
    """Restarts, gaps and saves that are of no use, oldest first."""
    found = [Event(save.at, _fault_text(save)) for save in story.saves if save.verdict in FAULTY]
    for restart in story.restarts:
        origin = "a save that is gone"
        if restart.from_step is not None:
            origin = f"step {restart.from_step}"
        told = f"went on from {origin}, {restart.reached_step} had been reached:"
        lost = f"{told} {plural(restart.lost_steps, 'step')} lost"
        found.append(Event(restart.at, line(piece(f"{RESTART_SIGN} {lost}", Tone.WARN))))
    for outage in story.outages:
        length, excess = outage.end - outage.begin, outage.excess_seconds
        told = f"no save for {duration_text(length)}, {duration_text(excess)} more than its steps"
        found.append(
            Event(outage.end, line(piece(f"{WARNING_MARK} {told} need until then", Tone.WARN)))
        )
    return sorted(found, key=lambda event: event.at)


def _fault_text(save: TimedSave) -> Line:
    what = save.verdict.value if save.verdict is not None else "gone"
    reason = f": {save.reason}" if save.reason else ""
    sign = look_of(save)
    return (sign, piece(f" {save.title} is {what}{reason}", sign.tone))


def event_lines(story: Story, cursor_at: float, width: int) -> list[Line]:
    """The events, newest first, the one at the cursor marked; then what a series lacks."""
    lines = [
        cut((_marker(event.at == cursor_at), *_when(event.at), *event.text), width)
        for event in reversed(events_of(story))
    ]
    absent = [
        cut(line("  ", piece(f"{WARNING_MARK} {text}", Tone.WARN)), width) for text in story.absent
    ]
    if not lines and not absent:
        lines = [cut(line(piece("  no restart, no gap, no broken save", Tone.DIM)), width)]
    return [*lines, *absent]


def _marker(chosen: bool) -> Piece:
    return Piece(f"{RESUME_MARK} ", Tone.ACCENT) if chosen else Piece("  ")


def _when(at: float) -> Line:
    try:
        moment = datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):  # a file may claim any time
        return line("? ")
    return line(piece(f"{moment:%m-%d %H:%M:%S}  ", Tone.DIM))


def save_lines(story: Story, place: int, now: float, width: int) -> list[Line]:
    """Three lines about one save: what it is, how it was written, how it follows the one before.

    Args:
        story: The run.
        place: Which save, counted from the oldest.
        now: Seconds since the epoch.
        width: Cells there are.
    """
    save = story.saves[place]
    count = f"{place + 1} of {len(story.saves)}"
    what = line(" ", look_of(save), " ", piece(save.title, Tone.BOLD))
    when = line(piece(f"{utc_text(save.at)}, {ago_text(max(0.0, now - save.at))}"))
    first = joined((what, _state(save), when, line(piece(count, Tone.DIM))))
    second = joined(
        (line(" ", piece(f"size {bytes_text(save.size_bytes)}")), *_writing(story, save))
    )
    third = joined((*_follows(story, place), line(piece(save.reason, Tone.WARN))))
    third = (Piece(" "), *third) if third else BLANK
    return [cut(each, width) for each in (first, second, third)]


def _state(save: TimedSave) -> Line:
    if save.verdict is None:
        return line(piece("gone: only the history knows it", Tone.DIM))
    state = verdict_line(save.verdict)
    return (*state, piece(", resume point", Tone.OK)) if save.is_resume else state


def _writing(story: Story, save: TimedSave) -> list[Line]:
    seconds = save.save_seconds
    if save.verdict is Verdict.SAVING:
        return [line(piece("still being written", Tone.BUSY))]
    if seconds is None:
        return [line(piece("how long it took is not known", Tone.DIM))]
    bound = "at least " if save.is_lower_bound else ""
    parts = [line(piece(f"took {bound}{duration_text(seconds)}"))]
    if save.bytes_per_second:
        most = "at most " if save.is_lower_bound else ""
        parts.append(line(piece(f"{most}{bytes_text(save.bytes_per_second)}/s")))
    timed = [s.save_seconds for s in story.saves if s.save_seconds is not None]
    usual = median(timed)
    slow = len(timed) > 2 and seconds > _SLOW * usual
    tone = Tone.WARN if slow else Tone.DIM
    parts.append(line(piece(f"{'slow: ' if slow else ''}usually {duration_text(usual)}", tone)))
    return parts


def _follows(story: Story, place: int) -> list[Line]:
    if not place:
        return [line(piece("the oldest that is known", Tone.DIM))]
    save, before = story.saves[place], story.saves[place - 1]
    told = f"{age_text(save.at - before.at)} after {before.title}"
    if save.step is not None and before.step is not None:
        steps = save.step - before.step
        told += f", {steps:+d} {'step' if abs(steps) == 1 else 'steps'}"
    return [line(piece(told))]


def legend_line(story: Story) -> Line:
    """What the whole shows, and the signs that no other screen has."""
    parts = [line(" ", piece(plural(len(story.saves), "save")))]
    if story.from_history:
        gone = f"{GONE_SIGN} {story.from_history} gone, known from the history"
        parts.append(line(piece(gone, Tone.DIM)))
    if story.restarts:
        text = f"{RESTART_SIGN} {plural(len(story.restarts), 'restart')}"
        parts.append(line(piece(text, Tone.WARN)))
    if story.outages:
        parts.append(line(piece(plural(len(story.outages), "gap"), Tone.WARN)))
    if story.problem:
        parts.append(line(piece(f"history: {story.problem}", Tone.WARN)))
    return joined(parts)
