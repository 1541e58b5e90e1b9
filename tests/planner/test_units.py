from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.planner import units


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("2m", 2),
        ("40s", 40 / 60),
        ("24h", 1440),
        ("54d", 54 * 1440),
        ("2w", 20160),
        ("2m10s", 2 + 10 / 60),
        ("1h 30m", 90),
        ("1.5h", 90),
        (".5h", 30),
        ("2.m", 2),
        ("90 min", 90),
        ("3 Hours", 180),
        ("500ms", 1 / 120),
        ("15", 15),
        ("0", 0),
        (" 2.5 ", 2.5),
        ("1e3", 1000),
        ("1e-05s", 1e-5 / 60),
    ],
)
def test_durations(text: str, minutes: float) -> None:
    assert units.parse_duration(text) == pytest.approx(minutes, rel=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "m",
        "2x",
        "-2m",
        "+2m",
        "2m 3",
        "10s2m",
        "2m2m",
        "nan",
        "inf",
        "1e999",
        "1,5h",
        "2m;rm",
        "٣m",
        "0x10",
        "1_000",
        "9" * 400,
        "True",
    ],
)
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        units.parse_duration(text)


@settings(deadline=None)
@given(st.floats(1e-6, 1e300))
def test_a_written_duration_reads_back(minutes: float) -> None:
    text = units.format_duration(minutes)
    read = units.parse_duration(text)
    assert read == pytest.approx(minutes, rel=0.0085)
    assert units.format_duration(read) == text


@settings(deadline=None)
@given(st.integers(60, 10**8))
def test_whole_seconds_read_back_exactly(seconds: int) -> None:
    read = units.parse_duration(units.format_duration(seconds / 60))
    assert round(read * 60) == seconds


@pytest.mark.parametrize(
    ("minutes", "text"),
    [
        (0, "0s"),
        (0.1, "6s"),
        (2, "2m"),
        (2 + 10 / 60, "2m10s"),
        (59.9999 / 60, "1m"),
        (1440, "1d"),
        (45 + 19 / 60, "45m19s"),
        (108.215255, "1h48m13s"),
        (1441, "1d1m"),
        (1e30, "6.94e+26d"),
    ],
)
def test_written_durations(minutes: float, text: str) -> None:
    assert units.format_duration(minutes) == text


@pytest.mark.parametrize("minutes", [-1, math.inf, math.nan])
def test_what_cannot_be_written(minutes: float) -> None:
    with pytest.raises(ValueError, match="at least 0"):
        units.format_duration(minutes)


@pytest.mark.parametrize(
    ("text", "per_hour"),
    [
        ("0.02", 0.02),
        ("0", 0),
        ("0.02/h", 0.02),
        ("0.02 per hour", 0.02),
        ("2/d", 2 / 24),
        ("1/week", 1 / 168),
        ("50h", 0.02),
        ("7.9h", 1 / 7.9),
        ("2d2h", 0.02),
        ("6.5/1000 node-days x 2048", 1 / 1.8028846153846154),
        ("6.5/1000nd*2048 nodes", 1 / 1.8028846153846154),
    ],
)
def test_rates(text: str, per_hour: float) -> None:
    assert units.parse_rate(text) == pytest.approx(per_hour, rel=1e-12)


@pytest.mark.parametrize("text", ["", "-1", "0h", "2/furlong", "1/", "nan", "inf", "0.02/h/h"])
def test_what_is_no_rate(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        units.parse_rate(text)


@pytest.mark.parametrize(
    ("text", "share"), [("5%", 0.05), ("5 %", 0.05), ("0.05", 0.05), ("100%", 1), ("1", 1)]
)
def test_shares(text: str, share: float) -> None:
    assert units.parse_share(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["5", "75", "101%", "5%%", "%", "-5%", "", "nan"])
def test_what_is_no_share(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        units.parse_share(text)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1024", 1024),
        ("2.3 TB", 2_300_000_000_000),
        ("1.25TiB", 1_374_389_534_720),
        ("900M", 900_000_000),
        ("7 bytes", 7),
    ],
)
def test_sizes(text: str, size: int) -> None:
    assert units.parse_bytes(text) == size


@pytest.mark.parametrize("text", ["", "TB", "1.5QB", "-1", "1 i"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        units.parse_bytes(text)


@pytest.mark.parametrize(("text", "count"), [("8", 8), ("16,384", 16384), ("16_384", 16384)])
def test_counts(text: str, count: int) -> None:
    assert units.parse_count(text) == count


@pytest.mark.parametrize("text", ["", "1.5", "-1", "1,2", "²", "9" * 30])
def test_what_is_no_count(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        units.parse_count(text)


@pytest.mark.parametrize(
    ("text", "intervals"),
    [
        ("15,30,60,120", (15, 30, 60, 120)),
        ("15 30 60 120", (15, 30, 60, 120)),
        ("15 min, 1h", (15, 60)),
        ("15m;30m;15m", (15, 30)),
        ("60 15 60", (60, 15)),
        ("  2h  ", (120,)),
    ],
)
def test_interval_lists(text: str, intervals: tuple[float, ...]) -> None:
    assert units.parse_intervals(text) == intervals


def test_intervals_in_steps_need_a_step_time() -> None:
    assert units.parse_intervals("100 steps, 30m", 105.0) == (175, 30)
    with pytest.raises(ValueError, match="step time"):
        units.parse_intervals("100steps")


@pytest.mark.parametrize("text", ["", ",", "15,x", "15,-3"])
def test_what_is_no_interval_list(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        units.parse_intervals(text)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (
        units.parse_duration,
        units.parse_rate,
        units.parse_share,
        units.parse_bytes,
        units.parse_count,
        units.parse_number,
    ):
        try:
            value = read(text)
        except ValueError:
            continue
        assert 0 <= value < math.inf
