"""Steps that published trainers keep where no plain key names them.

Composer: `state.timestamp` counts batches, under the name of its class in recent versions
(`composer/core/state.py`, `composer/core/time.py`). fairseq and metaseq: the last entry of
`optimizer_history` has `num_updates` (`fairseq/checkpoint_utils.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.archive_step import FoundStep, whole_number

if TYPE_CHECKING:
    from ckpt_tui.formats.shared.archive_roles import ArchiveContent


def step_of(content: ArchiveContent) -> FoundStep | None:
    """The training iteration that one archive holds."""
    if content.step is not None:
        return content.step
    if not isinstance(content.value, Mapping):
        return None
    return _composer(content.value) or _fairseq(content.value)


def _composer(top: Mapping[object, object]) -> FoundStep | None:
    state = top.get("state")
    timestamp = state.get("timestamp") if isinstance(state, Mapping) else None
    if not isinstance(timestamp, Mapping):
        return None
    for prefix, level in (("Timestamp.", timestamp.get("Timestamp")), ("", timestamp)):
        number = whole_number(level.get("batch")) if isinstance(level, Mapping) else None
        if number is not None:
            return FoundStep(number, f"state.timestamp.{prefix}batch")
    return None


def _fairseq(top: Mapping[object, object]) -> FoundStep | None:
    history = top.get("optimizer_history")
    last = history[-1] if isinstance(history, list) and history else None
    number = whole_number(last.get("num_updates")) if isinstance(last, Mapping) else None
    return FoundStep(number, "optimizer_history[-1].num_updates") if number is not None else None
