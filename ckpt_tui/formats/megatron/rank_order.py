"""Which tensor, data, expert and pipeline rank a process of a Megatron job is.

`megatron.core.parallel_state.initialize_model_parallel` numbers the ranks in the order
`tp-cp-ep-dp-pp`, tensor-parallel ranks being neighbours; with `--use-tp-pp-dp-mapping` in the order
`tp-cp-ep-pp-dp`. Experts divide the ranks of a stage anew: `ep` has the stride of their own
tensor-parallel size. Beside context parallelism releases differ in it, so that it is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.coordinates import nested_axes
from ckpt_tui.core.facts import ParallelAxis
from ckpt_tui.formats.shared.bounds import MOST_RANKS

if TYPE_CHECKING:
    from ckpt_tui.formats.megatron.arguments import Arguments


def axes_of_arguments(arguments: Arguments, highest_rank: int) -> tuple[ParallelAxis, ...]:
    """The axes of a job whose files are numbered by process; empty where sizes do not fit.

    Args:
        arguments: The job's arguments.
        highest_rank: The highest rank that has a file.
    """
    world_size, tensor = arguments.world_size, arguments.tensor
    if world_size is None or tensor is None or arguments.separate_encoder:
        return ()
    context, pipeline = arguments.context or 1, arguments.pipeline or 1
    data, rest = divmod(world_size, tensor * context * pipeline)
    if rest or not highest_rank < world_size <= MOST_RANKS:
        return ()
    outer = [("DP", data), ("PP", pipeline)]
    if arguments.pipeline_inside_data:
        outer.reverse()
    axes = nested_axes([("TP", tensor), ("CP", context), *outer])
    return axes + _expert_axis(arguments, world_size // pipeline)


def _expert_axis(arguments: Arguments, stage_ranks: int) -> tuple[ParallelAxis, ...]:
    """The expert-parallel axis, which goes through the ranks of a stage beside the others."""
    size, stride = arguments.expert or 1, arguments.expert_tensor or arguments.tensor or 1
    if size < 2 or (arguments.context or 1) > 1 or stage_ranks % (size * stride):
        return ()
    return (ParallelAxis("EP", size, stride),)
