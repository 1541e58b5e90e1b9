"""Moments for tests of alarms: runs that save every ten minutes, and a clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ckpt_tui.core.alarms.look_out import NOTHING_REMEMBERED, look_out
from ckpt_tui.core.alarms.sight import DEFAULT_LIMITS, Sight
from tests.tui.builders import NOW, facts, run_of, snapshot_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.alarms.look_out import Outlook
    from ckpt_tui.core.alarms.values import Alarm, Event
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.runs import Run
    from ckpt_tui.core.snapshot import Snapshot

MINUTE = 60.0


def saves(
    count: int = 6, *, age: float = 0.0, took: Sequence[float] = (), **changes: Any
) -> list[CheckpointFacts]:
    """Checkpoints that were committed every ten minutes, the newest `age` seconds ago."""
    made = []
    for place in range(count):
        seconds = took[place] if took else 100.0
        old = age + (count - 1 - place) * 10 * MINUTE
        each = facts(100 * (place + 1), age=old, took=seconds, **changes)
        made.append(each._replace(save_seconds_is_lower_bound=False))
    return made


def sight(*runs: Run, wall: float = NOW, monotonic: float = 1000.0, **others: Any) -> Sight:
    """A moment at which all was read without trouble."""
    fields = {name: others.pop(name) for name in Sight._fields if name in others}
    return Sight(snapshot_of(*runs, **others), wall, monotonic)._replace(**fields)


def alarms_of(*runs: Run, limits: Any = DEFAULT_LIMITS, **others: Any) -> dict[str, Alarm]:
    """Code → alarm at a first look."""
    outlook = look_out(NOTHING_REMEMBERED, sight(*runs, **others), limits)
    return {alarm.code.value: alarm for alarm in outlook.alarms}


class Watch:
    """A dashboard's alarms over time, without a dashboard."""

    def __init__(self, picture: Snapshot | None = None) -> None:
        self.wall, self.monotonic = NOW, 1000.0
        self.memory = NOTHING_REMEMBERED
        self.log: list[Event] = []
        self.picture = picture or snapshot_of(run_of(saves()))
        self.outlook: Outlook = self.look()

    def look(self, *runs: Run, seconds: float = 0.0, **others: Any) -> Outlook:
        """Another moment: other runs or the same, some seconds later."""
        self.wall += seconds
        self.monotonic += seconds
        fields = {name: others.pop(name) for name in Sight._fields if name in others}
        if runs:
            self.picture = self.picture._replace(runs=runs)
        self.picture = self.picture._replace(**others)
        seen = Sight(self.picture, self.wall, self.monotonic)._replace(**fields)
        self.outlook = look_out(self.memory, seen)
        self.memory = self.outlook.memory
        self.log.extend(self.outlook.events)
        return self.outlook

    @property
    def codes(self) -> list[str]:
        """Codes of the alarms that hold."""
        return [alarm.code.value for alarm in self.outlook.alarms]

    def told(self, *codes: str) -> list[tuple[str, str]]:
        """(kind, code) of what came since the last call, of some codes or all."""
        told = [(event.kind.value, event.code) for event in self.log]
        self.log.clear()
        return [pair for pair in told if not codes or pair[1] in codes]
