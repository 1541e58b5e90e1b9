"""The grid of ranks without a screen: where each rank is, how the cursor moves, zoom and order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.core.coordinates import nested_axes, number_on
from ckpt_tui.core.facts import ParallelAxis
from ckpt_tui.tui.details.grid_layout import GridLayout, arrangement_of, grid_layout
from ckpt_tui.tui.details.grid_model import GridModel
from ckpt_tui.tui.details.ranks import CODES, RankCells, RankState

DONE, MISSING = CODES[RankState.DONE], CODES[RankState.MISSING]
COUNTS = st.one_of(st.integers(1, 300), st.sampled_from([4096, 10000, 16384]))
ROOMS = st.tuples(st.integers(1, 200), st.integers(1, 60))
AXES = st.one_of(
    st.none(), st.builds(ParallelAxis, st.just("PP"), st.integers(1, 40), st.integers(1, 500))
)


def layout_of(
    count: int, room: tuple[int, int], axis: ParallelAxis | None, zoom: int
) -> GridLayout:
    return grid_layout(arrangement_of(range(count), axis).sections, *room, zoom)


def cells_of(count: int, trouble: set[int], axes: tuple[ParallelAxis, ...] = ()) -> RankCells:
    codes = bytes(MISSING if rank in trouble else DONE for rank in range(count))
    return RankCells(tuple(range(count)), codes, {}, {}, False, axes=axes)


@settings(deadline=None, max_examples=60)
@given(COUNTS, ROOMS, AXES, st.integers(0, 20))
def test_every_rank_is_in_exactly_one_cell(
    count: int, room: tuple[int, int], axis: ParallelAxis | None, zoom: int
) -> None:
    width, most_rows = room
    layout = layout_of(count, room, axis, zoom)
    sections = arrangement_of(range(count), axis).sections
    places = [
        place
        for row in range(len(layout.rows))
        for column in range(layout.cells_in(row))
        for place in layout.places_in(row, column)
    ]
    assert places == list(range(count))
    assert layout.columns * layout.cell_width <= width
    assert all(layout.cells_in(row) <= layout.columns for row in range(len(layout.rows)))
    if zoom == 0:
        assert len(layout.rows) <= max(most_rows, len(sections))
    if zoom >= layout.most_zoom:
        assert layout.group == 1
    for place in (0, count // 2, count - 1):
        assert place in layout.places_in(*layout.cell_at(place))


@given(COUNTS, AXES)
def test_an_arrangement_holds_every_rank_once(count: int, axis: ParallelAxis | None) -> None:
    made = arrangement_of(range(count), axis)
    assert sorted(made.order) == list(range(count))
    for section in made.sections:
        ranks = made.order[section.start : section.start + section.length]
        assert list(ranks) == sorted(ranks)
        if axis is not None:
            assert {f"PP {number_on(axis, rank)}" for rank in ranks} == {section.label}


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 300), ROOMS, AXES, st.integers(0, 9))
def test_the_cursor_reaches_every_cell(
    count: int, room: tuple[int, int], axis: ParallelAxis | None, zoom: int
) -> None:
    model = GridModel()
    model.show(cells_of(count, set(), (axis,) if axis else ()), *room)
    if axis is not None:
        model.order_by_next_axis()
    model.zoom(zoom)
    model.go_to_cell(0, 0)
    seen = [*model.under_cursor]
    for _ in range(count):
        before = model.place
        model.step_on()
        if model.place == before:
            break
        seen += model.under_cursor
    assert sorted(seen) == list(range(count))
    end = model.place
    model.go_to_end()
    assert model.place == end
    for _ in range(count):
        model.step_back()
    assert model.cursor == (0, 0)
    model.step_rows(10**6)
    assert model.cursor[0] == len(model.layout.rows) - 1


@settings(deadline=None, max_examples=60)
@given(COUNTS, ROOMS, st.integers(0, 16383), st.integers(1, 15))
def test_zoom_in_and_out_comes_back_to_the_same_cell(
    count: int, room: tuple[int, int], rank: int, steps: int
) -> None:
    rank %= count
    model = GridModel()
    model.show(cells_of(count, {rank}), *room)
    layout, cursor = model.layout, model.cursor
    model.zoom(steps)
    assert rank in model.under_cursor
    assert model.layout.group == max(1, layout.group >> steps)
    model.zoom(-steps)
    assert (model.layout, model.cursor) == (layout, cursor)


def test_the_cursor_stays_on_its_rank_while_others_come_and_go() -> None:
    axes = nested_axes([("TP", 4), ("DP", 8), ("PP", 4)])
    model = GridModel()
    model.show(cells_of(128, {77}, axes), 80, 4)
    assert 77 in model.under_cursor
    model.order_by_next_axis()
    model.order_by_next_axis()
    assert model.axis == axes[1]
    assert 77 in model.under_cursor
    model.zoom(9)
    assert list(model.under_cursor) == [77]
    model.show(cells_of(128, {3, 77}, axes), 120, 9)
    assert list(model.under_cursor) == [77]
    model.go_to_trouble(1)
    assert list(model.under_cursor) == [3]
    model.order_by_next_axis()
    model.order_by_next_axis()
    assert model.axis is None
    assert list(model.under_cursor) == [3]
    model.show(cells_of(64, set()), 80, 4)
    assert list(model.under_cursor) == [3]
    model.show(cells_of(2, set()), 80, 4)
    assert list(model.under_cursor) == [1]


def test_only_rows_that_differ_are_told() -> None:
    model = GridModel()
    assert model.show(cells_of(256, set()), 80, 4) is None
    for row in range(4):
        model.states_of(row)
    assert model.show(cells_of(256, set()), 80, 4) == set()
    assert model.show(cells_of(256, {130}), 80, 4) == {2}
    assert model.show(cells_of(256, {130}), 80, 2) is None


@pytest.mark.parametrize(
    ("room", "group"), [((72, 8), 32), ((112, 16), 16), ((92, 32), 8), ((140, 200), 1)]
)
def test_sixteen_thousand_ranks(room: tuple[int, int], group: int) -> None:
    layout = layout_of(16384, room, None, 0)
    assert layout.group == group
    assert len(layout.rows) <= room[1]
    rows = layout_of(16384, room, ParallelAxis("PP", 16, 1024), 0).rows
    assert {row.label for row in rows} == {f"PP {stage}" for stage in range(16)}


def test_nothing_to_show() -> None:
    model = GridModel()
    model.show(cells_of(0, set()), 80, 4)
    assert model.layout.rows == ()
    assert model.under_cursor == ()
    assert model.gutter == 0
