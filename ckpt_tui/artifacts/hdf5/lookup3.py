"""Bob Jenkins' lookup3 hash, the checksum of HDF5's metadata since version 2 of its structures."""

from __future__ import annotations

import struct

_MASK = 0xFFFFFFFF
_START = 0xDEADBEEF
_MIX = ((4, 0, 2), (6, 1, 0), (8, 2, 1), (16, 0, 2), (19, 1, 0), (4, 2, 1))
_FINAL = ((2, 1, 14), (0, 2, 11), (1, 0, 25), (2, 1, 16), (0, 2, 4), (1, 0, 14), (2, 1, 24))


def lookup3(data: bytes) -> int:
    """The 32-bit checksum of the bytes, as libhdf5's `H5_checksum_metadata` computes it."""
    a = b = c = (_START + len(data)) & _MASK
    if not data:
        return c
    whole = (len(data) - 1) // 12 * 12
    for first, second, third in struct.iter_unpack("<3I", data[:whole]):
        a, b, c = _mixed(a + first & _MASK, b + second & _MASK, c + third & _MASK)
    first, second, third = struct.unpack("<3I", data[whole:].ljust(12, b"\0"))
    return _finished(a + first & _MASK, b + second & _MASK, c + third & _MASK)


def _rotated(value: int, by: int) -> int:
    return (value << by | value >> 32 - by) & _MASK


def _mixed(a: int, b: int, c: int) -> tuple[int, int, int]:
    words = [a, b, c]
    for by, target, source in _MIX:
        changed = (words[target] - words[source] & _MASK) ^ _rotated(words[source], by)
        words[target] = changed
        words[source] = words[source] + words[3 - target - source] & _MASK
    return words[0], words[1], words[2]


def _finished(a: int, b: int, c: int) -> int:
    words = [a, b, c]
    for target, source, by in _FINAL:
        changed = words[target] ^ words[source]
        words[target] = changed - _rotated(words[source], by) & _MASK
    return words[2]
