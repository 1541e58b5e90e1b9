"""The way in: from what was remembered and one moment to alarms, events and a new memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.alarms.changes import came, left, level_changed, run_events
from ckpt_tui.core.alarms.hold import HOLD_SECONDS, Held, Moment, hold
from ckpt_tui.core.alarms.of_root import OF_LOOKING, root_conditions
from ckpt_tui.core.alarms.of_run import run_conditions
from ckpt_tui.core.alarms.of_save import Ages, has_ended, room_condition, save_conditions
from ckpt_tui.core.alarms.sight import DEFAULT_LIMITS
from ckpt_tui.core.alarms.traits import Traits, traits_of
from ckpt_tui.core.alarms.values import NO_RUN, AlarmCode, AlarmLevel, loudest_first
from ckpt_tui.core.vocabulary import Level

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ckpt_tui.core.alarms.sight import Limits, Sight
    from ckpt_tui.core.alarms.values import Alarm, Condition, Event, Key, RunName
    from ckpt_tui.core.runs import Run


class RunMemory(NamedTuple):
    """What is remembered of a run. Times are monotonic seconds.

    Attributes:
        traits: Of its last picture.
        current: False where the run was put aside.
        committed_at: When its newest commit was seen to come; None for one that was there before.
        flying: Path of the save in flight; "" where there is none.
        flying_since: When that one was first seen.
        most_good: How many good checkpoints it has had at once.
        level: The level that was told last.
        level_since: Since when its level is the one of its last picture.
    """

    traits: Traits
    current: bool = True
    committed_at: float | None = None
    flying: str = ""
    flying_since: float = 0.0
    most_good: int = 0
    level: Level = Level.OK
    level_since: float = 0.0


class Memory(NamedTuple):
    """What one moment leaves for the next.

    Attributes:
        runs: By name; empty before the first look.
        begun: Whether there was a first look.
        world_size: The one that the verdicts were asked for.
    """

    held: Mapping[Key, Held]
    runs: Mapping[RunName, RunMemory]
    begun: bool = False
    world_size: int | None = None


NOTHING_REMEMBERED = Memory({}, {})


class Outlook(NamedTuple):
    """What a moment shows.

    Attributes:
        alarms: Those whose rule holds now, the loudest first.
        events: What is new, in the order in which it came.
    """

    memory: Memory
    alarms: tuple[Alarm, ...]
    events: tuple[Event, ...]


def look_out(memory: Memory, sight: Sight, limits: Limits = DEFAULT_LIMITS) -> Outlook:
    """Takes one moment into account; cheap where no run differs from its last picture.

    While a look is not over, what it has not read yet is missing: the runs stay as they were. While
    looks fail or hang nobody knows how the runs are: their alarms stay as they were, too.

    Args:
        memory: What the last moment left.
        sight: This moment.
        limits: The operator's.
    """
    picture = sight.snapshot
    partly = picture.reading is not None or not picture.looked_at
    # Verdicts for another world size are no news of the job.
    first = not memory.begun or memory.world_size != picture.world_size
    now = Moment(sight.wall, sight.monotonic, first)
    runs = memory.runs if partly or picture.error else _remembered(memory, sight)
    events = [] if first else list(_happened(memory, runs, sight.wall))
    runs, levels = _levels(runs, now)
    events += levels
    conditions = list(root_conditions(sight))
    asleep: dict[Key, Held] = {}
    if sight.blind:
        asleep = {key: h for key, h in memory.held.items() if key[0] not in OF_LOOKING}
    else:
        conditions += _of_runs(memory.held, runs, sight, limits)
    awake = {key: h for key, h in memory.held.items() if key not in asleep}
    held, told = hold(awake, conditions, now)
    held |= asleep
    begun = memory.begun or not partly
    events += told
    shown = [h.alarm for h in held.values() if h.shown]
    return Outlook(
        Memory(held, runs, begun, picture.world_size), loudest_first(shown), tuple(events)
    )


def _remembered(memory: Memory, sight: Sight) -> dict[RunName, RunMemory]:
    picture = sight.snapshot
    current = {id(run) for run in picture.current}
    before = {(m.traits.run.path, m.traits.run.format): m for m in memory.runs.values()}
    runs: dict[RunName, RunMemory] = {}
    for run in picture.runs:
        made = _run_memory(before.get((run.path, run.format)), run, sight.monotonic)
        runs[made.traits.name] = made._replace(current=id(run) in current)
    return runs


def _run_memory(before: RunMemory | None, run: Run, monotonic: float) -> RunMemory:
    if before is not None and before.traits.run is run:
        return before
    traits = traits_of(run, before.traits if before is not None else None)
    flying = traits.saving.path if traits.saving is not None else ""
    good = max(traits.good, before.most_good if before else 0)
    if before is None:
        return RunMemory(traits, True, None, flying, monotonic, good, run.level, monotonic)
    newer = traits.last_commit != before.traits.last_commit
    since = before.flying_since if flying == before.flying else monotonic
    committed_at = monotonic if newer else before.committed_at
    same = before.traits.run.level is run.level
    level_since = before.level_since if same else monotonic
    return RunMemory(traits, True, committed_at, flying, since, good, before.level, level_since)


def _levels(
    runs: Mapping[RunName, RunMemory], now: Moment
) -> tuple[dict[RunName, RunMemory], list[Event]]:
    """Levels that have held for a while, or that are critical, are told."""
    told, events = {}, []
    for name, known in runs.items():
        level = known.traits.run.level
        held = now.monotonic - known.level_since >= HOLD_SECONDS
        if level is not known.level and (held or level is Level.CRITICAL or now.first):
            if not now.first:
                events.append(level_changed(known.level, known.traits, now.wall))
            known = known._replace(level=level)
        told[name] = known
    return told, events


def _happened(memory: Memory, runs: Mapping[RunName, RunMemory], wall: float) -> Iterator[Event]:
    for name, known in memory.runs.items():
        if name not in runs:
            yield left(known.traits, wall)
    for name, found in runs.items():
        before = memory.runs.get(name)
        if before is None:
            yield came(found.traits, wall)
        else:
            yield from run_events(before.traits, found.traits, wall)


def _of_runs(
    held: Mapping[Key, Held], runs: Mapping[RunName, RunMemory], sight: Sight, limits: Limits
) -> Iterator[Condition]:
    live: list[Traits] = []
    for name, known in runs.items():
        if not known.current:
            continue
        ages = _ages(known, sight)
        ended = has_ended(known.traits, ages)
        if not ended:
            live.append(known.traits)
        for condition in _of_run(held, name, known, ages, sight, limits):
            yield condition._replace(level=AlarmLevel.INFO) if ended else condition
    if not sight.snapshot.single:
        disk = held.get((AlarmCode.DISK_FULL, NO_RUN, ""))
        raised = disk.alarm.level if disk is not None and disk.raised else None
        yield from room_condition(sight.snapshot.free_bytes, live, limits, raised)


def _of_run(
    held: Mapping[Key, Held],
    name: RunName,
    known: RunMemory,
    ages: Ages,
    sight: Sight,
    limits: Limits,
) -> Iterator[Condition]:
    """A checkpoint that is looked at alone has no series, and nobody waits for the next."""
    alone = sight.snapshot.single
    wanted = limits._replace(min_good=0) if alone else limits
    yield from run_conditions(known.traits, wanted, known.most_good)
    if not alone:
        slowing = held.get((AlarmCode.SAVES_SLOWING, name, ""))
        already = slowing is not None and slowing.raised
        yield from save_conditions(known.traits, ages, limits, already)


def _ages(known: RunMemory, sight: Sight) -> Ages:
    """What has passed; by this process's own clock where it saw the commit come.

    A step of the wall's clock, or a file server whose clock goes otherwise, then breaks no cadence.
    """
    traits = known.traits
    since_sign = max(0.0, sight.wall - traits.last_sign) if traits.last_sign else None
    since_commit = None
    if known.committed_at is not None:
        since_commit = sight.monotonic - known.committed_at
        since_sign = min(since_commit, since_sign or 0.0)
    elif traits.last_commit is not None:
        since_commit = max(0.0, sight.wall - traits.last_commit)
    began = sight.monotonic - known.flying_since if known.flying else 0.0
    return Ages(since_commit, since_sign, began)
