"""What Lightning's Trainer takes from its part of a checkpoint: step, epoch, schedulers.

The part is the whole of a `.ckpt` file, `meta.pt` of the directory form, or the client state that
DeepSpeed keeps in its model file. The step that a resume goes on from is counted in `loops`; the
key `global_step` is only a copy, which the loader does not read since version 1.6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ckpt_tui.artifacts.inert import Instance, as_mapping
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import PROGRESS, Effect, Severity
from ckpt_tui.formats.shared.archive_step import whole_number

VERSION_KEY = "pytorch-lightning_version"

_LOOPS_SINCE = (1, 6)
_COUNTERS = (
    "epoch_loop.automatic_optimization.optim_progress",
    "epoch_loop.manual_optimization.optim_step_progress",
    "epoch_loop.batch_loop.optimizer_loop.optim_progress",
    "epoch_loop.batch_loop.manual_loop.optim_step_progress",
)
_SCHEDULERS = "lr_schedulers"
_OPTIMIZERS = "optimizer_states"
_PLAIN_MODULES = ("torch", "collections", "builtins")
_MOST_VALUES = 20_000


class TrainerState(NamedTuple):
    """The Trainer's own state.

    Attributes:
        step: The step that a resume goes on from, or that the file only names.
        key: The top-level key that holds it, or the way to it.
        epoch: By the key `epoch`.
        role: The progress; None where the loader cannot restore the step.
        findings: What the loader stops at, and counters that disagree.
        needs_trust: It names classes that `torch.load` refuses without `weights_only=False`.
    """

    step: int | None
    key: str
    epoch: int | None
    role: RoleFacts | None
    findings: tuple[Finding, ...]
    needs_trust: bool = False


def is_trainer_state(value: object) -> bool:
    """Whether a top-level value is of Lightning's Trainer."""
    return isinstance(value, Mapping) and VERSION_KEY in value


def read_trainer_state(value: object, path: str, *, optimizers_apart: bool) -> TrainerState:
    """Reads the state from an inert top-level value.

    Args:
        value: What the file holds.
        path: Its relative path, for the evidence.
        optimizers_apart: The optimizers' states are kept elsewhere, as sharded strategies do.
    """
    top = as_mapping(value)
    found = _step_of_loops(top)
    claimed = whole_number(top.get("global_step"))
    counted = found is not None
    if found is None and claimed is not None:
        found = (claimed, "global_step")
    step, key = found if found is not None else (None, "")
    role = None
    if step is not None and (counted or _version(top) < _LOOPS_SINCE):
        role = RoleFacts(PROGRESS, None, 1, f"key `{key}` in {path}", paths=(path,))
    return TrainerState(
        step,
        key,
        whole_number(top.get("epoch")),
        role,
        (*_differs(step, claimed, path), *_no_schedulers(top, path, optimizers_apart)),
        _needs_trust(top),
    )


def _step_of_loops(top: Mapping[object, object]) -> tuple[int, str] | None:
    """Steps of automatic or of manual optimization: the job uses one of them."""
    fit_loop = as_mapping(as_mapping(top.get("loops")).get("fit_loop"))
    counted: list[tuple[int, str]] = []
    for name in _COUNTERS:
        progress = as_mapping(fit_loop.get(name))
        inner = as_mapping(as_mapping(progress.get("optimizer")).get("step")) or progress
        number = whole_number(as_mapping(inner.get("total")).get("completed"))
        if number is not None:
            counted.append((number, "loops.fit_loop"))
    return max(counted, key=lambda pair: pair[0], default=None)


def _version(top: Mapping[object, object]) -> tuple[int, int]:
    """Major and minor version; an unreadable one counts as new."""
    found = re.match(r"(\d{1,4})\.(\d{1,4})", str(top.get(VERSION_KEY))[:40])
    return (int(found[1]), int(found[2])) if found else (99, 0)


def _differs(step: int | None, claimed: int | None, path: str) -> tuple[Finding, ...]:
    if step is None or claimed is None or step == claimed:
        return ()
    return (
        Finding(
            "step-mismatch",
            Severity.WARNING,
            path,
            f"`global_step` in {path} says {claimed}, the loops' counter {step}: Lightning goes on"
            " from the latter",
            "Find out what changed the one or the other.",
        ),
    )


def _no_schedulers(
    top: Mapping[object, object], path: str, optimizers_apart: bool
) -> tuple[Finding, ...]:
    """Lightning demands the list, even an empty one, of all but a checkpoint of weights alone."""
    if _SCHEDULERS in top or not (optimizers_apart or _OPTIMIZERS in top):
        return ()
    return (
        Finding(
            "missing-role",
            Severity.ERROR,
            path,
            f"{path} has no key `{_SCHEDULERS}`: Lightning stops there",
            "Resume from another checkpoint; its weights can be loaded without the Trainer.",
            Effect.INCOMPLETE,
        ),
    )


def _needs_trust(top: Mapping[object, object]) -> bool:
    pending: list[object] = [top]
    entered: set[int] = set()
    for _ in range(_MOST_VALUES):
        if not pending:
            return False
        value = pending.pop()
        if isinstance(value, Instance):
            if value.module.partition(".")[0] not in _PLAIN_MODULES:
                return True
            pending += value.attributes.values()
        elif isinstance(value, dict | list | tuple) and id(value) not in entered:
            entered.add(id(value))
            pending += value.values() if isinstance(value, dict) else value
    return False
