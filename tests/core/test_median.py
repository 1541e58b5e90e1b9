"""The median, as the standard library has it."""

from __future__ import annotations

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.median import median


@given(st.lists(st.integers() | st.floats(-1e9, 1e9), min_size=1))
def test_as_the_standard_library(values: list[float]) -> None:
    assert median(values) == pytest.approx(statistics.median(values))


def test_of_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        median([])
