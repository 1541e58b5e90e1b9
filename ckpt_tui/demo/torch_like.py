"""Write files that `torch.load(weights_only=True)` accepts, without torch.

The layout is what `torch.save` of torch 2.x leaves: a stored zip whose records lie below one
root and start at multiples of 64 bytes; `data.pkl` is a protocol 2 pickle in which a tensor is
`torch._utils._rebuild_tensor_v2` of a persistent ID
`('storage', torch.FloatStorage, key, 'cpu', numel)`; `data/KEY` are the raw storages.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from ckpt_tui.demo.torch_pickle import TorchPickler
from ckpt_tui.demo.torch_zip import ALIGNMENT_BYTES, TorchArchive

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ckpt_tui.demo.torch_values import Piece, Tree


def torch_file(tree: Tree, root: str) -> list[bytes]:
    """A checkpoint file as `torch.save` writes it, in pieces that follow each other.

    Args:
        tree: What to store; no `Zeros` in it.
        root: The name above all records; torch takes the stem of the file's name.

    Raises:
        ValueError: A tensor's bytes do not fit its shape and type, or its type is unknown.
    """
    return [piece for piece in sparse_torch_file(tree, root) if isinstance(piece, bytes)]


def sparse_torch_file(tree: Tree, root: str) -> list[Piece]:
    """The same, where tensors of zeros are holes."""
    pickler = TorchPickler()
    pickled = pickler.pickle(tree)
    archive = TorchArchive(root)
    archive.add("data.pkl", pickled)
    archive.add(".format_version", b"1")
    archive.add(".storage_alignment", str(ALIGNMENT_BYTES).encode())
    archive.add("byteorder", b"little")
    for key, data in enumerate(pickler.storages):
        archive.add(f"data/{key}", data)
    archive.add("version", b"3\n")
    archive.add(".data/serialization_id", f"{zlib.crc32(pickled):040}".encode())
    return archive.finish()


def rechunk(pieces: Iterable[bytes], chunk_bytes: int) -> Iterator[bytes]:
    """The same bytes in chunks of at most `chunk_bytes`, to be written one after the other."""
    joined = memoryview(b"".join(pieces))
    for start in range(0, len(joined), chunk_bytes):
        yield bytes(joined[start : start + chunk_bytes])
