"""Names that `flax.training.checkpoints` gives: a prefix and a step, or a prefix and `tmp`."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_PREFIX = r"[^.]*?(?<![\d.+-])|[^.].*_"  # with a dot in it where "_" ends it: "lr0.001_"
_NAME = re.compile(rf"(?P<prefix>{_PREFIX})(?:(?P<step>{_NUMBER})|tmp)")
_STEP = re.compile(_NUMBER)
_LARGEST = 2**62

ARRAYS_ENDING = "_gda"
"""Of the directory beside a file, where arrays that no process holds whole are kept."""


class FlaxName(NamedTuple):
    """What a name says.

    Attributes:
        prefix: "checkpoint_" unless the job asked for another.
        step: As written; "" for a temporary name.
    """

    prefix: str
    step: str

    @property
    def staged(self) -> bool:
        """Whether it is the name that a save is written under before its rename."""
        return not self.step

    @property
    def number(self) -> int | None:
        """The step, where it is a whole number: it may be any measure, or no number."""
        if len(self.step) > 30 or not _STEP.fullmatch(self.step):
            return None
        value = float(self.step)
        return int(value) if 0 <= value < _LARGEST and value == int(value) else None


def flax_name(name: str) -> FlaxName | None:
    """Reads `checkpoint_300`, `ckpt_0.25`, `checkpoint_tmp`; None for any other name."""
    found = _NAME.fullmatch(name)
    return FlaxName(found["prefix"], found["step"] or "") if found is not None else None
