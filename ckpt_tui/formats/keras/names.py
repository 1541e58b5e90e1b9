"""Names of Keras's files: which endings it writes, and which number a name carries.

`ModelCheckpoint` formats the names itself: `model-{epoch:02d}-{loss:.3f}.keras`.
"""

from __future__ import annotations

import re

ARCHIVE = ".keras"
WEIGHTS = ".weights.h5"
SHARD_INDEX = ".weights.json"
WHOLE_MODEL = (".h5", ".hdf5")
ENDINGS = (ARCHIVE, WEIGHTS, SHARD_INDEX, *WHOLE_MODEL)

CONFIG, METADATA = "config.json", "metadata.json"
INNER_WEIGHTS, INNER_NUMPY = "model.weights.h5", "model.weights.npz"

BACKUP_WEIGHTS = "latest.weights.h5"
BACKUP_STATE = "training_metadata.json"
PREVIOUS = ".bkp"
"""`BackupAndRestore(double_checkpoint=True)` keeps the pair before the last under this ending."""

_SHARD = re.compile(r"(?P<base>.*)_(?P<number>\d{5,9})\.weights\.h5")
_SCORE = re.compile(r"(?:(?<![A-Za-z0-9.])\d+|(?<=[A-Za-z])\d)\.\d+(?!\d)")
_EPOCH = re.compile(r"epochs?[_=.-]?0*(\d{1,18})", re.IGNORECASE)
_APART = re.compile(r"(?:^|[^A-Za-z0-9])0*(\d{1,18})(?=$|[^A-Za-z0-9])")
_SERIES = re.compile(
    r"(?:^|[^A-Za-z])(?:ckpt|cp|checkpoint|model|weights|snapshot|save|step|iter|batch|ep|e)"
    r"0*(\d{1,18})",
    re.IGNORECASE,
)


def stem_of(name: str) -> str:
    """A file's name without Keras's ending."""
    ending = next((ending for ending in ENDINGS if name.endswith(ending)), "")
    return name.removesuffix(ending)


def number_of(name: str) -> int | None:
    """The epoch, or the count of saves, that a name carries; a score in it is none.

    `model-03-1.448.keras` is the third, and so is `resnet50.03-0.91.weights.h5`; `resnet50.keras`
    is none of a series.
    """
    stem = stem_of(name)
    marked = _EPOCH.search(stem)
    if marked is not None:
        return int(marked[1])
    plain = _SCORE.sub("", stem)
    found = _APART.search(plain) or _SERIES.search(plain)
    return int(found[1]) if found is not None else None


def shard_base(name: str) -> str | None:
    """`model` of `model_00002.weights.h5`, as `save_weights(max_shard_size=…)` names its parts."""
    found = _SHARD.fullmatch(name)
    return found["base"] if found is not None else None
