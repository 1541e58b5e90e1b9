from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.text import age_text, bytes_text, duration_text, plural, ranks_text, words

KIB, MIB, GIB, TIB = 1024, 1024**2, 1024**3, 1024**4


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (None, "–"),
        (0, "0 B"),
        (999, "999 B"),
        (1000, "0.98 KiB"),
        (KIB, "1.00 KiB"),
        (912 * GIB, "912 GiB"),
        (1.25 * TIB, "1.25 TiB"),
        (99.94 * MIB, "99.9 MiB"),
        (99.96 * MIB, "100 MiB"),
        (9.996 * MIB, "10.0 MiB"),
        (2000 * 1024**5, "2000 PiB"),
    ],
)
def test_bytes(size: float | None, text: str) -> None:
    assert bytes_text(size) == text


@given(st.integers(0, 1024**6 - 1))
def test_bytes_keep_at_most_three_digits_below_the_last_unit(size: int) -> None:
    number, unit = bytes_text(size).split(" ")
    assert unit == "PiB" or len(number.replace(".", "")) <= 3


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (0.4, "0.4 s"),
        (9.96, "10 s"),
        (38, "38 s"),
        (59.6, "1m 00s"),
        (131, "2m 11s"),
        (3599.7, "1h 00m"),
        (4440, "1h 14m"),
        (86400, "1d 00h"),
        (3 * 86400 + 4 * 3600, "3d 04h"),
        (-131, "-2m 11s"),
    ],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert duration_text(seconds) == text


@given(st.floats(0, 1e9))
def test_durations_name_at_most_two_units(seconds: float) -> None:
    assert re.fullmatch(r"[\d.]+ s|\d+m \d\ds|\d+h \d\dm|\d+d \d\dh", duration_text(seconds))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (0.2, "now"),
        (-5, "now"),
        (38, "38s"),
        (840, "14m"),
        (4440, "1h 14m"),
        (2 * 86400 + 3600, "2d 1h"),
        (20 * 86400, "20d"),
    ],
)
def test_ages(seconds: float | None, text: str) -> None:
    assert age_text(seconds) == text


@pytest.mark.parametrize(
    ("ranks", "text"),
    [
        ((), "ranks –"),
        ((3,), "rank 3"),
        ((3, 3), "rank 3"),
        ((7, 0, 1, 2, 3), "ranks 0–3, 7"),
        (tuple(range(0, 20, 2)), "ranks 0, 2, 4, 6, 8, 10 … (10 in all)"),
    ],
)
def test_ranks(ranks: tuple[int, ...], text: str) -> None:
    assert ranks_text(ranks) == text


@pytest.mark.parametrize(("count", "text"), [(0, "0 files"), (1, "1 file"), (3, "3 files")])
def test_plural(count: int, text: str) -> None:
    assert plural(count, "file") == text


@pytest.mark.parametrize(
    ("parts", "text"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_words(parts: tuple[str, ...], text: str) -> None:
    assert words(parts) == text
