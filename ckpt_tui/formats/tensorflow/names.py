"""Names of TensorFlow's files: what belongs to which prefix, and the number that a prefix carries.

A checkpoint has no name of its own but a prefix: `ckpt-3` is `ckpt-3.index` and one data file or
more, `ckpt-3.data-00000-of-00001`. While it is written, its parts lie in `ckpt-3_temp`
(`python/checkpoint/functional_saver.py` of TensorFlow 2.21); TF1's Saver adds an ID to that name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ckpt_tui.artifacts.tensor_bundle import INDEX_ENDING
from ckpt_tui.formats.shared.names import epoch_of_name
from ckpt_tui.formats.shared.series import series_step

STATE_FILE = "checkpoint"
"""The text that names the latest checkpoint of a directory."""

SAVED_MODEL_FILES = ("saved_model.pb", "saved_model.pbtxt")
VARIABLES = "variables"
"""Directory of a SavedModel, and the prefix of the bundle in it."""

META_ENDING = ".meta"
"""TF1's graph, written after the tensors; no loader of tensors opens it."""

_DATA = re.compile(r"(?P<prefix>.+)\.data-(?P<shard>\d{5,6})-of-(?P<shards>\d{5,6})")
_TEMPORARY = re.compile(r"(?P<prefix>.+)_temp(?:_[0-9a-f]{32})?")
_PART = re.compile(
    r"part-(?P<part>\d{5,6})-of-(?P<parts>\d{5,6})"
    r"\.(?P<what>index|data-\d{5,6}-of-\d{5,6})(?P<open>\.tempstate\d+)?"
)
_NUMBER = re.compile(r"-(\d{1,18})(?:\.ckpt)?$")


class DataName(NamedTuple):
    """Name of a data file, read: its prefix, its number and how many there are."""

    prefix: str
    shard: int
    shards: int


class PartName(NamedTuple):
    """Name of a file in a temporary directory, read.

    Attributes:
        part: Number of the writer.
        parts: How many writers there are.
        is_index: Else it holds data.
        is_open: It has not been closed: `.tempstate…` is renamed away after that.
    """

    part: int
    parts: int
    is_index: bool
    is_open: bool


def data_name(name: str) -> DataName | None:
    """Reads the name of a data file; None for any other file."""
    found = _DATA.fullmatch(name)
    return DataName(found["prefix"], int(found["shard"]), int(found["shards"])) if found else None


def index_prefix(name: str) -> str | None:
    """The prefix of an index file's name; None for any other file."""
    prefix = name.removesuffix(INDEX_ENDING)
    return prefix if prefix not in (name, "") else None


def temporary_prefix(name: str) -> str | None:
    """The prefix whose parts a directory of that name would hold; None for other directories."""
    found = _TEMPORARY.fullmatch(name)
    return found["prefix"] if found else None


def part_name(name: str) -> PartName | None:
    """Reads the name of a file in a temporary directory; None for a file that is no such part."""
    found = _PART.fullmatch(name)
    if found is None:
        return None
    is_index = found["what"] == "index"
    return PartName(int(found["part"]), int(found["parts"]), is_index, found["open"] is not None)


def number_of(prefix: str) -> int | None:
    """The number at a prefix's end: a count of saves or a step, `ckpt-3` or `model.ckpt-1000`."""
    found = _NUMBER.search(prefix) if epoch_of_name(prefix) is None else None
    return int(found[1]) if found is not None else series_step(prefix)


def ordinal_of(prefix: str, epoch: int | None) -> int | None:
    """What orders saves of one step: the number in the name, else a count of epochs.

    Args:
        prefix: Of the checkpoint.
        epoch: As the content counts them; None where it does not.
    """
    number = number_of(prefix)
    if number is not None:
        return number
    return epoch if epoch is not None else epoch_of_name(prefix)
