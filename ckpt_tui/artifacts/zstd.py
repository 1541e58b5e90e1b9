"""Zstandard frames (RFC 8878), decompressed within a bound."""

from __future__ import annotations

import sys
from typing import Any

from ckpt_tui.artifacts.limits import ArtifactError

MAGIC = b"\x28\xb5\x2f\xfd"


def decompress(data: bytes | memoryview, most_bytes: int, path: str = "") -> bytes:
    """The content of one whole frame.

    Args:
        data: The frame and nothing else.
        most_bytes: More than this is not made of it.
        path: The file, for messages.

    Raises:
        ArtifactError: ``limit-exceeded`` for more content than the bound; ``unreadable-archive``
            for what is no frame, or one that is cut or damaged.
    """
    zstd = _module()
    try:
        decompressor = zstd.ZstdDecompressor()
        content: bytes = decompressor.decompress(bytes(data), most_bytes + 1)
    except zstd.ZstdError as error:
        raise ArtifactError(
            "unreadable-archive", f"a zstd frame is damaged: {error}", path
        ) from error
    if len(content) > most_bytes:
        message = f"a zstd frame holds more than the limit of {most_bytes} bytes"
        raise ArtifactError("limit-exceeded", message, path)
    if not decompressor.eof:
        raise ArtifactError("unreadable-archive", "a zstd frame ends before its end", path)
    return content


def new_decompressor() -> tuple[Any, type[Exception]]:
    """What decompresses one frame piece by piece, and what it raises for damage."""
    zstd = _module()
    return zstd.ZstdDecompressor(), zstd.ZstdError


def _module() -> Any:
    """The same module in two places; it is in the standard library from Python 3.14 on."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd
