"""Two levels of checkpoints, exactly: frequent cheap ones and every k-th one durable.

A pattern is k segments; saves 1 to k-1 go to level 1 (memory, a peer, a local disk), the k-th
to level 2 and refreshes level 1. A share c of failures recovers from level 1 (same segment);
the others, and any failure while level 2 reloads, go back to the pattern's start. The linear
system of the 2k states has a closed form: with phi(x) = 1 - e^(-x/M), E_i = e^(a_i/M) - 1,
g = 1/(1 - c phi(R1)) and q = g (1 - c), the chance that a failure ends at level 2,

    wall = (C/q) (e^L - 1),  L = (k-1) ln(1 + q E_1) + ln(1 + q E_2),
    C = M + c g (D1 + M phi(R1)) + q U2,  U2 = e^(R2/M) (M + D2) - M.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ckpt_tui.planner.budget import NOTHING, Budget, cut_run, finished, repeated
from ckpt_tui.planner.exact import optimal_interval_minutes
from ckpt_tui.planner.numerics import LARGEST_EXPONENT, SMALLEST_GOODPUT, growth, mean_exposed
from ckpt_tui.planner.optimise import minimum_near

MOST_SAVES = 2000


class TwoLevels(NamedTuple):
    """Costs of both levels (minutes), the level-1 coverage (0 to 1) and the MTBF (minutes)."""

    save1_minutes: float
    save2_minutes: float
    coverage1: float
    reload1_minutes: float
    reload2_minutes: float
    down1_minutes: float
    down2_minutes: float
    mtbf_minutes: float

    @property
    def retry_factor(self) -> float:
        """g: mean number of level-1 reloads per failure that level 1 covers."""
        exponent = min(self.reload1_minutes / self.mtbf_minutes, LARGEST_EXPONENT)
        return 1 / (1 - self.coverage1 + self.coverage1 * math.exp(-exponent))

    @property
    def fallback_share(self) -> float:
        """q: share of failures in compute or save that end at level 2."""
        return self.retry_factor * (1 - self.coverage1)


class _Pattern(NamedTuple):
    """k segments of one length and a last one that may be shorter."""

    work_minutes: float
    last_work_minutes: float
    saves: int


def pattern_budget(levels: TwoLevels, interval_minutes: float, saves: int) -> Budget | None:
    """Returns the budget of one pattern: `saves` segments, the last save at level 2.

    None where it does not finish.
    """
    return _budget(levels, _Pattern(interval_minutes, interval_minutes, saves))


def two_level_run_budget(
    levels: TwoLevels, run_minutes: float, interval_minutes: float, saves: int
) -> Budget | None:
    """Returns the budget of a run of whole patterns and a shorter last one.

    The save at the run's end goes to level 2. None where the run does not finish.
    """
    cut = cut_run(run_minutes, interval_minutes)
    patterns, left = divmod(cut.full_count, saves)
    whole = _budget(levels, _Pattern(cut.full_minutes, cut.full_minutes, saves))
    rest: Budget | None = NOTHING
    if cut.last_minutes:
        rest = _budget(levels, _Pattern(cut.full_minutes, cut.last_minutes, left + 1))
    elif left:
        rest = _budget(levels, _Pattern(cut.full_minutes, cut.full_minutes, left))
    if rest is None or (whole is None and patterns):
        return None
    return finished(repeated(patterns, whole or NOTHING, rest)._replace(wall_variance=None))


def best_save_count(levels: TwoLevels, interval_minutes: float) -> int:
    """Returns the best number of saves per level-2 save at one interval, 1 to 2000.

    L is linear in k, so the best real k is the synchronous optimum in disguise.
    """
    if levels.save2_minutes <= levels.save1_minutes:
        return 1
    per_save = _log_cost(levels, interval_minutes + levels.save1_minutes)
    extra = _log_cost(levels, interval_minutes + levels.save2_minutes) - per_save
    if per_save == 0:
        return MOST_SAVES
    real = optimal_interval_minutes(extra, 1.0) / per_save
    low = min(max(1, math.floor(real)), MOST_SAVES)
    high = min(low + 1, MOST_SAVES)
    # e^L - 1 per save, both divided by e^(L of low).
    excess = math.exp(-low * per_save - extra)
    low_cost, high_cost = (
        (1 - excess) / low,
        (math.exp(min(per_save, LARGEST_EXPONENT)) - excess) / high,
    )
    return low if low_cost <= high_cost or low == high else high


def pattern_cost(levels: TwoLevels, interval_minutes: float, saves: int) -> float:
    """Returns the time spent in segments, failed tries included, over the useful work.

    Wall time is this times a constant of R and D, so the least value marks the optimum.
    Infinite where the job does not finish.
    """
    pattern = _Pattern(interval_minutes, interval_minutes, saves)
    return _segments_minutes(levels, pattern) / (saves * interval_minutes)


def optimal_two_level(levels: TwoLevels, every: int | None = None) -> tuple[float, int]:
    """The best work between two saves (minutes) and the best saves per level-2 save.

    With `every` given, the best interval for that number. The interval is infinite where
    failures never come, and 0 where the saves to make are free.
    """
    if math.isinf(levels.mtbf_minutes):
        return math.inf, every or 1
    if every is None and levels.save2_minutes == 0:
        every = 1
    if levels.save1_minutes == 0 and every != 1:
        return 0.0, every or MOST_SAVES
    if levels.save2_minutes == 0 and every == 1:
        return 0.0, 1
    low, high = (1, MOST_SAVES) if every is None else (every, every)
    while low < high:
        middle = (low + high) // 2
        if _best_for(levels, middle)[0] <= _best_for(levels, middle + 1)[0]:
            high = middle
        else:
            low = middle + 1
    return _best_for(levels, low)[1], low


def _best_for(levels: TwoLevels, saves: int) -> tuple[float, float]:
    """Least cost and its interval for one number of saves per level-2 save."""
    mean_save = ((saves - 1) * levels.save1_minutes + levels.save2_minutes) / saves
    guess = optimal_interval_minutes(mean_save, levels.mtbf_minutes)
    interval = minimum_near(lambda tau: pattern_cost(levels, tau, saves), guess)
    return pattern_cost(levels, interval, saves), interval


def _budget(levels: TwoLevels, pattern: _Pattern) -> Budget | None:
    work = (pattern.saves - 1) * pattern.work_minutes + pattern.last_work_minutes
    save = (pattern.saves - 1) * levels.save1_minutes + levels.save2_minutes
    segments = _segments_minutes(levels, pattern)
    if segments * SMALLEST_GOODPUT > work + save:
        return None
    mtbf = levels.mtbf_minutes
    if math.isinf(mtbf):
        return Budget(work + save, work, save, 0.0, 0.0, 0.0, 0.0)
    if levels.reload2_minutes / mtbf > LARGEST_EXPONENT:
        return None
    failed = segments / mtbf
    level1 = levels.coverage1 * levels.retry_factor
    level2 = levels.fallback_share
    down2 = levels.down2_minutes * math.exp(levels.reload2_minutes / mtbf)
    down = failed * (level1 * levels.down1_minutes + level2 * down2)
    reload1 = mean_exposed(levels.reload1_minutes, mtbf)
    reload = failed * (level1 * reload1 + level2 * growth(levels.reload2_minutes, mtbf))
    wall = segments + down + reload
    if wall * SMALLEST_GOODPUT > work + save:
        return None
    rollback = max(0.0, segments - work - save)
    return Budget(wall, work, save, rollback, down, reload, (segments + reload) / mtbf)


def _segments_minutes(levels: TwoLevels, pattern: _Pattern) -> float:
    """M (e^L - 1)/q: mean time in compute and saves until the pattern is through."""
    mtbf = levels.mtbf_minutes
    last = pattern.last_work_minutes + levels.save2_minutes
    # A pattern of one save has none at level 1, whatever that would cost.
    first = pattern.work_minutes + levels.save1_minutes if pattern.saves > 1 else last
    if max(first, last) / mtbf > LARGEST_EXPONENT:
        return math.inf
    share = levels.fallback_share
    level1_saves = pattern.saves - 1
    if share == 0 or math.isinf(mtbf):
        return level1_saves * growth(first, mtbf) + growth(last, mtbf)
    exponent = level1_saves * _log_cost(levels, first) + _log_cost(levels, last)
    if exponent > LARGEST_EXPONENT:
        return math.inf
    return mtbf * math.expm1(exponent) / share


def _log_cost(levels: TwoLevels, segment_minutes: float) -> float:
    """ln(1 + q E): what one segment adds to L."""
    ratio, share = segment_minutes / levels.mtbf_minutes, levels.fallback_share
    if ratio > LARGEST_EXPONENT and share > 0:
        return max(0.0, ratio + math.log(share))
    return math.log1p(share * math.expm1(min(ratio, LARGEST_EXPONENT)))
