"""Which data-parallel and model-parallel rank wrote a DeepSpeed file, as its name says.

`zero_pp_rank_D_mp_rank_M` names the rank in the optimizer's data-parallel group and the
model-parallel rank. A pipeline module writes layer files; its model-parallel ranks go through the
stages one by one, and `-model_TT` in a layer file's name counts the tensor ranks of a stage
(`PipeModelDataParallelTopology` in DeepSpeed's `runtime/pipe/topology.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.coordinates import nested_axes
from ckpt_tui.formats.deepspeed.names import PartKind

if TYPE_CHECKING:
    from ckpt_tui.core.facts import ParallelAxis
    from ckpt_tui.formats.deepspeed.layout import Layout
    from ckpt_tui.formats.deepspeed.parts import Parts


def axes_of_parts(parts: Parts, layout: Layout) -> tuple[ParallelAxis, ...]:
    """The axes over the ranks as the layout numbers them."""
    layers = parts.of_kind(PartKind.LAYER)
    model = [("MP", layout.mp_world_size)]
    if layers:
        tensor = max(part.name.mp_rank for part in layers) + 1
        stages, rest = divmod(layout.mp_world_size, tensor)
        if not rest:
            model = [("TP", tensor), ("PP", stages)]
    return nested_axes([*model, ("DP", layout.dp_world_size)])
