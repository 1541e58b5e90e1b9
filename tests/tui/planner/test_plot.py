from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.tui.planner import plot


def test_a_rising_line_in_braille() -> None:
    heights = [0.01, 0.26, 0.51, 0.76]
    assert plot.braille_rows(heights, 1) == ["⡠⠊"]


def test_a_rising_line_in_ascii() -> None:
    assert plot.ascii_rows([0.1, 0.4, 0.6, 0.9], 4) == ["   *", "  * ", " *  ", "*   "]


def test_a_jump_leaves_no_hole() -> None:
    rows = plot.ascii_rows([0.05, 0.95], 5)
    assert rows == [" *", " *", " *", " *", "* "]


def test_what_is_too_high_runs_out_at_the_top() -> None:
    rows = plot.ascii_rows([0.5, 9.0, 9.0], 4)
    assert rows[0] == " * "
    assert all(row[2] == " " for row in rows)


def test_across_is_logarithmic() -> None:
    scale = plot.Scale(10, 1000, 0, 1)
    assert scale.across(100) == pytest.approx(0.5)
    assert scale.across(5) < 0
    assert scale.across(2000) > 1


def test_heights_follow_the_points() -> None:
    points = [(1.0, 0.0), (10.0, 1.0), (100.0, 0.0)]
    heights = plot.heights_across(points, plot.Scale(1, 100, 0, 1), 4)
    assert heights == pytest.approx([0.25, 0.75, 0.75, 0.25])


@given(
    st.lists(st.floats(0, 1e6), min_size=2, max_size=50),
    st.integers(1, 60),
    st.integers(1, 20),
)
def test_any_curve_stays_in_its_frame(ys: list[float], columns: int, rows: int) -> None:
    points = [(2.0**index, y) for index, y in enumerate(ys)]
    scale = plot.scale_for(points)
    heights = plot.heights_across(points, scale, 2 * columns)
    drawn = plot.braille_rows(heights, rows)
    assert len(drawn) == rows
    assert {len(row) for row in drawn} == {columns}
    plain = plot.ascii_rows(heights, rows)
    assert {len(row) for row in plain} == {2 * columns}
