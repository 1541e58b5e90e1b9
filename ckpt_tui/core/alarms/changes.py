"""What happened to a run between two pictures: saves, deletions, restarts, its level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.alarms.values import AlarmLevel, Event, EventCode, EventKind
from ckpt_tui.core.reasons import reason_of
from ckpt_tui.core.text import bytes_text, duration_text, plural
from ckpt_tui.core.vocabulary import RESUMABLE, Level, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ckpt_tui.core.alarms.traits import Traits
    from ckpt_tui.core.alarms.values import RunName
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.restarts import Restart
    from ckpt_tui.core.runs import Run

MOST_EACH = 20
"""Of a run that changes as a whole, such as one that is copied in, no more is told one by one."""
_LOUD = {Level.WARNING: AlarmLevel.WARNING, Level.CRITICAL: AlarmLevel.CRITICAL}


def run_events(before: Traits, traits: Traits, wall: float) -> Iterator[Event]:
    """Events of a run that differs from its last picture, in the order of its steps."""
    name = traits.name
    if before.run is traits.run:
        return
    if before.quiet is not traits.quiet or _path(before.saving) != _path(traits.saving):
        yield from _saves(before.run, traits.run, name, wall)
        yield from _wrong_bytes(before.run, traits.run, name, wall)
    yield from _restarts(before.run.restarts, traits.run.restarts, name, wall)


def _path(checkpoint: Checkpoint | None) -> str:
    return "" if checkpoint is None else checkpoint.path


def _saves(before: Run, after: Run, name: RunName, wall: float) -> Iterator[Event]:
    old = {c.path: c for c in before.checkpoints}
    new = {c.path: c for c in after.checkpoints}
    gone = [c for path, c in reversed(old.items()) if path not in new]
    yield from _deletions(gone, name, wall)
    told = [
        event
        for path, checkpoint in reversed(new.items())
        if (event := _save_event(old.get(path), checkpoint, name, wall)) is not None
    ]
    yield from told[:MOST_EACH]
    if len(told) > MOST_EACH:
        more = f"{len(told) - MOST_EACH} more checkpoints came or changed in the same look"
        yield _event(EventCode.SAVE_COMMITTED, more, name, wall)


def _save_event(
    before: Checkpoint | None, after: Checkpoint, name: RunName, wall: float
) -> Event | None:
    """What became of a save; None where nothing did, or where it is no save of the job."""
    saving, was_saving = _is_saving(after), before is not None and _is_saving(before)
    settled_before = before is not None and not was_saving
    if saving == was_saving and (saving or settled_before):
        return None
    if after.facts.export or after.facts.alias:
        return None
    if saving:
        code, message = EventCode.SAVE_BEGAN, f"{after.title}: a save began"
    elif after.verdict in RESUMABLE:
        code, message = EventCode.SAVE_COMMITTED, _committed(after)
    elif after.verdict is Verdict.WEIGHTS_ONLY:
        code, message = EventCode.SAVE_COMMITTED, f"{after.title} committed, weights only"
    else:
        code, message = EventCode.SAVE_DIED, _death(before, after)
    return _event(code, message, name, wall, after.path)


def _is_saving(checkpoint: Checkpoint) -> bool:
    return checkpoint.verdict is Verdict.SAVING


def _committed(checkpoint: Checkpoint) -> str:
    facts, title = checkpoint.facts, checkpoint.title
    size = bytes_text(facts.size_bytes)
    if facts.save_seconds is None:
        return f"{title} committed, {size}"
    taken = duration_text(facts.save_seconds)
    if facts.save_seconds_is_lower_bound:
        return f"{title} committed in at least {taken}, {size}"
    return f"{title} committed in {taken}, {size}"


def _death(before: Checkpoint | None, after: Checkpoint) -> str:
    reached = ""
    if before is not None and before.progress is not None and before.progress.fraction is not None:
        reached = f" at {int(100 * before.progress.fraction)} %"
    died = "the save died" if after.verdict is Verdict.UNCOMMITTED else "the save is no good"
    return f"{after.title}: {died}{reached} ({reason_of(after) or after.verdict.value})"


def _wrong_bytes(before: Run, after: Run, name: RunName, wall: float) -> Iterator[Event]:
    """What `verify` has found since: no save went wrong, but what was saved is no longer there."""
    known = {c.path for c in before.checkpoints if _is_wrong(c)}
    resume = before.resume.path if before.resume is not None else ""
    found = [c for c in after.checkpoints if _is_wrong(c) and c.path not in known]
    for checkpoint in found[:MOST_EACH]:
        title, reason = checkpoint.title, reason_of(checkpoint)
        if checkpoint.path == resume:
            message = f"{title}, the resume point so far, has wrong bytes: {reason}"
        else:
            message = f"{title} has wrong bytes: {reason}"
        made = _event(EventCode.BYTES_WRONG, message, name, wall, checkpoint.path)
        loud = checkpoint.path == resume
        yield made._replace(level=AlarmLevel.CRITICAL if loud else AlarmLevel.WARNING)


def _is_wrong(checkpoint: Checkpoint) -> bool:
    verified = checkpoint.facts.verified
    return verified is not None and verified.ok is False


def _deletions(gone: Sequence[Checkpoint], name: RunName, wall: float) -> Iterator[Event]:
    if len(gone) > MOST_EACH:
        count = plural(len(gone), "checkpoint")
        message = f"{count} deleted: {gone[0].title} to {gone[-1].title}"
        yield _event(EventCode.DELETED, message, name, wall)
        return
    for checkpoint in gone:
        what = f"{checkpoint.title} ({checkpoint.verdict.value}) deleted"
        yield _event(EventCode.DELETED, what, name, wall, checkpoint.path)


def _restarts(
    before: Sequence[Restart], after: Sequence[Restart], name: RunName, wall: float
) -> Iterator[Event]:
    newest = max((restart.at for restart in before), default=0.0)
    for restart in after[-MOST_EACH:]:
        if restart.at <= newest:
            continue
        origin = "a step that is gone"
        if restart.from_step is not None:
            origin = f"step {restart.from_step}"
        lost = plural(restart.lost_steps, "step")
        message = f"the job went back to {origin}: {lost} lost"
        made = _event(EventCode.RESTART, message, name, wall)
        yield made._replace(level=AlarmLevel.WARNING)


def level_changed(before: Level, traits: Traits, wall: float) -> Event:
    """The run is judged otherwise than before."""
    now = traits.run.level
    made = _event(EventCode.RUN_LEVEL, f"{before} → {now}", traits.name, wall)
    return made._replace(level=_LOUD.get(now, AlarmLevel.INFO))


def came(traits: Traits, wall: float) -> Event:
    """A run that was not there before."""
    count = plural(len(traits.run.checkpoints), "checkpoint")
    return _event(EventCode.RUN_BEGAN, f"a run of {count} appeared", traits.name, wall)


def left(traits: Traits, wall: float) -> Event:
    """A run that is no longer there."""
    count = plural(len(traits.run.checkpoints), "checkpoint")
    made = _event(EventCode.RUN_GONE, f"the run is gone, with {count}", traits.name, wall)
    return made._replace(level=AlarmLevel.WARNING)


def _event(
    code: EventCode, message: str, name: RunName, wall: float, checkpoint: str = ""
) -> Event:
    return Event(wall, EventKind.HAPPENED, code.value, AlarmLevel.INFO, message, name, checkpoint)
