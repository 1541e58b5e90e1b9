"""Per rank: which is silent, which one decides when the save is over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import ShardFacts
from ckpt_tui.store.rank_pace import RankPace

WALL = 1_800_000_000.0


def shards(sizes: dict[int, int], age: float | None = None) -> tuple[ShardFacts, ...]:
    mtime_ns = 0 if age is None else int((WALL - age) * 1e9)
    return tuple(ShardFacts(rank, None, size, mtime_ns=mtime_ns) for rank, size in sizes.items())


class Looks:
    """Looks at a save of four ranks that should each write 1000 bytes."""

    whole = shards(dict.fromkeys(range(4), 1000))

    def __init__(self, sizes: dict[int, int], age: float | None = None) -> None:
        self.now = 100.0
        self.pace = RankPace(shards(sizes, age), WALL, self.now)
        self.look(sizes, 0)

    def look(self, sizes: dict[int, int], seconds: float = 1.0) -> None:
        self.now += seconds
        self.pace.take(shards(sizes), self.now)


def test_the_slowest_rank_decides() -> None:
    looks = Looks({0: 0, 1: 0, 2: 0, 3: 1000})
    for second in range(1, 6):
        looks.look({0: 100 * second, 1: 20 * second, 2: 150 * second, 3: 1000})
    told = looks.pace.told(looks.whole, 30)
    assert [rank.rank for rank in told.slowest] == [1, 0, 2]
    first = told.slowest[0]
    assert (first.size_bytes, first.expected_bytes) == (100, 1000)
    assert first.bytes_per_second == pytest.approx(20)
    assert first.eta_seconds == pytest.approx(45)
    assert told.behind == 3


def test_the_rate_is_that_of_the_last_seconds() -> None:
    looks = Looks({0: 0})
    for second in range(1, 41):
        looks.look({0: 10 * second if second <= 20 else 200 + (second - 20)})
    slowest = looks.pace.told(looks.whole[:1], 30).slowest[0]
    assert slowest.bytes_per_second == pytest.approx(1.0, rel=0.5)


def test_a_silent_rank_is_named_and_decides_nothing() -> None:
    looks = Looks({0: 0, 1: 10, 2: 0, 3: 1000})
    for second in range(1, 95):
        looks.look({0: 10 * second, 1: 10, 2: 5 * second, 3: 1000})
    told = looks.pace.told(looks.whole, 30)
    assert (told.silent, told.silent_seconds, told.behind) == ((1,), 94.0, 3)
    assert [rank.rank for rank in told.slowest] == [2, 0]


def test_a_rank_that_has_not_begun_is_behind() -> None:
    looks = Looks({0: 1000, 1: 1000, 2: 1000})
    looks.look({0: 1000, 1: 1000, 2: 1000}, 29)
    assert looks.pace.told(looks.whole, 30).silent == ()
    looks.look({0: 1000, 1: 1000, 2: 1000}, 1)
    told = looks.pace.told(looks.whole, 30)
    assert (told.silent, told.behind, told.slowest) == ((3,), 1, ())


def test_before_the_first_look_the_times_of_files_count() -> None:
    told = Looks({0: 10, 1: 1000}, age=94.0).pace.told(Looks.whole[:2], 30)
    assert (told.silent, told.silent_seconds) == ((0,), 94.0)
    assert Looks({0: 10}, age=-50.0).pace.told(Looks.whole[:1], 30).silent == ()


def test_without_a_whole_one_the_others_tell_who_is_behind() -> None:
    looks = Looks({0: 500, 1: 500, 2: 10})
    for second in range(1, 31):
        looks.look({0: 500 + second, 1: 500 + second, 2: 10})
    told = looks.pace.told((), 30)
    assert (told.silent, told.slowest) == ((2,), ())


sizes = st.dictionaries(st.integers(0, 6), st.integers(0, 1500), max_size=6)


@given(st.lists(st.tuples(sizes, st.floats(0, 40)), max_size=20), sizes)
def test_whatever_ranks_do(looks: list[tuple[dict[int, int], float]], last: dict[int, int]) -> None:
    seen = Looks({})
    for written, seconds in looks:
        seen.look(written, seconds)
        told = seen.pace.told(shards(last), 30)
        assert list(told.silent) == sorted(set(told.silent))
        assert len(told.silent) <= told.behind
        assert not {rank.rank for rank in told.slowest} & set(told.silent)
        etas = [rank.eta_seconds or 0.0 for rank in told.slowest]
        assert etas == sorted(etas, reverse=True)
        assert all(eta >= 0 for eta in etas)
