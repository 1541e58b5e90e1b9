"""How often optimizer and scheduler have stepped, as their states in a torch archive count it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.formats.shared.archive_step import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MOST_PARAMETERS = 64
_OPTIMIZER_KEYS = frozenset({"state", "param_groups"})
_SCHEDULER_KEYS = ("scheduler", "lr_scheduler")
_PLATEAU_KEY = "num_bad_epochs"


class Counts(NamedTuple):
    """Steps by the counters of the states; None where a file holds no such counter.

    Attributes:
        optimizer: The highest step of any parameter: one that was frozen for a time lags behind.
        scheduler: `last_epoch`, which counts the scheduler's own steps.
    """

    optimizer: int | None = None
    scheduler: int | None = None


def counts_of(value: object, number_of: Callable[[object], int | None]) -> Counts:
    """The counters of a file that is the state of an optimizer or scheduler, or wraps the latter.

    Args:
        value: An inert top-level value.
        number_of: Turns what a key holds into a number; a tensor's bytes may have to be read.
    """
    top = as_mapping(value)
    optimizer = highest_step(top, number_of) if set(top) >= _OPTIMIZER_KEYS else None
    holders = (top, *(as_mapping(top.get(key)) for key in _SCHEDULER_KEYS))
    counted = (_last_epoch(holder) for holder in holders)
    return Counts(optimizer, next((number for number in counted if number is not None), None))


def highest_step(
    optimizer: Mapping[object, object], number_of: Callable[[object], int | None]
) -> int | None:
    """The highest `step` in an optimizer's state or, where it is fused, in its groups."""
    groups = optimizer.get("param_groups")
    listed = groups if isinstance(groups, list) else []
    states = _spread(list(as_mapping(optimizer.get("state")).values()))
    holders = [as_mapping(one) for one in (*states, *listed[:_MOST_PARAMETERS])]
    numbers = (number_of(holder.get("step")) for holder in holders)
    return max((number for number in numbers if number is not None), default=None)


def _spread(states: list[object]) -> list[object]:
    """At most so many, from all over the list."""
    return states[:: -(-len(states) // _MOST_PARAMETERS) or 1]


def _last_epoch(scheduler: Mapping[object, object]) -> int | None:
    """None for a schedule that waits for a plateau: it counts evaluations."""
    return None if _PLATEAU_KEY in scheduler else whole_number(scheduler.get("last_epoch"))
