from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.tui.planner import figures


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (109.5445, "109.5 min"),
        (120.0, "120 min"),
        (0.8, "48 s"),
        (0.0995, "5.97 s"),
        (0.96, "1 min"),
        (0.0, "0 s"),
        (1440.0, "1d 00h"),
        (1e300, "> 100 years"),
        (float("inf"), "> 100 years"),
    ],
)
def test_interval_text(minutes: float, text: str) -> None:
    assert figures.interval_text(minutes) == text


def test_span_names_a_shared_unit_once() -> None:
    assert figures.span_text(78.9, 148.2) == "78.9 to 148.2 min"
    assert figures.span_text(0.5, 2.0) == "30 s to 2 min"
    assert figures.span_text(900, 1440) == "900 min to 1d 00h"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0404, "4.04 %"), (0.0, "0.00 %"), (1e-9, "< 0.01 %"), (3.4, "340 %"), (1e9, "1e+11 %")],
)
def test_percent(share: float, text: str) -> None:
    assert figures.percent(share) == text


@given(st.floats(0, 1e15))
def test_cells_stay_short(value: float) -> None:
    assert len(figures.minutes_cell(value)) <= 8
    assert len(figures.faults_cell(value)) <= 8
    assert len(figures.percent(value)) <= 9
