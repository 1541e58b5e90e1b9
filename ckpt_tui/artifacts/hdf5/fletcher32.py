"""Fletcher's checksum as HDF5's filter of that name stores it behind each chunk."""

from __future__ import annotations

import sys
from array import array
from itertools import accumulate

FLETCHER32_BYTES = 4
_MODULUS = 0xFFFF
_WORDS_AT_ONCE = 1 << 15


def fletcher32(data: bytes) -> int:
    """The checksum over big-endian 16-bit words; a last odd byte counts as a word's first half."""
    words = array("H", data + b"\0" if len(data) % 2 else data)
    if sys.byteorder == "little":
        words.byteswap()
    first = second = 0
    for at in range(0, len(words), _WORDS_AT_ONCE):
        part = words[at : at + _WORDS_AT_ONCE]
        second += len(part) * first + sum(accumulate(part))
        first += sum(part)
        first, second = _folded(first), _folded(second)
    return second << 16 | first


def has_fletcher32(data: bytes) -> bool:
    """Whether the last four bytes are the checksum of those before.

    Writers before HDF5 1.6.3 stored it with its bytes swapped in pairs, which readers accept.
    """
    body, stored = data[:-FLETCHER32_BYTES], data[-FLETCHER32_BYTES:]
    if len(stored) < FLETCHER32_BYTES:
        return False
    swapped = bytes((stored[1], stored[0], stored[3], stored[2]))
    wanted = fletcher32(body).to_bytes(FLETCHER32_BYTES, "little")
    return wanted in (stored, swapped)


def _folded(total: int) -> int:
    """A sum modulo 65535, with 65535 for the multiples of it other than 0."""
    return (total - 1) % _MODULUS + 1 if total else 0
