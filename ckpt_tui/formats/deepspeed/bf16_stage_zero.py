"""The bf16 optimizer without ZeRO: versions that save its partitions, but do not load them.

DeepSpeed up to 0.17 loads `bf16_zero_pp_rank_…_optim_states.pt` at stage 0, too (pipelines write
them). Since 0.18 its engine takes the path of ZeRO from stage 1 on only (`runtime/engine.py`):
0.18.0 to 0.18.4 go on with a fresh optimizer, later ones raise KeyError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.deepspeed.parts import writer_version

if TYPE_CHECKING:
    from ckpt_tui.formats.deepspeed.layout import Layout
    from ckpt_tui.formats.deepspeed.parts import Parts

_FIRST_THAT_LOADS_NONE = (0, 18)


def unloaded_partitions(parts: Parts, layout: Layout) -> tuple[Finding, ...]:
    """Says that the writer's own version would not bring the optimizer back.

    Args:
        parts: The files of the step.
        layout: Its layout; only partitions at stage 0 matter.
    """
    if layout.stage != 0 or not layout.partitioned:
        return ()
    version = writer_version(parts)
    if version is None or version < _FIRST_THAT_LOADS_NONE:
        return ()
    wrote = f"{version[0]}.{version[1]}"
    return (
        Finding(
            "lossy-loader",
            Severity.ERROR,
            "",
            f"DeepSpeed {wrote} wrote the bf16 optimizer in partitions at ZeRO stage 0; from"
            " 0.18 on it does not load them: it stops, or goes on with a fresh optimizer",
            "Load it with DeepSpeed 0.17, and train on with ZeRO stage 1.",
            Effect.INCOMPLETE,
        ),
    )
