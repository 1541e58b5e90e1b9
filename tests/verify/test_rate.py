"""The rate of late, and the time that is left at it."""

from __future__ import annotations

import pytest

from ckpt_tui.verify.rate import WINDOW_SECONDS, ReadRate
from ckpt_tui.verify.results import Progress


def _at(read: int, total: int = 1000) -> Progress:
    return Progress("/r/a", read, total, 0, 1, 0)


def test_no_rate_is_guessed_from_an_instant() -> None:
    rate = ReadRate()
    assert rate.bytes_per_second is None
    rate.note(_at(0), 0.0)
    rate.note(_at(500), 0.5)
    assert rate.bytes_per_second is None
    assert rate.left_seconds(_at(500)) is None


def test_the_rate_is_that_of_the_last_seconds() -> None:
    rate = ReadRate()
    for second in range(20):
        rate.note(_at(10 * second if second < 10 else 100 + 50 * (second - 10)), float(second))
    assert WINDOW_SECONDS <= 6
    assert rate.bytes_per_second == pytest.approx(50.0)
    assert rate.left_seconds(_at(550)) == pytest.approx(9.0)


def test_what_stands_still_has_no_time_left() -> None:
    rate = ReadRate()
    for second in range(20):
        rate.note(_at(100), float(second))
    assert rate.bytes_per_second == 0
    assert rate.left_seconds(_at(100)) is None


@pytest.mark.parametrize("read", [999, 1000, 1500])
def test_of_more_than_was_expected_no_time_is_told(read: int) -> None:
    rate = ReadRate()
    rate.note(_at(0), 0.0)
    rate.note(_at(read), 2.0)
    assert rate.left_seconds(_at(read)) is None
