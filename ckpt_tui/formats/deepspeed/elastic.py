"""Elastic partitions of an optimizer that keeps no count of steps in its parameter groups.

With `elastic_checkpoint: true`, ZeRO 1 and 2 store each group's bare state, and the count of steps
beside it only where the groups have one: DeepSpeed's FusedAdam does, torch's optimizers do not.
Their loader demands it (`_restore_step_from_elastic_checkpoint` in `zero/stage_1_and_2.py`), so
the save goes through without a word, and every load of its optimizer state stops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.deepspeed.names import PartKind
from ckpt_tui.formats.deepspeed.parts import writer_version

if TYPE_CHECKING:
    from ckpt_tui.formats.deepspeed.parts import Part, Parts

_STEP = "base_optimizer_state_step"
_FIRST_THAT_DEMANDS_IT = (0, 12)


def stepless_partitions(parts: Parts) -> tuple[Finding, ...]:
    """Says that no version from the writer's on brings the optimizer back."""
    version = writer_version(parts)
    if version is None or version < _FIRST_THAT_DEMANDS_IT:
        return ()
    stepless = [part.path for part in parts.of_kind(PartKind.OPTIMIZER) if _lacks_step(part)]
    if not stepless:
        return ()
    return (
        Finding(
            "missing-role",
            Severity.ERROR,
            stepless[0],
            f"{stepless[0]} was saved with `elastic_checkpoint: true` and has no `{_STEP}`:"
            " DeepSpeed's loader stops there",
            "Load it with `load_optimizer_states=False`, which begins with a fresh optimizer, and"
            " save with `elastic_checkpoint: false`, or use DeepSpeed's FusedAdam.",
            Effect.INCOMPLETE,
        ),
    )


def _lacks_step(part: Part) -> bool:
    inner = as_mapping(part.value.get("optimizer_state_dict"))
    return isinstance(inner.get("base_optimizer_state"), list) and _STEP not in inner
