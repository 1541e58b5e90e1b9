"""msgpack, npy and GGUF: arrays that lie in the file as they are; nothing protects them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.gguf_header import MAGIC as GGUF
from ckpt_tui.artifacts.gguf_header import read_gguf_header
from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.artifacts.npy_header import MAGIC, read_npy
from ckpt_tui.artifacts.stored_array import StoredArray, float_pieces
from ckpt_tui.formats.shared.tensor_walk import MOST_NODES
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS
from ckpt_tui.verify.examined import STRUCTURE
from ckpt_tui.verify.finite.scan import FloatPart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.verify.examined import Examined, FileJob


def check(job: FileJob, found: Examined) -> None:
    """Walks the file from its first byte to its last.

    Raises:
        ArtifactError: The structure cannot be right.
    """
    found.method = STRUCTURE
    _read(job)


def floats(job: FileJob) -> Iterator[FloatPart]:
    """The floating arrays.

    Raises:
        ArtifactError: It cannot be read.
    """
    for piece in float_pieces(_arrays(_read(job))):
        pieces = job.stream.pieces(piece.offset, piece.length)
        yield FloatPart(piece.name, piece.dtype, pieces, piece.big_endian)


def _read(job: FileJob) -> object:
    if job.start.startswith(MAGIC):
        return read_npy(job.stream)
    if job.start.startswith(GGUF):
        return dict(read_gguf_header(job.stream, LISTING_LIMITS).tensors)
    return read_msgpack(job.stream, LISTING_LIMITS)


def _arrays(value: object) -> Iterator[tuple[str, StoredArray]]:
    """All arrays below a value, each with the keys that lead to it."""
    pending: list[tuple[str, object]] = [("", value)]
    for _ in range(MOST_NODES):
        if not pending:
            return
        name, node = pending.pop()
        if isinstance(node, StoredArray):
            yield name, node
        elif isinstance(node, dict):
            pending += [(f"{name}.{key}".lstrip("."), part) for key, part in node.items()]
        elif isinstance(node, list):
            pending += [(f"{name}.{place}".lstrip("."), part) for place, part in enumerate(node)]
