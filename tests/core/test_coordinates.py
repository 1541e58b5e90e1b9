"""Where ranks are on parallel axes."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.coordinates import coordinates_of, coordinates_text, nested_axes
from ckpt_tui.core.facts import ParallelAxis

SIZES = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))


def test_the_first_axis_is_the_nearest_neighbour() -> None:
    axes = nested_axes([("TP", 2), ("DP", 3), ("PP", 4)])
    assert axes == (ParallelAxis("PP", 4, 6), ParallelAxis("DP", 3, 2), ParallelAxis("TP", 2, 1))
    assert coordinates_of(axes, 17) == {"PP": 2, "DP": 2, "TP": 1}
    assert coordinates_text(axes, 17) == "PP 2 DP 2 TP 1"
    assert coordinates_of((), 17) == {}
    assert nested_axes([("TP", 1), ("DP", 1)]) == ()


@given(SIZES)
def test_every_rank_has_a_place_of_its_own(sizes: tuple[int, int, int]) -> None:
    axes = nested_axes(zip(("TP", "DP", "PP"), sizes, strict=True))
    ranks = range(sizes[0] * sizes[1] * sizes[2])
    found = [tuple(coordinates_of(axes, rank).values()) for rank in ranks]
    assert found == list(product(*(range(axis.size) for axis in axes)))
