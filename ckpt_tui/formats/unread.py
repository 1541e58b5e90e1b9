"""Formats known by name but not read: silence about them would say "no checkpoint yet"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKS = (
    ("_CHECKPOINT_METADATA", "Orbax"),
    (".orbax-checkpoint-tmp", "Orbax"),
    ("manifest.ocdbt", "Orbax"),
    (".data-00000-of-", "TensorFlow"),
    (".weights.h5", "Keras"),
    (".keras", "Keras"),
    (".pdparams", "Paddle"),
    (".pdopt", "Paddle"),
    ("0.metadata", "Paddle"),
    (".msgpack", "msgpack"),
    (".npz", "NumPy"),
    (".gguf", "GGUF"),
)


def unread_format(names: Iterable[str]) -> str:
    """Name of a format that these names in a directory are of and that is not read; else ""."""
    text = "\n".join(names)
    return next((label for mark, label in _MARKS if mark in text), "")
