"""The step that the name of one checkpoint of a numbered series carries, and no other number."""

from __future__ import annotations

import re

from ckpt_tui.formats.shared.names import epoch_of_name, without_ids

_ENDING = re.compile(
    r"(?:\.(?:pt|pth|ckpt|bin|pkl|tar|th|pyth|torch|chkpt|pickle|checkpoint|model|mdl|snapshot))+$"
)
_NUMBER = r"s?[_=-]?0*(\d{1,18})"
_STEP = re.compile(rf"(?<![a-z])(?:step|iter|iteration|it|update|batch|ba){_NUMBER}", re.IGNORECASE)
_SERIES = re.compile(
    rf"(?<![a-z])(?:ckpt|checkpoint|chkpt|model|net|snapshot|state|save){_NUMBER}", re.IGNORECASE
)
# fairseq: checkpoint_EPOCH_UPDATES
_EPOCH_AND_UPDATES = re.compile(r"checkpoint_\d{1,9}_(\d{1,18})(?!\d)")
_PADDED = re.compile(r"(?<!\d)0+(\d{2,18})(?!\d)")
_STEP_DIRECTORY = re.compile(
    r"(?:.*[^a-z])?(?:global[_-]?step|step|iter|iteration|epoch|ckpt|checkpoint)s?[_=-]?\d+"
    r"(?:[_=-](?:step|iter|epoch)[_=-]?\d+)?",
    re.IGNORECASE,
)


def stem_of(name: str) -> str:
    """The name without its endings: `model_best` of `model_best.pth.tar`."""
    return _ENDING.sub("", name)


def series_step(name: str) -> int | None:
    """The step that the name of a numbered series carries; a number of anything else is none.

    `resnet50.pth` has a number, but no loop would go on from step 50; nor is an epoch a step.
    """
    stem = without_ids(stem_of(name))
    for pattern in (_STEP, _EPOCH_AND_UPDATES):
        found = pattern.findall(stem)
        if found:
            return int(found[-1])
    if epoch_of_name(stem) is not None:
        return None
    found = _SERIES.findall(stem) or _PADDED.findall(stem)
    if found:
        return int(found[-1])
    return int(stem) if stem.isdigit() and len(stem) < 19 else None


def is_step_directory(name: str) -> bool:
    """Whether a directory is named as one checkpoint of a series: `step_20`, `epoch_3`, `7`."""
    return name.isdecimal() or _STEP_DIRECTORY.fullmatch(name) is not None
