"""CRC-32 as fast as this installation can: isal (extra `fast`), else zlib."""

from __future__ import annotations

import zlib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def crc32_function() -> Callable[[bytes | memoryview, int], int]:
    """What computes it here: (bytes, checksum of what came before) → checksum.

    Both let other threads run meanwhile.
    """
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib.crc32
    fast: Callable[[bytes | memoryview, int], int] = isal_zlib.crc32
    return fast
