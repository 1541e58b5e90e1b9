"""Whether the torch files of one checkpoint are of one save: ranks against ranks, role by role."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.shared.saves_apart import (
    left_of_earlier_save,
    mixed_saves,
    steps_differ,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.shared.archive_roles import ArchiveContent
    from ckpt_tui.formats.shared.beside import Beside
    from ckpt_tui.formats.torch_file.rank_parts import RankParts

_RANDOM_STATES = "random_states_"
_WEIGHTS = ("model", "pytorch_model")
_SAME = 1
_PER_EPOCH = 20
_OUT_OF_ORDER_NS = 5_000_000
_OTHER_CAUSE = "the loop steps them at a pace of its own"


class _Counted(NamedTuple):
    """A file and the steps that it counts."""

    path: str
    steps: int


def parts_apart(files: CheckpointFiles, parts: RankParts, beside: Beside) -> list[Finding]:
    """Parts of several saves in one checkpoint, as their own counters show."""
    found = []
    for family, paths in parts.families.items():
        read = {path: beside.contents[path] for path in paths if path in beside.contents}
        for what, number_of in _KINDS:
            counted = {p: n for p, content in read.items() if (n := number_of(content)) is not None}
            if len(set(counted.values())) > 1:
                found.append(mixed_saves(f"the {what} in parts of {family}", counted))
        entries = [entry for path in paths if (entry := files.tree.get(path)) is not None]
        found += left_of_earlier_save(entries)
    return found or _accelerate_apart(files, beside)


def _step(content: ArchiveContent) -> int | None:
    return content.step.value if content.step is not None else None


def _optimizer(content: ArchiveContent) -> int | None:
    return content.counts.optimizer


def _scheduler(content: ArchiveContent) -> int | None:
    return content.counts.scheduler


_KINDS: tuple[tuple[str, Callable[[ArchiveContent], int | None]], ...] = (
    ("step", _step),
    ("optimizer's step", _optimizer),
    ("scheduler's step", _scheduler),
)


def _accelerate_apart(files: CheckpointFiles, beside: Beside) -> list[Finding]:
    """Accelerate steps a scheduler with the optimizer: once, or once for each process.

    A loop may ask for a pace of its own, so the counters alone are a remark. Accelerate writes
    weights first, then optimizers and schedulers, random states last: what lies outside that
    order in time as well is of another save.
    """
    processes = sum(path.startswith(_RANDOM_STATES) for path in beside.contents)
    optimizer, scheduler = _first(beside, _optimizer), _first(beside, _scheduler)
    if not processes or optimizer is None or scheduler is None:
        return []
    own, paced = optimizer.steps, scheduler.steps
    if any(abs(paced - own * pace) <= _SAME * pace for pace in (1, processes)):
        return []
    counted = {optimizer.path: own, scheduler.path: paced}
    what = "the number of steps"
    if any(_out_of_order(files, path) for path in counted):
        return [mixed_saves(what, counted)]
    if paced * _PER_EPOCH < own or _is_epoch(beside, paced):
        return []
    step = beside.step.value if beside.step is not None else None
    fits = step is not None and min(abs(step - own), abs(step - paced)) <= _SAME
    return [steps_differ(what, counted, _OTHER_CAUSE)] if fits else []


def _first(beside: Beside, number_of: Callable[[ArchiveContent], int | None]) -> _Counted | None:
    for path, content in beside.contents.items():
        number = number_of(content)
        if number is not None:
            return _Counted(path, number)
    return None


def _is_epoch(beside: Beside, number: int) -> bool:
    return beside.epoch is not None and abs(beside.epoch - number) <= _SAME


def _out_of_order(files: CheckpointFiles, path: str) -> bool:
    """Whether a file is older than the weights, or younger than the random states."""
    entry = files.tree.get(path)
    weights = [e.mtime_ns for e in files.tree.files() if e.path.startswith(_WEIGHTS)]
    states = [e.mtime_ns for e in files.tree.files() if e.path.startswith(_RANDOM_STATES)]
    if entry is None or not weights or not states:
        return False
    early = min(weights) - entry.mtime_ns > _OUT_OF_ORDER_NS
    return early or entry.mtime_ns - max(states) > _OUT_OF_ORDER_NS
