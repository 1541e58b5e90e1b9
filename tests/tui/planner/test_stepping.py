from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.planner.units import parse_number
from ckpt_tui.tui.planner.stepping import stepped


@pytest.mark.parametrize(
    ("text", "up", "down"),
    [
        ("2", "3", "1"),
        ("24h", "25h", "23h"),
        ("120", "130", "110"),
        ("0.02", "0.03", "0.01"),
        ("5%", "6%", "4%"),
        ("100", "110", "99"),
        ("2.5m", "2.6m", "2.4m"),
        ("0.01", "0.02", "0.009"),
        ("0", "1", "0"),
        (" 8 m ", "9m", "7m"),
    ],
)
def test_a_single_number_steps(text: str, up: str, down: str) -> None:
    assert (stepped(text, 1), stepped(text, -1)) == (up, down)


@pytest.mark.parametrize("text", ["", "15,30", "2m10s", "x", "-3", "1e3", "6.5/1000 node-days x 8"])
def test_other_texts_do_not(text: str) -> None:
    assert stepped(text, 1) is None


@given(st.decimals(0, 10**9, places=3))
def test_up_grows_and_down_never_passes_zero(number: object) -> None:
    value = parse_number(str(number))
    assert parse_number(stepped(str(number), 1) or "") > value
    assert 0 <= parse_number(stepped(str(number), -1) or "") <= value
