"""The lines of the event log; each level has a sign and a word, besides its colour."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len

from ckpt_tui.alerts.message import LEVEL_WORDS
from ckpt_tui.core.alarms.values import AlarmLevel, EventCode, EventKind
from ckpt_tui.core.text import duration_text
from ckpt_tui.tui.answers.look import ALARM_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, line, piece, width_of, wrapped
from ckpt_tui.words import later, say, say_count, say_sentence
from ckpt_tui.words.wrapping import padded

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.alarms.values import Alarm, Event, RunName
    from ckpt_tui.tui.alarm_desk import AlarmDesk

_WIDE, _WIDE_HEAD_CELLS = 90, 40
_HEAD_CELLS = 31
_NARROW, _INDENT = 60, 4
_LEVEL_CELLS = 8
EVENT_WORDS: dict[str, str] = {
    EventCode.SAVE_BEGAN: later("save began"),
    EventCode.SAVE_COMMITTED: later("save committed"),
    EventCode.SAVE_DIED: later("save died"),
    EventCode.BYTES_WRONG: later("bytes wrong"),
    EventCode.DELETED: later("deleted"),
    EventCode.RESTART: later("restart"),
    EventCode.RUN_BEGAN: later("run began"),
    EventCode.RUN_GONE: later("run gone"),
    EventCode.RUN_LEVEL: later("run level"),
    EventCode.DELIVERY_FAILED: later("delivery failed"),
}
KIND_WORDS = {
    EventKind.RAISED: later("raised"),
    EventKind.CHANGED: later("changed"),
    EventKind.CLEARED: later("cleared"),
}
_ORDER: tuple[AlarmLevel | None, ...] = (None, AlarmLevel.WARNING, AlarmLevel.CRITICAL)


def next_level(least: AlarmLevel | None) -> AlarmLevel | None:
    """The filter after this one: all, warnings and worse, critical ones."""
    return _ORDER[(_ORDER.index(least) + 1) % len(_ORDER)]


def levels_text(least: AlarmLevel | None) -> str:
    """What a filter lets through."""
    if least is None:
        return say("all levels")
    return say("only critical" if least is AlarmLevel.CRITICAL else "warning and worse")


def event_lines(desk: AlarmDesk, least: AlarmLevel | None, now: float, width: int) -> list[Line]:
    """All of the log.

    Args:
        desk: Where the events are kept.
        least: The least level that is shown; None for all.
        now: Seconds since the epoch.
        width: Cells on a line.
    """
    floor = least.loudness if least is not None else 0
    alarms = [alarm for alarm in desk.alarms if alarm.level.loudness >= floor]
    events = [event for event in desk.events if event.level.loudness >= floor]
    lines = [_title(say("Now"))]
    lines += [row for alarm in alarms for row in _alarm_lines(alarm, now, width)]
    if not alarms:
        lines.append(line(piece(f"  {say('no alarm')}", Tone.DIM)))
    log = say_count(
        len(events),
        "Log: {count} event, the newest first",
        "Log: {count} events, the newest first",
    )
    return [*lines, BLANK, cut(_title(log), width), *_log_lines(events, width)]


def _title(text: str) -> Line:
    return line(piece(text, Tone.BOLD))


def _alarm_lines(alarm: Alarm, now: float, width: int) -> list[Line]:
    lasts = say("for {time}", time=duration_text(max(0.0, now - alarm.since)))
    text = _prefixed(alarm.run, alarm.message)
    return _entry(_clock(alarm.since), alarm.level, lasts, text, width)


def _log_lines(events: Iterable[Event], width: int) -> list[Line]:
    lines: list[Line] = []
    for day, of_day in groupby(events, key=lambda event: _day(event.at)):
        lines.append(line(piece(f"  {day}", Tone.DIM)))
        for event in of_day:
            text = _prefixed(event.run, event.message)
            lines += _entry(_clock(event.at), event.level, _what(event), text, width)
    return lines


def _what(event: Event) -> str:
    if event.kind is EventKind.CLEARED and event.lasted_seconds is not None:
        return say("cleared, {time}", time=duration_text(event.lasted_seconds))
    if event.kind is EventKind.HAPPENED:
        return say(EVENT_WORDS.get(event.code, event.code.replace("-", " ")))
    return say("was there") if event.first else say(KIND_WORDS[event.kind])


def _prefixed(run: RunName, message: str) -> str:
    told = say_sentence(message)
    return f"{run.name}: {told}" if run.name else told


def _entry(at: str, level: AlarmLevel, what: str, text: str, width: int) -> list[Line]:
    """One event: time, level, what it is; its text beside that, or below on narrow screens."""
    look = ALARM_LOOKS[level]
    word = f" {padded(say(LEVEL_WORDS[level]), _LEVEL_CELLS)}" if width >= _WIDE else ""
    head = line(piece(f"  {at} ", Tone.DIM), piece(f"{look.icon}{word} ", look.tone), what)
    cells = _WIDE_HEAD_CELLS if width >= _WIDE else _HEAD_CELLS
    gap = cells - width_of(head)
    if width < _NARROW or gap < 1:
        return [cut(head, width), *_below(text, width, _INDENT)]
    first, *rest = _below(text, width, cells)
    return [(*head, piece(" " * gap), *first[1:]), *rest]


def _below(text: str, width: int, indent: int) -> list[Line]:
    room = width - indent
    rows = wrapped(text, room)
    if any(cell_len(row) > room for row in rows):  # wide letters take two cells each
        rows = wrapped(text, room // 2)
    return [cut(line(" " * indent, row), width) for row in rows]


def _clock(seconds: float) -> str:
    moment = _moment(seconds)
    return "--:--:--" if moment is None else f"{moment:%H:%M:%S}"


def _day(seconds: float) -> str:
    moment = _moment(seconds)
    return "–" if moment is None else f"{moment:%Y-%m-%d}"


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None
