"""Whether the files of one save of accelerate belong together, by the counters in them.

Accelerate steps a scheduler with the optimizer: once, or once for each process. A loop may ask for
a pace of its own, so the counters alone are a remark. Accelerate writes weights first, then
optimizers and schedulers, random states last: what lies outside that order in time as well is of
another save.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.accelerate.names import MODEL_FILE, RANDOM_FILE
from ckpt_tui.formats.shared.saves_apart import mixed_saves, steps_differ

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.accelerate.objects import Custom, Objects
    from ckpt_tui.formats.base import CheckpointFiles

_SAME = 1
_PER_EPOCH = 20
_OUT_OF_ORDER_NS = 5_000_000
_WHAT = "the number of steps"
_OTHER_CAUSE = "the loop steps them at a pace of its own"


def files_apart(
    files: CheckpointFiles,
    optimizers: Objects,
    schedulers: Objects,
    custom: Custom,
    processes: int,
) -> tuple[Finding, ...]:
    """Compares the first optimizer with the first scheduler.

    Args:
        files: The checkpoint.
        optimizers: Optimizers that are one file each.
        schedulers: The schedulers.
        custom: The registered objects, for step and epoch.
        processes: Number of random states.
    """
    optimizer, scheduler = optimizers.parts.get(0), schedulers.parts.get(0)
    if not processes or optimizer is None or scheduler is None:
        return ()
    own, paced = optimizer.counts.optimizer, scheduler.counts.scheduler
    if own is None or paced is None:
        return ()
    if any(abs(paced - own * pace) <= _SAME * pace for pace in (1, processes)):
        return ()
    counted = {next(iter(optimizer.marks)): own, next(iter(scheduler.marks)): paced}
    if any(_out_of_order(files, path) for path in counted):
        return (mixed_saves(_WHAT, counted),)
    by_epoch = custom.epoch is not None and abs(custom.epoch - paced) <= _SAME
    if paced * _PER_EPOCH < own or by_epoch or custom.step is None:
        return ()
    fits = min(abs(custom.step.value - own), abs(custom.step.value - paced)) <= _SAME
    return (steps_differ(_WHAT, counted, _OTHER_CAUSE),) if fits else ()


def _out_of_order(files: CheckpointFiles, path: str) -> bool:
    """Whether a file is older than the weights, or younger than the random states."""
    entry = files.tree.get(path)
    weights = [e.mtime_ns for e in files.tree.files() if MODEL_FILE.fullmatch(e.path)]
    states = [e.mtime_ns for e in files.tree.files() if RANDOM_FILE.fullmatch(e.path)]
    if entry is None or not weights or not states:
        return False
    early = min(weights) - entry.mtime_ns > _OUT_OF_ORDER_NS
    return early or entry.mtime_ns - max(states) > _OUT_OF_ORDER_NS
