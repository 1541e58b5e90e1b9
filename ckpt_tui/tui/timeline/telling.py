"""In words: the save under the cursor, and what happened beside saving."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.median import median
from ckpt_tui.core.reasons import FAULTY
from ckpt_tui.core.text import bytes_text, duration_text
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.icons import RESUME_MARK, WARNING_MARK
from ckpt_tui.tui.lines import BLANK, Line, Piece, Tone, cut, joined, line, piece
from ckpt_tui.tui.rows.notes import ago_text, said_age, utc_text, verdict_line
from ckpt_tui.tui.timeline.strips import GONE_SIGN, RESTART_SIGN, look_of
from ckpt_tui.words import say, say_count, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.restarts import Restart
    from ckpt_tui.tui.timeline.story import Outage, Story, TimedSave

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
    found += [
        Event(restart.at, line(piece(_restart_text(restart), Tone.WARN)))
        for restart in story.restarts
    ]
    found += [
        Event(outage.end, line(piece(_outage_text(outage), Tone.WARN))) for outage in story.outages
    ]
    return sorted(found, key=lambda event: event.at)


def _restart_text(restart: Restart) -> str:
    origin = say("a save that is gone")
    if restart.from_step is not None:
        origin = say("step {step}", step=restart.from_step)
    told = say(
        "went on from {origin}, {step} had been reached: {steps} lost",
        origin=origin,
        step=restart.reached_step,
        steps=say_count(restart.lost_steps, "{count} step", "{count} steps"),
    )
    return f"{RESTART_SIGN} {told}"


def _outage_text(outage: Outage) -> str:
    told = say(
        "no save for {time}, {excess} more than its steps need until then",
        time=duration_text(outage.end - outage.begin),
        excess=duration_text(outage.excess_seconds),
    )
    return f"{WARNING_MARK} {told}"


def _fault_text(save: TimedSave) -> Line:
    state = say(save.verdict.value) if save.verdict is not None else say("gone")
    told = say("{save} is {state}", save=save.title, state=state)
    if save.reason:
        told = say("{what}: {reason}", what=told, reason=say_sentence(save.reason))
    sign = look_of(save)
    return (sign, piece(f" {told}", sign.tone))


def event_lines(story: Story, cursor_at: float, width: int) -> list[Line]:
    """The events, newest first, the one at the cursor marked; then what a series lacks."""
    lines = [
        cut((_marker(event.at == cursor_at), *_when(event.at), *event.text), width)
        for event in reversed(events_of(story))
    ]
    absent = [
        cut(line("  ", piece(f"{WARNING_MARK} {say_sentence(text)}", Tone.WARN)), width)
        for text in story.absent
    ]
    if not lines and not absent:
        none = say("  no restart, no gap, no broken save")
        lines = [cut(line(piece(none, Tone.DIM)), width)]
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
    count = say("{number} of {all}", number=place + 1, all=len(story.saves))
    what = line(" ", look_of(save), " ", piece(save.title, Tone.BOLD))
    ago = ago_text(max(0.0, now - save.at))
    when = line(piece(say("{time}, {ago}", time=utc_text(save.at), ago=ago)))
    first = joined((what, _state(save), when, line(piece(count, Tone.DIM))))
    size = say("size {size}", size=bytes_text(save.size_bytes))
    second = joined((line(" ", piece(size)), *_writing(story, save)))
    third = joined((*_follows(story, place), line(piece(say_sentence(save.reason), Tone.WARN))))
    third = (Piece(" "), *third) if third else BLANK
    return [cut(each, width) for each in (first, second, third)]


def _state(save: TimedSave) -> Line:
    if save.verdict is None:
        return line(piece(say("gone: only the history knows it"), Tone.DIM))
    state = verdict_line(save.verdict)
    return (*state, piece(say(", resume point"), Tone.OK)) if save.is_resume else state


def _writing(story: Story, save: TimedSave) -> list[Line]:
    seconds = save.save_seconds
    if save.verdict is Verdict.SAVING:
        return [line(piece(say("still being written"), Tone.BUSY))]
    if seconds is None:
        return [line(piece(say("how long it took is not known"), Tone.DIM))]
    parts = [line(piece(_took(save, duration_text(seconds))))]
    if save.bytes_per_second:
        rate = f"{bytes_text(save.bytes_per_second)}/s"
        parts.append(line(piece(say("at most {rate}", rate=rate) if save.is_lower_bound else rate)))
    timed = [s.save_seconds for s in story.saves if s.save_seconds is not None]
    usual = median(timed)
    slow = len(timed) > 2 and seconds > _SLOW * usual
    tone = Tone.WARN if slow else Tone.DIM
    text = say("slow: usually {time}" if slow else "usually {time}", time=duration_text(usual))
    parts.append(line(piece(text, tone)))
    return parts


def _took(save: TimedSave, time: str) -> str:
    return say("took at least {time}" if save.is_lower_bound else "took {time}", time=time)


def _follows(story: Story, place: int) -> list[Line]:
    if not place:
        return [line(piece(say("the oldest that is known"), Tone.DIM))]
    save, before = story.saves[place], story.saves[place - 1]
    told = say("{time} after {save}", time=said_age(save.at - before.at), save=before.title)
    if save.step is not None and before.step is not None:
        count = save.step - before.step
        steps = say_count(abs(count), "{number} step", "{number} steps", number=f"{count:+d}")
        told = say("{told}, {steps}", told=told, steps=steps)
    return [line(piece(told))]


def legend_line(story: Story) -> Line:
    """What the whole shows, and the signs that no other screen has."""
    parts = [line(" ", piece(say_count(len(story.saves), "{count} save", "{count} saves")))]
    if story.from_history:
        gone = say("{count} gone, known from the history", count=story.from_history)
        parts.append(line(piece(f"{GONE_SIGN} {gone}", Tone.DIM)))
    if story.restarts:
        text = say_count(len(story.restarts), "{count} restart", "{count} restarts")
        parts.append(line(piece(f"{RESTART_SIGN} {text}", Tone.WARN)))
    if story.outages:
        text = say_count(len(story.outages), "{count} gap", "{count} gaps")
        parts.append(line(piece(text, Tone.WARN)))
    if story.problem:
        text = say("history: {problem}", problem=say_sentence(story.problem))
        parts.append(line(piece(text, Tone.WARN)))
    return joined(parts)
