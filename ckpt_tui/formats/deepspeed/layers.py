"""Layer files of a DeepSpeed step: a pipeline module keeps one for each layer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ckpt_tui.formats.deepspeed.names import PartKind
from ckpt_tui.formats.shared.problems import capped, missing_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.deepspeed.parts import Part, Parts

_MOST_NAMES = 200_000
_LAYER = re.compile(r"^layer_\d+")
_MODEL_AXIS = re.compile(r"-model_\d+(?=-)")


def layer_gaps(parts: Parts) -> tuple[Finding, ...]:
    """Layer files that parameters, or other ranks' files of the same layer, demand.

    Numbers may be skipped: a layer without parameters has no file.
    """
    layers = parts.of_kind(PartKind.LAYER)
    if not layers:
        return ()
    there = {(int(part.name.unit), part.name.mp_rank) for part in layers}
    owned = {layer for part in parts.of_kind(PartKind.MODEL) for layer in _layers_of(part)}
    demanded = sorted({layer for layer, _ in there} | owned)
    mp_ranks = sorted({mp_rank for _, mp_rank in there})
    absent = [(a, b) for a in demanded for b in mp_ranks if (a, b) not in there]
    found = [
        missing_file(
            _like(layers[0].path, layer, mp_rank),
            f"layer {layer} has parameters, and each layer has a file",
        )
        for layer, mp_rank in absent
    ]
    return tuple(capped(found))


def parameter_names(part: Part) -> Iterator[str]:
    """Names of the trained parameters by `param_shapes`: one mapping per parameter group."""
    groups = part.value.get("param_shapes")
    count = 0
    for group in groups if isinstance(groups, list) else ():
        for name in group if isinstance(group, Mapping) else ():
            count += 1
            if isinstance(name, str) and count <= _MOST_NAMES:
                yield name


def _layers_of(part: Part) -> set[int]:
    """A pipeline module names its parameters by the layer's number first (`3.weight`)."""
    first = (name.split(".", 1)[0] for name in parameter_names(part))
    return {int(number) for number in first if number.isdecimal() and len(number) < 9}


def _like(path: str, layer: int, mp_rank: int) -> str:
    renamed = _LAYER.sub(f"layer_{layer:02d}", path)
    return _MODEL_AXIS.sub(f"-model_{mp_rank:02d}", renamed)
