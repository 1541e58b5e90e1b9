"""File names inside a DeepSpeed step directory: what each part holds, and whose it is.

The patterns are those of DeepSpeed 0.3 to 0.19 (`runtime/engine.py`, `pipe/module.py`): old
versions wrote `…mp_rank_00optim_states.pt`, and `bf16_` marks the bf16 optimizer.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class PartKind(StrEnum):
    """What one file of a step holds."""

    MODEL = "model"  # module, lr_scheduler, counters and client state
    OPTIMIZER = "optimizer"  # one rank's ZeRO partition
    LAYER = "layer"  # one layer of a pipeline module
    EXPERT = "expert"  # one expert of a mixture, or its optimizer


class PartName(NamedTuple):
    """A parsed file name.

    Attributes:
        dp_rank: Data-parallel rank; None where one file serves all of them.
        mp_rank: Model-parallel rank.
        prefix: "bf16_", "fp16_" or "".
        unit: Layer or expert, as text; "" for the other kinds.
    """

    kind: PartKind
    dp_rank: int | None
    mp_rank: int
    prefix: str = ""
    unit: str = ""


_MODEL = re.compile(r"(?:zero_pp_rank_(\d{1,9})_)?mp_rank_(\d{1,9})_model_states\.pt")
_OPTIMIZER = re.compile(r"(bf16_|fp16_)?zero_pp_rank_(\d{1,9})_mp_rank_(\d{1,9})_?optim_states\.pt")
_LAYER = re.compile(r"layer_(\d{1,9})((?:-[a-z]+_\d{1,9})*)-model_states\.pt")
_EXPERT = re.compile(
    r"((?:layer_\d{1,9}_)?expert_\d{1,9}|expp_rank_\d{1,9})_mp_rank_(\d{1,9})"
    r"_(?:model|optim)_states\.pt"
)
_MODEL_AXIS = re.compile(r"-model_(\d{1,9})")


def parse_part(name: str) -> PartName | None:
    """What a file name says, or None where it is no part of a DeepSpeed step."""
    if found := _OPTIMIZER.fullmatch(name):
        return PartName(PartKind.OPTIMIZER, int(found[2]), int(found[3]), prefix=found[1] or "")
    if found := _MODEL.fullmatch(name):
        dp_rank = None if found[1] is None else int(found[1])
        return PartName(PartKind.MODEL, dp_rank, int(found[2]))
    if found := _LAYER.fullmatch(name):
        axis = _MODEL_AXIS.search(found[2])
        return PartName(PartKind.LAYER, None, int(axis[1]) if axis else 0, unit=found[1])
    if found := _EXPERT.fullmatch(name):
        return PartName(PartKind.EXPERT, None, int(found[2]), unit=found[1])
    return None


def holds_deepspeed(names: Iterable[str]) -> bool:
    """Whether any name in a directory is of a DeepSpeed step's file."""
    return any(parse_part(name) is not None for name in names)


def file_name(part: PartName) -> str:
    """The name that DeepSpeed gives to a model file or to a rank's optimizer partition."""
    mp = f"mp_rank_{part.mp_rank:02d}"
    if part.kind is PartKind.OPTIMIZER:
        return f"{part.prefix}zero_pp_rank_{part.dp_rank}_{mp}_optim_states.pt"
    dp = "" if part.dp_rank is None else f"zero_pp_rank_{part.dp_rank}_"
    return f"{dp}{mp}_model_states.pt"
