"""What several formats say of loading a checkpoint with another world size."""

from __future__ import annotations

from ckpt_tui.core.facts import Reshard
from ckpt_tui.core.vocabulary import RNG

WHOLE = Reshard(
    True,
    "natively: model and optimizer are whole in one place; each process has a random state",
    (RNG,),
)

BY_RANK = Reshard(False, "each rank loads its own file, so the world size must stay the same")


def by_dcp(loses: tuple[str, ...] = ()) -> Reshard:
    """Tensors that `torch.distributed.checkpoint` loads.

    Args:
        loses: Roles that were stored for each rank, and fit the old ranks only.
    """
    return Reshard(True, "natively: dcp.load reshards tensors to any world size", loses)
