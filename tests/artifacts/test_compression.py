"""Files that a loop compressed: read within bounds, and cut ones told from damaged ones."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import sys
from typing import TYPE_CHECKING

import pytest
from backports import zstd

from ckpt_tui.artifacts.compression import compression_of, decompressed
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.memory_source import MemorySource

if TYPE_CHECKING:
    from collections.abc import Callable

CONTENT = bytes(range(256)) * 20 + b"the end"


def as_lzma(data: bytes) -> bytes:
    return lzma.compress(data, format=lzma.FORMAT_ALONE)


EVERY = pytest.mark.parametrize(
    "compress", [gzip.compress, bz2.compress, lzma.compress, as_lzma, zstd.compress]
)
CHECKED = pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])


def content(data: bytes, limits: Limits | None = None) -> bytes:
    source = MemorySource(data, "state.pkl.x")
    compression = compression_of(source)
    assert compression is not None
    found = decompressed(source, compression, limits or Limits())
    return found.read_at(0, found.size)


def refusal(data: bytes, limits: Limits | None = None) -> tuple[str, str]:
    with pytest.raises(ArtifactError) as raised:
        content(data, limits)
    return raised.value.code, raised.value.message


@EVERY
def test_members_one_after_the_other(compress: Callable[[bytes], bytes]) -> None:
    assert content(compress(CONTENT) + compress(b"more")) == CONTENT + b"more"
    assert content(compress(CONTENT) + bytes(8)) == CONTENT
    assert content(compress(b"")) == b""


@EVERY
def test_a_bomb_stops_at_the_bound(compress: Callable[[bytes], bytes]) -> None:
    bomb = compress(bytes(1 << 22))
    code, message = refusal(bomb, Limits(metadata_bytes=1000))
    assert (code, "1000 bytes, compressed" in message) == ("limit-exceeded", True)
    assert len(content(bomb, Limits(metadata_bytes=1 << 22))) == 1 << 22


@EVERY
def test_what_cannot_be_compressed_is_read_up_to_the_bound(
    compress: Callable[[bytes], bytes],
) -> None:
    noise = random.Random(0).randbytes(50_000)
    assert content(compress(noise), Limits(metadata_bytes=50_000)) == noise
    assert refusal(compress(noise), Limits(metadata_bytes=49_999))[0] == "limit-exceeded"


def test_a_file_larger_than_the_bound_is_not_decompressed() -> None:
    """bzip2 would take a second for each 30 MB of it."""
    no_stream = b"BZh9" + bytes(8_000)
    assert refusal(no_stream, Limits(metadata_bytes=1000))[0] == "limit-exceeded"
    assert refusal(no_stream)[0] == "unreadable-archive"


@EVERY
def test_of_a_cut_file_there_is_the_beginning(compress: Callable[[bytes], bytes]) -> None:
    start = compress(CONTENT)
    assert content(start + compress(CONTENT)[:-1]).startswith(CONTENT)
    code, message = refusal(start[:11])
    assert (code, "ends before its first block" in message) == ("truncated-file", True)


@CHECKED
def test_damage(compress: Callable[[bytes], bytes]) -> None:
    damaged = bytearray(compress(CONTENT))
    damaged[len(damaged) // 2] ^= 16
    code, message = refusal(bytes(damaged))
    assert (code, "data is damaged" in message) == ("unreadable-archive", True)


def test_a_wrong_checksum_at_the_end_of_gzip() -> None:
    damaged = bytearray(gzip.compress(CONTENT))
    damaged[-6] ^= 1
    assert refusal(bytes(damaged))[0] == "unreadable-archive"


def test_a_dictionary_that_takes_too_much_memory() -> None:
    huge = {"id": lzma.FILTER_LZMA1, "dict_size": 1 << 20}
    header = bytearray(lzma.compress(b"x", format=lzma.FORMAT_ALONE, filters=[huge]))
    header[1:5] = (3 << 29).to_bytes(4, "little")
    code, message = refusal(bytes(header))
    assert (code, "takes more memory" in message) == ("limit-exceeded", True)


def test_a_window_that_takes_too_much_memory() -> None:
    """A frame header says 2 GiB (RFC 8878, 3.1.1.1.2)."""
    code, message = refusal(b"\x28\xb5\x2f\xfd\x00" + bytes([21 << 3]) + bytes(20))
    assert (code, "takes more memory" in message) == ("limit-exceeded", True)


def test_a_python_without_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lzma", None)
    code, message = refusal(lzma.compress(CONTENT))
    assert (code, "lacks what decompresses xz" in message) == ("unsupported-version", True)


@pytest.mark.parametrize("start", [b"", b"\x80\x04", b"]q\0", b"(lp0\n", b"B\x05\0\0\0"])
def test_a_pickle_is_not_compressed(start: bytes) -> None:
    assert compression_of(MemorySource(start, "x")) is None
