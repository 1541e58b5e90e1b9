"""What an operator gives a plan: values with units, their defaults, and reading them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ckpt_tui.planner import units
from ckpt_tui.planner.asynchronous import AsyncSave
from ckpt_tui.planner.fields import FIELDS, FieldError
from ckpt_tui.planner.modes import PlanMode

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_FAILURES_PER_HOUR = 1e-12


class PlanInputs(NamedTuple):
    """The inputs of a plan; the defaults are the lesson's.

    Shares (`slowdown`, `level1_coverage`) run from 0 to 1. `save_minutes` is the stall of a
    synchronous save or of a level-2 save, and `reload_minutes` and `down_minutes` go with it.
    Down time is detection and requeue, in which nothing can fail; a reload can fail.
    None means not given; for `level2_every_saves`, the best.
    """

    run_minutes: float = 1440
    fault_rate_per_hour: float = 0.02
    save_minutes: float = 2
    reload_minutes: float = 8
    down_minutes: float = 0
    intervals_minutes: tuple[float, ...] = (15, 30, 60, 120)
    mode: PlanMode = PlanMode.SYNC
    snapshot_minutes: float = 0.1
    persist_minutes: float = 5
    slowdown: float = 0.05
    level1_save_minutes: float = 0.1
    level1_reload_minutes: float = 1
    level1_down_minutes: float = 1
    level1_coverage: float = 0.75
    level2_every_saves: int | None = None
    weibull_shape: float | None = None
    step_seconds: float | None = None
    current_interval_minutes: float | None = None
    gpus: int | None = None
    gpu_hour_price: float | None = None
    checkpoint_bytes: int | None = None

    @property
    def mtbf_minutes(self) -> float:
        """Mean time between failures of the job, in minutes.

        Infinite for a rate of 0; one failure in a hundred million years counts as none.
        """
        rate = self.fault_rate_per_hour
        return 60 / rate if rate > _NO_FAILURES_PER_HOUR else math.inf

    @property
    def async_save(self) -> AsyncSave:
        """The asynchronous save that the inputs describe; used in its mode only."""
        return AsyncSave(self.snapshot_minutes, self.persist_minutes, self.slowdown)

    @property
    def stall_minutes(self) -> float:
        """Training time that the mode's most frequent save costs, in minutes."""
        if self.mode is PlanMode.ASYNC:
            return self.async_save.stall_minutes
        if self.mode is PlanMode.TWO_LEVEL:
            return self.level1_save_minutes
        return self.save_minutes

    @property
    def exponential(self) -> bool:
        """Whether failures follow the exponential law (a Weibull shape of 1 is that law)."""
        return self.weibull_shape is None or self.weibull_shape == 1


class ParsedInputs(NamedTuple):
    """The inputs that texts gave, or None and the fields that were rejected."""

    inputs: PlanInputs | None
    errors: tuple[FieldError, ...]


class PlanInputsError(ValueError):
    """Inputs that no plan can be made of; `errors` has one sentence per field."""

    def __init__(self, errors: tuple[FieldError, ...]) -> None:
        super().__init__("; ".join(error.message for error in errors))
        self.errors = errors


def parse_inputs(texts: Mapping[str, str], base: PlanInputs | None = None) -> ParsedInputs:
    """Reads typed texts, field by field, over the values of `base` (the defaults).

    An empty text of an optional field means not given.

    Args:
        texts: Text by field name of `PlanInputs`.
        base: Values of the fields that are not among the texts.

    Returns:
        The inputs, or None with every field's error, so that a panel can keep its last plan.

    Raises:
        ValueError: If a key is no field name.
    """
    start = base or PlanInputs()
    values: dict[str, Any] = {}
    errors: list[FieldError] = []
    for field in sorted(texts, key=_READING_ORDER.index):
        step_seconds = values.get("step_seconds", start.step_seconds)
        try:
            values[field] = _read(field, texts[field], step_seconds)
        except ValueError:
            errors.append(FIELDS[field].error(field))
    inputs = start._replace(**values)
    named = {error.field for error in errors}
    errors += [error for error in validate_inputs(inputs) if error.field not in named]
    return ParsedInputs(None if errors else inputs, tuple(errors))


def validate_inputs(inputs: PlanInputs) -> tuple[FieldError, ...]:
    """Checks kind and range of every field; empty where a plan can be made."""
    errors = [
        spec.error(field)
        for field, spec in FIELDS.items()
        if not spec.allows(getattr(inputs, field))
        and not (spec.optional and getattr(inputs, field) is None)
    ]
    if not errors and inputs.mode is PlanMode.TWO_LEVEL and not inputs.exponential:
        message = "`Weibull shape`: need nothing with two levels, which are exponential only"
        errors.append(FieldError("weibull_shape", message))
    return tuple(errors)


def require_valid(inputs: PlanInputs) -> None:
    """Raises `PlanInputsError` unless a plan can be made of the inputs."""
    errors = validate_inputs(inputs)
    if errors:
        raise PlanInputsError(errors)


# The step time first: intervals may be given in steps.
_READING_ORDER = ("step_seconds", *(field for field in FIELDS if field != "step_seconds"))


def _read(field: str, text: str, step_seconds: object) -> object:
    spec = FIELDS[field]
    if spec.optional and not text.strip():
        return None
    if field not in {"intervals_minutes", "current_interval_minutes"}:
        return spec.read(text)
    seconds = step_seconds if isinstance(step_seconds, float) else None
    intervals = units.parse_intervals(text, seconds)
    if field == "intervals_minutes":
        return intervals
    if len(intervals) != 1:
        raise ValueError(f"not one interval: {text!r}")
    return intervals[0]
