"""Decompresses piece by piece: a bomb makes no more than a piece at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.zstd import new_decompressor

if TYPE_CHECKING:
    import zlib
    from collections.abc import Iterable, Iterator

_PIECE_BYTES: Final = 1024 * 1024


def inflated(inflater: zlib._Decompress, data: bytes | memoryview) -> Iterator[bytes]:
    """What some input of a deflate stream makes; the rest of the input stays in `unused_data`.

    Raises:
        zlib.error: It is no such stream.
    """
    while True:
        content = inflater.decompress(data, _PIECE_BYTES)
        yield content
        data = inflater.unconsumed_tail
        if inflater.eof or (not data and len(content) < _PIECE_BYTES):
            return


def unzstd(pieces: Iterable[bytes | memoryview], what: str, path: str) -> Iterator[bytes]:
    """What one whole zstd frame makes; its checksum is compared where it has one.

    Args:
        pieces: The frame and nothing else.
        what: Its name, for messages.
        path: The file, for messages.

    Raises:
        ArtifactError: ``unreadable-archive``: it is no frame, or a damaged one; ``truncated-file``.
    """
    decompressor, error_kind = new_decompressor()
    behind = 0
    try:
        for piece in pieces:
            data: bytes | memoryview = piece
            behind += len(piece) if decompressor.eof else 0
            while not decompressor.eof:
                content = decompressor.decompress(data, _PIECE_BYTES)
                yield content
                data = b""
                if decompressor.needs_input and not content:
                    break
    except error_kind as error:
        message = f"the zstd frame of {what} does not decompress: {error}"
        raise ArtifactError("unreadable-archive", message, path) from error
    if not decompressor.eof:
        raise ArtifactError("truncated-file", f"the zstd frame of {what} has no end", path)
    behind += len(decompressor.unused_data)
    if behind:
        message = f"{behind} bytes follow the zstd frame of {what}"
        raise ArtifactError("size-mismatch", message, path)
