"""CRC-32C (Castagnoli, RFC 3720 appendix B.4), which protects TensorBundle, sstables and OCDBT.

google-crc32c (extra `fast`) computes it at the memory's speed; our own table is slow, but right.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_POLYNOMIAL = 0x82F63B78
_MASK_DELTA = 0xA282EAD8
_COPIED_BYTES = 256 * 1024
"""So much stays in a core's cache between its copy and its checksum."""


@cache
def crc32c_function() -> Callable[[bytes | memoryview, int], int]:
    """What computes it here: (bytes, checksum of what came before) → checksum."""
    try:
        import google_crc32c
    except ImportError:
        return _slow
    if google_crc32c.implementation != "c":
        return _slow
    extend: Callable[[int, bytes], int] = google_crc32c.extend

    def fast(data: bytes | memoryview, before: int) -> int:
        if isinstance(data, bytes):
            return extend(before, data)
        view = memoryview(data).cast("B")
        for at in range(0, len(view), _COPIED_BYTES):  # it takes nothing but bytes
            before = extend(before, bytes(view[at : at + _COPIED_BYTES]))
        return before

    return fast


def crc32c(data: bytes | memoryview, before: int = 0) -> int:
    """The checksum of bytes, going on from that of the bytes before them.

    Args:
        data: Any number of bytes.
        before: What this returned for the bytes before; 0 at the start.
    """
    return crc32c_function()(data, before)


def unmasked(stored: int) -> int:
    """The checksum behind a masked one, as sstables and TensorBundle store it.

    A checksum of bytes that hold checksums is weak, so LevelDB rotates it and adds a constant
    (`util/crc32c.h`).
    """
    rotated = (stored - _MASK_DELTA) & 0xFFFFFFFF
    return ((rotated >> 17) | (rotated << 15)) & 0xFFFFFFFF


@cache
def _tables() -> tuple[tuple[int, ...], ...]:
    """Tables for eight bytes at a time (Kounavis and Berry, slicing by 8)."""
    first = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = (value >> 1) ^ (_POLYNOMIAL if value & 1 else 0)
        first.append(value)
    tables = [first]
    for _ in range(7):
        tables.append([(value >> 8) ^ first[value & 0xFF] for value in tables[-1]])
    return tuple(map(tuple, tables))


def _slow(data: bytes | memoryview, before: int) -> int:
    t0, t1, t2, t3, t4, t5, t6, t7 = _tables()
    view = memoryview(data).cast("B")
    crc = before ^ 0xFFFFFFFF
    whole = len(view) - len(view) % 8
    for word in view[:whole].cast("Q"):
        mixed = word ^ crc
        crc = (
            t7[mixed & 0xFF]
            ^ t6[(mixed >> 8) & 0xFF]
            ^ t5[(mixed >> 16) & 0xFF]
            ^ t4[(mixed >> 24) & 0xFF]
            ^ t3[(mixed >> 32) & 0xFF]
            ^ t2[(mixed >> 40) & 0xFF]
            ^ t1[(mixed >> 48) & 0xFF]
            ^ t0[mixed >> 56]
        )
    for byte in view[whole:]:
        crc = (crc >> 8) ^ t0[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF
