"""What a TF1 graph (`.meta`) tells that the variables cannot: an optimizer that keeps none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.formats.tensorflow.names import META_ENDING

if TYPE_CHECKING:
    from ckpt_tui.formats.tensorflow.stored import Stored

_UPDATE = re.compile(rb"Apply([A-Z][A-Za-z]{1,60})")
"""The operation by which an optimizer changes a variable, also with `Resource` before it."""
_LONGEST = 80
_PLAIN_DESCENT = b"GradientDescent"


def trains_by_plain_descent(stored: Stored) -> bool:
    """Whether the graph beside a checkpoint is trained by gradient descent without momentum alone.

    Another optimizer in the same graph has variables, which the checkpoint may lack.
    """
    path = stored.prefix + META_ENDING
    if stored.files.tree.get(path) is None:
        return False
    try:
        with stored.files.open(path) as source:
            end = min(source.size, stored.files.limits.metadata_bytes)
            updates = {
                update[1]
                for at in range(0, end, MIB)
                for update in _UPDATE.finditer(source.read_at(at, MIB + _LONGEST))
                if update.start() < MIB  # what begins later is whole in the next piece only
            }
    except ArtifactError:
        return False
    return updates == {_PLAIN_DESCENT}
