"""Several JAX processes on one machine."""

from __future__ import annotations

import os
from typing import Any

DEVICES_OF_ONE = 2
HEARTBEAT_SECONDS = 10


def initialized(ranks: int) -> None:
    """Joins the other processes, if there are any; before anything asks JAX for its devices."""
    if ranks == 1:
        return
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={DEVICES_OF_ONE}"
    import jax

    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    address = f"{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"
    jax.distributed.initialize(address, ranks, int(os.environ["RANK"]))


def finished(ranks: int) -> None:
    """Waits for the other processes, if there are any: they may still ask the first one."""
    if ranks > 1:
        import jax

        jax.distributed.shutdown()


def sharded(tree: Any) -> Any:
    """The arrays, spread over all devices of all processes where their shape allows it."""
    import jax
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec

    devices = np.array(jax.devices()).reshape(-1, DEVICES_OF_ONE)
    mesh = Mesh(devices, ("data", "model"))

    def spec_of(shape: tuple[int, ...]) -> PartitionSpec:
        if len(shape) == 2:
            return PartitionSpec("data", "model")
        whole = not shape or shape[0] % devices.size
        return PartitionSpec() if whole else PartitionSpec(("data", "model"))

    def put(leaf: Any) -> Any:
        if not isinstance(leaf, np.ndarray):
            return leaf
        sharding = NamedSharding(mesh, spec_of(leaf.shape))
        return jax.make_array_from_callback(leaf.shape, sharding, lambda index: leaf[index])

    return jax.tree_util.tree_map(put, tree)
