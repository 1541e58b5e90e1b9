"""Spare nodes and smaller jobs: what a failed node costs in waiting."""

from __future__ import annotations

import math

_LARGEST_MEAN = 700.0


def nodes_in_repair(nodes: int, failures_per_1000_node_days: float, repair_days: float) -> float:
    """Mean number of nodes that are being repaired: N r_f T, by Little's law."""
    return nodes * failures_per_1000_node_days / 1000 * repair_days


def wait_chance(in_repair: float, spares: int) -> float:
    """Chance that a failure finds no spare: more nodes are in repair than there are spares.

    The number in repair is Poisson with mean `in_repair`, for independent failures and any law of
    the repair time (Palm's theorem).
    """
    if in_repair > _LARGEST_MEAN:  # a normal tail, where e^-mean has no digits left
        return math.erfc((spares + 0.5 - in_repair) / math.sqrt(2 * in_repair)) / 2
    term = below = math.exp(-in_repair)
    for count in range(1, spares + 1):
        term *= in_repair / count
        below += term
    return min(1.0, max(0.0, 1 - below))


def down_with_spares_minutes(
    down_minutes: float, mean_wait_minutes: float, chance_of_waiting: float
) -> float:
    """Down time of a failure with the mean wait for a node: D + P(wait) times the wait."""
    return down_minutes + chance_of_waiting * mean_wait_minutes


def elastic_gain_minutes(
    nodes: int, lost_nodes: int, repair_minutes: float, wait_minutes: float
) -> float:
    """What going on with fewer nodes saves against waiting for them, minutes of the whole job.

    Waiting costs `wait_minutes`; running at (N - j)/N of the speed until the repair costs j/N of
    `repair_minutes`. Below 0 waiting is better.
    """
    return wait_minutes - lost_nodes / nodes * repair_minutes
