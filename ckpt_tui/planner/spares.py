"""Spare nodes and smaller jobs: what a failed node costs in waiting."""

from __future__ import annotations

from ckpt_tui.planner.gamma import gamma_shares


def nodes_in_repair(nodes: int, failures_per_1000_node_days: float, repair_days: float) -> float:
    """Mean number of nodes that are being repaired: N r_f T, by Little's law."""
    return nodes * failures_per_1000_node_days / 1000 * repair_days


def wait_chance(in_repair: float, spares: int) -> float:
    """Chance that a failure finds no spare: more nodes are in repair than there are spares.

    The number in repair is Poisson with mean `in_repair`, for independent failures and any law of
    the repair time (Palm's theorem); its tail is an incomplete gamma function.
    """
    return gamma_shares(spares + 1, in_repair)[0]


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
