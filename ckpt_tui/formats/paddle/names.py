"""Names that Paddle's savers give: which files belong together, and whose step they carry.

`paddle.save` leaves names to its caller; recommended are `.pdparams` and `.pdopt` (docstring of
`paddle.save`), which hapi (`Model.save`), PaddleNLP, PaddleClas, PaddleDetection and PaddleSeg use.
PaddleOCR keeps its progress in `.states`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.names import epoch_of_name
from ckpt_tui.formats.shared.pointers import is_alias_name
from ckpt_tui.formats.shared.roles import role_of_key
from ckpt_tui.formats.shared.series import series_step

if TYPE_CHECKING:
    from collections.abc import Iterable

PARAMETERS, OPTIMIZER_STATE = ".pdparams", ".pdopt"
ENDINGS = (
    PARAMETERS, OPTIMIZER_STATE, ".pdstates", ".pdrng", ".pdema", ".pdscaler", ".pdsched", ".pdlr",
    ".states",
)  # fmt: skip
"""Endings of files that `paddle.save` writes, the model's first."""

SURE_ENDINGS = ENDINGS[:-1]
_SIDE_ENDING = ".json"
_METADATA = re.compile(r"\d{1,18}\.metadata")
_DATA = re.compile(r"(\d{1,9})_(\d{1,18})\.(?:distcp|safetensors)")
_INNER = re.compile(r"\.pd(?:params|opt|states|rng|ema|scaler)(?=[._-])")
_STATE_AND_NUMBER = re.compile(r"(\D*[a-zA-Z])[_-]?0*(\d{1,18})")
_STATE_DIRECTORY = re.compile(
    r"(?:model|opt|optim|optimizer|master_weight)(?:_state|_state_dict)?s?", re.IGNORECASE
)
_LETTERS = re.compile(r"[a-z]+", re.IGNORECASE)
FINAL = frozenset({"final", "model_final"})
"""What hapi and PaddleDetection save once more when training ends."""


def is_paddle_name(name: str) -> bool:
    """Whether a file is one of `paddle.save`'s, under its final name."""
    return name.endswith(SURE_ENDINGS)


def is_staged_paddle_name(name: str) -> bool:
    """Whether an ending of `paddle.save`'s files lies inside a longer name: `10.pdparams.tmp`."""
    return not name.endswith(ENDINGS) and _INNER.search(name) is not None


def is_metadata_name(name: str) -> bool:
    """Whether it is the index of `paddle.distributed.save_state_dict`; torch's has no number."""
    return _METADATA.fullmatch(name) is not None


def rank_of_data(name: str) -> int | None:
    """The writer of `RANK_ID.distcp` (or `.safetensors`), or None for any other name."""
    found = _DATA.fullmatch(name)
    return int(found[1]) if found is not None else None


def is_state_directory(name: str) -> bool:
    """Whether a job may have saved one of its states into a directory of that name."""
    return _STATE_DIRECTORY.fullmatch(name) is not None


def stem_of(name: str) -> str:
    """A name without its ending."""
    ending = next((e for e in (*ENDINGS, _SIDE_ENDING) if name.endswith(e)), "")
    return name.removesuffix(ending)


def step_of_stem(stem: str) -> int | None:
    """The step that a stem carries, also behind the name of a state (`opt_10`).

    hapi's bare numbers count epochs.
    """
    step = None if stem.isdecimal() else series_step(stem)
    found = _STATE_AND_NUMBER.fullmatch(stem) if step is None else None
    return int(found[2]) if found is not None and role_of_key(found[1]) is not None else step


def epoch_of_stem(stem: str) -> int | None:
    """The epoch that a stem carries: `epoch_3`, or the bare number of hapi's `Model.fit`."""
    return int(stem) if stem.isdecimal() and len(stem) < 10 else epoch_of_name(stem)


def is_of_series(stem: str) -> bool:
    """Whether a stem names one checkpoint of a series, or the last or best of one."""
    numbered = step_of_stem(stem) is not None or epoch_of_stem(stem) is not None
    return numbered or is_alias_name(stem) or stem in FINAL


def groups_by_stem(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Files that are one checkpoint each: of one stem, or of one number (`opt_10`, `model_10`).

    Returns:
        The model's file first.
    """
    found: dict[object, list[str]] = {}
    for name in names:
        stem = stem_of(name)
        number = (step_of_stem(stem), epoch_of_stem(stem))
        found.setdefault(number if any(n is not None for n in number) else stem, []).append(name)
    return [tuple(sorted(group, key=_order)) for group in found.values()]


def _order(name: str) -> tuple[int, int, str]:
    """By ending; of two that end alike the one whose name does not say optimizer or so."""
    place = next((n for n, ending in enumerate(ENDINGS) if name.endswith(ending)), len(ENDINGS))
    words = {word.lower() for word in _LETTERS.findall(stem_of(name))}
    other = bool(words & {"opt", "optim", "optimizer", "scheduler", "sched", "lr", "ema", "rng"})
    return place, other, name
