"""Whether optimizer, scheduler and `trainer_state.json` of the Trainer are of one save.

The Trainer steps the scheduler once with each step of the optimizer, and counts both steps in
`global_step`; accumulated gradients change none of it. A step that overflow skips counts in
`global_step` only. A resume that lost both states sets both back, but not `global_step`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Severity
from ckpt_tui.formats.hf_trainer.trainer_state import TRAINER_STATE
from ckpt_tui.formats.shared.saves_apart import mixed_saves, steps_differ

if TYPE_CHECKING:
    from ckpt_tui.formats.deepspeed.content import DeepSpeedContent
    from ckpt_tui.formats.hf_trainer.trainer_state import TrainerState
    from ckpt_tui.formats.shared.state_file import StatePart

_WHAT = "the number of steps"
_OTHER_CAUSE = "steps were skipped, or the run once went on with fresh states"
_FAR = 0.8
_SAME = 1


def files_apart(
    state: TrainerState, optimizer: StatePart, scheduler: StatePart, processes: int
) -> tuple[Finding, ...]:
    """Compares the three counters, as far as they are known.

    The scheduler's alone proves nothing: only what also fits neither the optimizer nor the
    Trainer is of another save.

    Args:
        state: `trainer_state.json`.
        optimizer: The optimizer's file.
        scheduler: The scheduler's file.
        processes: Number of processes; some versions step the scheduler once for each.
    """
    step, own = state.step, optimizer.counts.optimizer
    if step is None or own is None or optimizer.role is None:
        return ()
    paced = _paced(state, scheduler, own, processes)
    counted = {TRAINER_STATE: step, optimizer.role.paths[0]: own}
    if paced is not None and scheduler.role is not None:
        counted[scheduler.role.paths[0]] = paced
    fits = _near(own, step), paced is None or _near(paced, step)
    if all(fits):
        return ()
    strange = [n for n in (own, own if paced is None else paced) if not _near(n, step)]
    far = max(strange) > step + _SAME or min(strange) < _FAR * step
    one_of_two = paced is not None and any(fits)
    if (one_of_two and far) or own > step + _SAME:
        return (mixed_saves(_WHAT, counted),)
    return (steps_differ(_WHAT, counted, _OTHER_CAUSE),) if one_of_two or far else ()


def deepspeed_apart(state: TrainerState, content: DeepSpeedContent | None) -> tuple[Finding, ...]:
    """The step of `trainer_state.json` against that of DeepSpeed's part, where there is one."""
    if content is None or state.step is None or content.step in (None, state.step):
        return ()
    return (
        Finding(
            "step-mismatch",
            Severity.WARNING,
            TRAINER_STATE,
            f"{TRAINER_STATE} says step {state.step}, DeepSpeed's model file {content.step}",
            "Find out whether the DeepSpeed part is of another save.",
        ),
    )


def _paced(state: TrainerState, scheduler: StatePart, own: int, processes: int) -> int | None:
    """The scheduler's count in steps of the optimizer; None where it counts something else."""
    number = scheduler.counts.scheduler
    if number is None or (state.epoch is not None and abs(number - state.epoch) <= _SAME):
        return None
    once = number // max(1, processes)
    return once if _near(once, own) or _near(once, state.step or own) else number


def _near(number: int, other: int) -> bool:
    return abs(number - other) <= _SAME
