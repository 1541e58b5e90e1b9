"""Formats known by name but not read: silence about them would say "no checkpoint yet"."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.names import has_number

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKS = (
    ("-symbol.json", "MXNet"),
    (".solverstate", "Caffe"),
    (".caffemodel", "Caffe"),
    ("streaming_train_state", "EasyLM"),
    ("streaming_params", "EasyLM"),
    (".eqx", "Equinox"),
    (".bv-LAST", "Big Vision"),
)
_OF_LEVANTER = frozenset({"metadata.json", "model"})
_BESIDE_LEVANTER = frozenset({"opt_state", "optimizer_state", "training_key"})
_OF_STORE = frozenset({"manifest.ocdbt", "d"})
_OF_ORBAX = frozenset({"_METADATA", "array_metadatas"})
_PART_OF_ORBAX = "ocdbt.process_"
_T5X = "checkpoint"
_OF_T5X = ("target.", "state.param_states.")
_TF1 = re.compile(r"^(.+-\d+)\.meta$", re.MULTILINE)


def unread_format(names: Iterable[str]) -> str:
    """Name of a format that these names in a directory are of and that is not read; else ""."""
    all_names = tuple(names)
    text = "\n".join(all_names)
    label = next((label for mark, label in _MARKS if mark in text), "")
    if label:
        return label
    if is_t5x(all_names):
        return "T5X"
    there = frozenset(all_names)
    if there >= _OF_LEVANTER and there & _BESIDE_LEVANTER:
        return "Levanter"
    if any(prefix in there for prefix in _TF1.findall(text)):
        return "TensorFlow V1"
    if there >= _OF_STORE and not there & _OF_ORBAX and not all_names[0].startswith(_PART_OF_ORBAX):
        return "TensorStore"
    return ""


def is_t5x(names: Iterable[str]) -> bool:
    """Whether a directory with these names is a checkpoint of T5X before it used Orbax.

    Its file `checkpoint` is a tree in msgpack that refers to one directory for each large array
    (`t5x/checkpoints.py`).
    """
    there = tuple(names)
    return _T5X in there and any(name.startswith(_OF_T5X) for name in there)


def unread_problems(unread: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """(absolute path, reason) of what is not read; all steps of a run are told once.

    Args:
        unread: (absolute path, name of the format) of each directory.
    """
    told: dict[tuple[str, str], None] = {}
    for path, label in unread:
        run = os.path.dirname(path) if has_number(os.path.basename(path)) else path
        told[run, f"looks like {label} checkpoints, which this version does not read"] = None
    return tuple(told)
