"""Names inside a Megatron-LM iteration directory: whose part is where, and what it holds.

`mp_rank_TT` holds a tensor-parallel rank; `_PPP` follows where the job has pipeline stages, `_EEE`
where it has expert parallelism. Releases before 23.06 put each data-parallel rank's optimizer into
a directory of its own, with `_DDD` at the end.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class FileKind(StrEnum):
    """What one file of a part holds."""

    UNIFIED = "model_optim_rng.pt"  # everything, but for a distributed optimizer's state
    MODEL = "model_rng.pt"  # the older layout's model, random state and step
    DISTRIBUTED = "distrib_optim.pt"  # a distributed optimizer's state, gathered over its ranks
    OPTIMIZER = "optim.pt"  # the older layout's optimizer and schedule of one data-parallel rank
    LAYER_WISE = "layer_wise_optimizer"  # a layer-wise optimizer's part of one data-parallel rank
    DATALOADER = "train_dataloader"  # the data's position of one data-parallel rank


MODEL_KINDS = (FileKind.UNIFIED, FileKind.MODEL)


class FileName(NamedTuple):
    """A parsed path.

    Attributes:
        directory: The part's directory.
        fields: The numbers in the directory's name, tensor-parallel rank first.
        data_rank: Data-parallel rank in the file's own name, or None.
    """

    directory: str
    fields: tuple[int, ...]
    kind: FileKind
    data_rank: int | None = None


_PART = re.compile(r"mp_rank_([0-9]{2,9})(?:_([0-9]{3,9}))?(?:_([0-9]{3,9}))?(?:_([0-9]{3,9}))?")
_BY_DATA_RANK = (
    (FileKind.LAYER_WISE, re.compile(r"layer_wise_optimizer_([0-9]{1,9})\.pt")),
    (FileKind.DATALOADER, re.compile(r"train_dataloader_dprank([0-9]{1,9})\.pt")),
)
_WHOLE_NAMES = {kind.value: kind for kind in FileKind if kind.value.endswith(".pt")}


def part_fields(name: str) -> tuple[int, ...]:
    """The numbers in the name of a part's directory; empty for any other name."""
    found = _PART.fullmatch(name)
    return tuple(int(number) for number in found.groups() if number is not None) if found else ()


def kind_of_file(name: str) -> tuple[FileKind, int | None] | None:
    """What a file in a part's directory holds, and its data-parallel rank where the name has it."""
    if name in _WHOLE_NAMES:
        return _WHOLE_NAMES[name], None
    for kind, pattern in _BY_DATA_RANK:
        found = pattern.fullmatch(name)
        if found is not None:
            return kind, int(found.group(1))
    return None


def parse_path(path: str) -> FileName | None:
    """What a path relative to the checkpoint says, or None where it is none of Megatron's."""
    directory, _, name = path.partition("/")
    fields, found = part_fields(directory), kind_of_file(name)
    if not fields or found is None:
        return None
    return FileName(directory, fields, *found)


def part_name(tensor: int, pipeline: int | None, expert: int | None) -> str:
    """The name of a part's directory; None leaves an axis out."""
    name = f"mp_rank_{tensor:02d}"
    name += "" if pipeline is None else f"_{pipeline:03d}"
    return name if expert is None else f"{name}_{expert:03d}"
