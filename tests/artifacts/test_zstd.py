"""Zstandard frames within a bound."""

from __future__ import annotations

import contextlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.zstd import MAGIC, decompress

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


@given(st.binary(max_size=500))
def test_a_frame_gives_its_content(content: bytes) -> None:
    frame = zstd.compress(content)
    assert frame.startswith(MAGIC)
    assert decompress(memoryview(frame), len(content)) == content


def test_a_frame_that_holds_more_than_the_bound_is_left() -> None:
    frame = zstd.compress(bytes(10_000_000))
    with pytest.raises(ArtifactError, match="more than the limit of 1000 bytes") as caught:
        decompress(frame, 1000, "a")
    assert caught.value.code == "limit-exceeded"


@pytest.mark.parametrize("cut", [1, 5, 9])
def test_a_frame_that_is_cut_is_damaged(cut: int) -> None:
    frame = zstd.compress(bytes(range(256)) * 4)
    with pytest.raises(ArtifactError) as caught:
        decompress(frame[:-cut], 5000)
    assert caught.value.code == "unreadable-archive"


@given(st.binary(max_size=100))
def test_other_bytes_are_refused_or_an_empty_content(data: bytes) -> None:
    with contextlib.suppress(ArtifactError):
        assert len(decompress(MAGIC + data, 1000)) <= 1000
