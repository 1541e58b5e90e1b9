"""Saves that a run's own cadence says were due, and that are not there."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint

LEAST_SAVES = 3
MOST_MISSING = 3
"""A longer hole inside a series is how old checkpoints are thinned, not how one is lost."""

_NUMBERS = re.compile(r"\d{1,18}")


class _Save(NamedTuple):
    """One attempt: its step or count of saves, and the digits in its name that count it."""

    number: int
    label: str


class _Series(NamedTuple):
    """The saves of a run.

    Attributes:
        unit: "step" or "save": what the numbers count.
        saved: Committed ones, rising.
        tried: All attempts, committed or not, rising.
        interval: The usual distance of two committed ones.
        reached: Highest number that anything shows the job to have reached.
    """

    unit: str
    saved: tuple[_Save, ...]
    tried: tuple[_Save, ...]
    interval: int
    reached: int

    def has(self, number: int) -> bool:
        """Whether that one was committed."""
        return any(save.number == number for save in self.saved)


def gap_findings(
    checkpoints: Sequence[Checkpoint], run_path: str, disordered: bool = False
) -> tuple[Finding, ...]:
    """A finding where a save is missing inside the series, at its end, or at a power of ten.

    What was thinned on purpose, or kept for its score, has no cadence and is no gap.

    Args:
        checkpoints: All of the run.
        run_path: The run's directory.
        disordered: Whether times and steps disagree: a clean-up by time then takes the wrong one.
    """
    own = [c for c in checkpoints if not c.facts.alias]
    series = _series(own, "step") or _series(own, "save")
    if series is None:
        return ()
    for low, high in pairwise(series.tried):
        found = _hole(series, low, high, run_path)
        if found:
            return found
    return _at_the_end(series, run_path, disordered)


def _series(own: Sequence[Checkpoint], unit: str) -> _Series | None:
    numbers = {c.path: c.step if unit == "step" else c.facts.ordinal for c in own}
    saved = _saves([c for c in own if c.counts_as_commit], numbers)
    if len(saved) < LEAST_SAVES:
        return None
    gaps = Counter(b.number - a.number for a, b in pairwise(saved))
    interval, count = max(gaps.items(), key=lambda item: (item[1], -item[0]))
    # Of three, a sort by text leaves two neighbours below a power of ten and one above.
    if count < 2 and (len(saved) > LEAST_SAVES or not _next_if_longer(*saved[:2])):
        return None
    return _Series(
        unit,
        saved,
        _saves([c for c in own if not c.facts.export], numbers),
        interval if count >= 2 else saved[1].number - saved[0].number,
        max(number for number in numbers.values() if number is not None),
    )


def _saves(checkpoints: Sequence[Checkpoint], numbers: dict[str, int | None]) -> tuple[_Save, ...]:
    found = {}
    for checkpoint in checkpoints:
        number = numbers[checkpoint.path]
        if number is not None:
            found[number] = _Save(number, _label(checkpoint.facts.name, number))
    return tuple(found[number] for number in sorted(found))


def _label(name: str, number: int) -> str:
    """The digits that count the checkpoint; a name may hold others, such as a loss."""
    digits = _NUMBERS.findall(name)
    counts = len(digits) == 1 or (bool(digits) and int(digits[-1]) == number)
    return digits[-1] if counts else ""


def _next_if_longer(before: _Save, last: _Save) -> int | None:
    """The next number in the names, where it has one digit more: as text it comes first.

    Numbers with leading zeros have equal lengths, and sort the same in both orders.
    """
    labels = (before.label, last.label)
    if not all(labels) or any(label[0] == "0" and len(label) > 1 for label in labels):
        return None
    following = 2 * int(last.label) - int(before.label)
    longer = following > int(last.label) and len(str(following)) > len(last.label)
    return following if longer else None


def _hole(series: _Series, low: _Save, high: _Save, run_path: str) -> tuple[Finding, ...]:
    """A finding for two attempts with a multiple of the interval between them."""
    count, rest = divmod(high.number - low.number, series.interval)
    before = low.number - series.interval
    if rest or count < 2 or not (series.has(before) and series.has(low.number)):
        return ()
    first, last = low.number + series.interval, high.number - series.interval
    unit, every = series.unit, plural(series.interval, series.unit)
    around = f"between {low.number} and {high.number}, in a series of every {every}"
    what = f"{unit}s {first}–{last} are absent {around}"
    if count == 2:
        what = f"{unit} {first} is absent {around}"
    longer = _next_if_longer(next(s for s in series.saved if s.number == before), low)
    if longer is not None:
        message = f"{what}; {_text_sort(longer)}"
        return (_gap(Severity.WARNING, run_path, message, _LOOK_AT_SORT),)
    if count - 1 > MOST_MISSING or not _is_only_gap(series, high):
        return ()
    cause = "lost, removed by hand, or kept by another rule than its number"
    return (_gap(Severity.INFO, run_path, f"{what}: {cause}", _LOOK_AT_REMOVAL),)


def _is_only_gap(series: _Series, high: _Save) -> bool:
    gaps = [b.number - a.number for a, b in pairwise(series.saved)]
    return series.has(high.number + series.interval) and (
        gaps.count(series.interval) == len(gaps) - 1
    )


def _at_the_end(series: _Series, run_path: str, disordered: bool) -> tuple[Finding, ...]:
    before, last = series.saved[-2:]
    interval = series.interval
    regular = last.number - before.number == interval and series.has(before.number - interval)
    if not regular or series.tried[-1].number > last.number:
        return ()
    due, unit = last.number + interval, series.unit
    what = f"every {plural(interval, unit)} a checkpoint was saved, up to {last.number}"
    longer = _next_if_longer(before, last)
    trap = () if longer is None else (_text_sort(longer),)
    remedy = _LOOK_AT_SORT if trap else _LOOK_AT_REMOVAL
    if series.reached > due:
        absent = f"{unit} {due} is absent, though the job reached {series.reached}"
        return (_gap(Severity.WARNING, run_path, "; ".join((what, absent, *trap)), remedy),)
    if disordered and len(_gaps(series)) == 1:
        absent = f"{unit} {due} is not here"
        message = "; ".join((what, absent, *trap, _BY_TIME))
        return (_gap(Severity.INFO, run_path, message, _LOOK_AT_REMOVAL),)
    if trap:
        message = "; ".join((what, f"{unit} {due} is next", *trap))
        return (_gap(Severity.INFO, run_path, message, remedy),)
    return ()


def _gaps(series: _Series) -> set[int]:
    return {b.number - a.number for a, b in pairwise(series.saved)}


def _text_sort(number: int) -> str:
    return f"a clean-up that sorts names as text takes {number} for the oldest"


_BY_TIME = "where times do not follow the numbers, a clean-up by time removes the wrong one"
_LOOK_AT_SORT = (
    "Make sure that whatever removes old checkpoints compares numbers; until then raise its limit."
)
_LOOK_AT_REMOVAL = (
    "Look at what removes old checkpoints (by time? by name?), and into the job's log for saves"
    " that failed."
)


def _gap(severity: Severity, path: str, message: str, remedy: str) -> Finding:
    return Finding("cadence-gap", severity, path, message, remedy)
