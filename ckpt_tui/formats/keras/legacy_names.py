"""The lists of names in a whole model's HDF5 file: Keras loads what they name, in that order.

A list that would not fit into an object header is split: `weight_names0`, `weight_names1`.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.hdf5.attributes import attribute_texts

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.contents import Contents

_MODEL, _OPTIMIZER = "model_weights", "optimizer_weights"
_LAYERS, _WEIGHTS = "layer_names", "weight_names"


def absent_weights(contents: Contents) -> str | None:
    """The first thing that a list names and that is not there; None where all is.

    Raises:
        ArtifactError: A list cannot be read.
    """
    top = _MODEL if _MODEL in contents.groups else ""
    groups = [f"{top}/{name}" if top else name for name in _names(contents, top, _LAYERS)]
    for group in groups:
        if group not in contents.groups:
            return f"group {group}"
    if _OPTIMIZER in contents.groups:
        groups.append(_OPTIMIZER)
    wanted = (f"{group}/{name}" for group in groups for name in _names(contents, group, _WEIGHTS))
    return next((f"variable {path}" for path in wanted if path not in contents.datasets), None)


def _names(contents: Contents, group: str, key: str) -> list[str]:
    attributes = contents.groups[group]
    if key in attributes:
        return list(attribute_texts(contents.view, attributes[key]))
    names: list[str] = []
    for number in count():
        part = attributes.get(f"{key}{number}")
        if part is None:
            return names
        names += attribute_texts(contents.view, part)
    return names
