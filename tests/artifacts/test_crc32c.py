"""CRC-32C, fast and plain, against published values and against each other."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts import crc32c

PUBLISHED = [  # RFC 3720, appendix B.4
    (bytes(32), 0x8A9136AA),
    (b"\xff" * 32, 0x62A8AB43),
    (bytes(range(32)), 0x46DD794E),
    (bytes(reversed(range(32))), 0x113FDB5C),
    (b"123456789", 0xE3069283),
    (b"", 0),
]


@pytest.mark.parametrize("function", [crc32c.crc32c, crc32c._slow])
@pytest.mark.parametrize(("data", "expected"), PUBLISHED)
def test_published_values(function, data: bytes, expected: int) -> None:
    assert function(data, 0) == expected


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_the_plain_way_agrees_with_the_fast_one_and_goes_on(first: bytes, second: bytes) -> None:
    whole = crc32c._slow(first + second, 0)
    assert crc32c._slow(second, crc32c._slow(first, 0)) == whole
    assert crc32c.crc32c(memoryview(first + second)) == whole


@given(st.integers(0, 2**32 - 1))
def test_a_masked_value_comes_back(value: int) -> None:
    rotated = ((value >> 15) | (value << 17)) & 0xFFFFFFFF
    assert crc32c.unmasked((rotated + 0xA282EAD8) & 0xFFFFFFFF) == value


def test_without_the_library_it_is_computed_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google_crc32c", None)
    crc32c.crc32c_function.cache_clear()
    try:
        assert crc32c.crc32c_function() is crc32c._slow
        assert crc32c.crc32c(b"123456789") == 0xE3069283
    finally:
        crc32c.crc32c_function.cache_clear()
