"""The third answer: what needs a look, and what the last restart cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.values import AlarmCode, AlarmLevel
from ckpt_tui.core.text import duration_text
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.tui.icons import SEVERITY_LOOKS
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, first_fit, joined, line, piece, width_of
from ckpt_tui.tui.rows.notes import utc_text
from ckpt_tui.words import say, say_count, say_sentence

if TYPE_CHECKING:
    from ckpt_tui.core.alarms.values import Alarm
    from ckpt_tui.core.runs import Run
    from ckpt_tui.tui.icons import Look
    from ckpt_tui.tui.view import View

PLENTY = 20.0
"""From so many saves on the free space is no news."""
ALARM_LOOKS: dict[AlarmLevel, Look] = {
    AlarmLevel.CRITICAL: SEVERITY_LOOKS[Severity.ERROR],
    AlarmLevel.WARNING: SEVERITY_LOOKS[Severity.WARNING],
    AlarmLevel.INFO: SEVERITY_LOOKS[Severity.INFO],
}
_REMARKS_TOLD_ELSEWHERE = frozenset(
    {AlarmCode.CADENCE_BROKEN, AlarmCode.TOO_FEW_GOOD, AlarmCode.NOTHING_TO_RESUME}
)
"""The lines above say how old the last save is, and what there is to resume from."""


def look_line(view: View, width: int) -> Line:
    """The number of alarms and the first of them; where there are none, that all is well."""
    if view.first_look or (view.snapshot.error and not view.snapshot.runs):
        return BLANK
    found = alarms_to_show(view)
    if view.run is None or not view.run.checkpoints:
        return _cut_to(found, view, width) if found else BLANK
    room = _room(view, view.run)
    if not found and view.snapshot.reading is not None:
        return BLANK
    if not found:
        well = line(piece(f"  ✔ {say('nothing needs a look')}", Tone.DIM))
        return first_fit([(well, room), (well, BLANK)], width)
    for shown in range(len(found), 0, -1):
        text = _listed(found, view, shown)
        if width_of(text) + width_of(room) + 2 <= width:
            return first_fit([(text, room)], width)
    return _cut_to(found, view, width)


def alarms_to_show(view: View) -> list[Alarm]:
    """The alarms that no other line of the header tells, the loudest first."""
    return [alarm for alarm in view.alarms if not _told_elsewhere(alarm, view.run)]


def _told_elsewhere(alarm: Alarm, run: Run | None) -> bool:
    if alarm.code is AlarmCode.ROOT_UNREADABLE:
        return True
    if alarm.level is AlarmLevel.INFO and alarm.code in _REMARKS_TOLD_ELSEWHERE:
        return True
    if _is_of(alarm, run):
        return alarm.code is AlarmCode.NOTHING_TO_RESUME
    return alarm.level is AlarmLevel.INFO and bool(alarm.run.path)


def _is_of(alarm: Alarm, run: Run | None) -> bool:
    return run is not None and (alarm.run.path, alarm.run.format) == (run.path, run.format)


def is_raised(view: View, code: AlarmCode) -> bool:
    """Whether the shown run has an alarm that the third answer tells."""
    return any(alarm.code is code and _is_of(alarm, view.run) for alarm in alarms_to_show(view))


def _cut_to(found: list[Alarm], view: View, width: int) -> Line:
    """The loudest alone; where there are more, the end of the line says so."""
    rest = _more(len(found) - 1)
    end = (piece(" · ", Tone.DIM), *rest) if rest else BLANK
    return (*cut((*_head(found), *_told(found[0], view.run)), width - width_of(end)), *end)


def _listed(found: list[Alarm], view: View, shown: int) -> Line:
    parts = [_told(alarm, view.run) for alarm in found[:shown]]
    return (*_head(found), *joined((*parts, _more(len(found) - shown))))


def _head(found: list[Alarm]) -> Line:
    head = say_count(len(found), "{count} needs a look:", "{count} need a look:")
    if found[0].level is AlarmLevel.INFO:
        head = say_count(len(found), "{count} remark:", "{count} remarks:")
    return line(piece(f" {head}", ALARM_LOOKS[found[0].level].tone), " ")


def _more(count: int) -> Line:
    return line(piece(say("{count} more (L)", count=count), Tone.DIM)) if count else BLANK


def _told(alarm: Alarm, run: Run | None) -> Line:
    """Its mark tells the level without any colour."""
    look = ALARM_LOOKS[alarm.level]
    other = f"{alarm.run.name}: " if alarm.run.name and not _is_of(alarm, run) else ""
    mark = piece(f"{look.icon} ", look.tone) if alarm.level is not AlarmLevel.INFO else piece("")
    return line(mark, f"{other}{say_sentence(alarm.message)}")


def _room(view: View, run: Run) -> Line:
    """How many more saves the disk takes, where that is few and no alarm says so."""
    last, free_bytes = run.resume, view.snapshot.free_bytes
    if free_bytes is None or last is None or not last.facts.size_bytes:
        return BLANK
    saves = free_bytes / last.facts.size_bytes
    if saves >= PLENTY or any(alarm.code is AlarmCode.DISK_FULL for alarm in view.alarms):
        return BLANK
    text = say("disk: room for {saves} saves", saves=f"{saves:.1f}")
    return line(piece(f"{text} ", Tone.DIM))


def restart_line(view: View, width: int) -> Line:
    """What the last restart cost, as far as the checkpoints show."""
    if view.run is None or not view.run.restarts or is_raised(view, AlarmCode.MIXED_RUNS):
        return BLANK
    restart = view.run.restarts[-1]
    step = restart.from_step
    origin = say("a step that is gone") if step is None else say_sentence(f"step {step}")
    lost = say_count(restart.lost_steps, "{count} step was lost", "{count} steps were lost")
    at = utc_text(restart.at, view.now)
    ago = duration_text(max(0.0, view.now - restart.at))
    count = len(view.run.restarts)
    in_all = say_count(count, "{count} restart in all", "{count} restarts in all")
    total = line(piece(f"{in_all} ", Tone.DIM)) if count > 1 else BLANK
    head = line(piece("  ↻ ", Tone.WARN))
    long = say(
        "after the restart at {at} the job went on from {origin}; {lost}",
        at=at,
        origin=origin,
        lost=lost,
    )
    short = say("restart {ago} ago from {origin}; {lost}", ago=ago, origin=origin, lost=lost)
    whole, brief = (*head, piece(long)), (*head, piece(short))
    return first_fit([(whole, total), (whole, BLANK), (brief, BLANK)], width)
