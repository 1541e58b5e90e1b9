"""Which ranks are called unlike the others, and which are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import ShardFacts
from ckpt_tui.core.outliers import (
    LATE_SECONDS,
    LEAST_PEERS,
    MOST_SHARE,
    SHORT_SHARE,
    Outlier,
    OutlierKind,
    behind_outliers,
    settled_outliers,
)

SECOND = 10**9
NOON = 1_767_265_200 * SECOND


def shards(sizes: list[int], late: dict[int, float] | None = None) -> list[ShardFacts]:
    times = late or {}
    return [
        ShardFacts(rank, None, size, mtime_ns=NOON + int(times.get(rank, 0) * SECOND))
        for rank, size in enumerate(sizes)
    ]


def texts(made: list[ShardFacts], usual: dict[int, int] | None = None) -> list[str]:
    return [outlier.text for outlier in settled_outliers(made, usual or {})]


def with_size(count: int, rank: int, size: int) -> list[int]:
    return [size if place == rank else 1000 for place in range(count)]


@pytest.mark.parametrize(
    ("sizes", "named"),
    [
        (with_size(64, 7, 880), ["rank 7 short by 12 %"]),
        (with_size(64, 7, 0), ["rank 7 empty"]),
        (with_size(64, 7, 950), []),
        (with_size(64, 0, 9000), []),  # rank 0 keeps what is not split
        (with_size(7, 3, 10), []),  # too few to know what is usual
        ([1000] * 62 + [400, 0], []),  # an uneven split leaves less to the last ranks
        ([1000] * 61 + [900, 1000, 1000], []),
        ([1000] * 60 + [700, 700, 1000, 1000], []),  # two alike are a group
        ([1000] * 50 + [500] * 14, []),  # so are many
        ([1000, *range(10, 73)], []),  # no size is usual
        ([0] * 64, []),
    ],
)
def test_short_by_the_others(sizes: list[int], named: list[str]) -> None:
    assert texts(shards(sizes)) == named


def test_the_size_in_another_checkpoint_explains_what_the_layout_does() -> None:
    sizes = [5000, *[1000] * 61, 700, 400]
    usual = dict(enumerate(sizes))
    assert texts(shards(sizes), usual) == []
    last_short = [*sizes[:-1], 200]
    assert texts(shards(last_short)) == []
    assert texts(shards(last_short), usual) == ["rank 63 short by 50 %"]
    halved = [size // 2 for size in sizes]  # the optimizer was left out: no rank is unlike
    assert texts(shards(halved), usual) == []


def test_late() -> None:
    sizes = [1000] * 64
    assert texts(shards(sizes, {9: 94})) == ["rank 9 late by 1m 34s"]
    assert texts(shards(sizes, {9: LATE_SECONDS - 1})) == []
    assert texts(shards(with_size(64, 0, 3000), {0: 94})) == []  # more to write
    assert texts(shards(sizes, dict.fromkeys(range(10), 94.0))) == []
    slow_copy = {rank: 60.0 * rank for rank in range(64)}
    assert texts(shards(sizes, slow_copy)) == []
    without_times = [shard._replace(mtime_ns=0) for shard in shards(sizes)]
    assert texts(without_times) == []


def test_short_goes_before_late_and_a_named_fault_before_both() -> None:
    made = shards(with_size(64, 5, 100), {5: 500, 6: 500})
    assert texts(made) == ["rank 5 short by 90 %", "rank 6 late by 8m 20s"]
    made[5] = made[5]._replace(problem="short")
    assert texts(made) == ["rank 6 late by 8m 20s"]


@pytest.mark.parametrize(
    ("sizes", "named"),
    [
        (with_size(64, 7, 100), [Outlier(7, OutlierKind.BEHIND, 0.45)]),
        (with_size(64, 7, 700), []),
        ([2000] * 60 + [100] * 4, []),  # the last of a save that is nearly over
        (list(range(0, 2000, 30)), []),
    ],
)
def test_behind(sizes: list[int], named: list[Outlier]) -> None:
    assert list(behind_outliers(shards(sizes), dict.fromkeys(range(len(sizes)), 2000))) == named
    assert behind_outliers(shards(sizes), {}) == ()


@given(st.lists(st.integers(0, 2000), max_size=80), st.lists(st.integers(0, 900), max_size=80))
def test_outliers_are_few_and_far(sizes: list[int], seconds: list[int]) -> None:
    made = shards(sizes, {rank: float(late) for rank, late in enumerate(seconds)})
    found = settled_outliers(made, {})
    kinds = {OutlierKind.LATE: 0, OutlierKind.SHORT: 0}
    for outlier in found:
        late = outlier.kind is OutlierKind.LATE
        kinds[OutlierKind.LATE if late else OutlierKind.SHORT] += 1
        assert outlier.amount > (LATE_SECONDS if late else SHORT_SHARE)
        assert outlier.text.startswith(f"rank {outlier.rank} ")
    assert len({outlier.rank for outlier in found}) == len(found)
    assert max(kinds.values()) <= max(1, MOST_SHARE * len(sizes))
    assert not found or len(sizes) >= LEAST_PEERS


@given(st.permutations(range(40)))
def test_the_order_of_ranks_does_not_matter_for_times(order: list[int]) -> None:
    late = {rank: 94.0 if place == 0 else place / 100 for place, rank in enumerate(order)}
    found = settled_outliers(shards([1000] * 40, late), {})
    assert [outlier.rank for outlier in found] == [order[0]]
