"""First-order optima and ratios: exact only while save time << interval << MTBF."""

from __future__ import annotations

import math


def young_minutes(stall_minutes: float, mtbf_minutes: float) -> float:
    """Returns Young's interval sqrt(2 d M), in minutes.

    Minimises d/t + t/(2 M); assumes d << t << M and no failure during save or reload.
    Source: J. W. Young, CACM 17(9), 1974.
    """
    return math.sqrt(2 * stall_minutes * mtbf_minutes)


def daly_minutes(stall_minutes: float, mtbf_minutes: float) -> float:
    """Returns Daly's higher-order interval, in minutes of work between two saves.

    sqrt(2 d M) (1 + sqrt(d/2M)/3 + (d/2M)/9) - d for d < 2 M, else M.
    Source: J. T. Daly, FGCS 22(3), 2006, doi 10.1016/j.future.2004.11.016.
    """
    if stall_minutes >= 2 * mtbf_minutes:
        return mtbf_minutes
    half_ratio = stall_minutes / (2 * mtbf_minutes)
    series = 1 + math.sqrt(half_ratio) / 3 + half_ratio / 9
    return young_minutes(stall_minutes, mtbf_minutes) * series - stall_minutes


def cost_ratio(interval_ratio: float) -> float:
    """Returns the save and rollback cost at `interval_ratio` times the optimum, best = 1.

    (x + 1/x) / 2: twice or half the best interval costs a quarter more.
    """
    return (interval_ratio + 1 / interval_ratio) / 2
