"""What a TF1 graph (`.meta`) tells that the variables cannot: an optimizer that keeps none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.formats.tensorflow.names import META_ENDING

if TYPE_CHECKING:
    from ckpt_tui.formats.tensorflow.stored import Stored

_PLAIN_DESCENT = b"ApplyGradientDescent"
"""The operation of `GradientDescentOptimizer`, also with `Resource` before it."""


def trains_by_plain_descent(stored: Stored) -> bool:
    """Whether the graph beside a checkpoint is trained by gradient descent without momentum."""
    path = stored.prefix + META_ENDING
    if stored.files.tree.get(path) is None:
        return False
    try:
        with stored.files.open(path) as source:
            end = min(source.size, stored.files.limits.metadata_bytes)
            overlap = len(_PLAIN_DESCENT)
            return any(
                _PLAIN_DESCENT in source.read_at(at, MIB + overlap) for at in range(0, end, MIB)
            )
    except ArtifactError:
        return False
