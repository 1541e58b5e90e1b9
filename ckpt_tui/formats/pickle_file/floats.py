"""The floating arrays of a pickle and where their bytes lie, for whoever looks for NaN and Inf.

Nothing in a pickle protects its bytes: there is no checksum, and a flipped bit in an array loads
as another number. Only the structure can be checked, and that each array has the bytes it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.compression import compression_of
from ckpt_tui.artifacts.numpy_dtypes import is_floating
from ckpt_tui.artifacts.pickle_arrays import read_array_pickle
from ckpt_tui.formats.shared.tensor_walk import MOST_NODES, walk_tensors

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source


class FloatArray(NamedTuple):
    """One array whose elements can be NaN or infinite.

    Attributes:
        name: Dotted path of keys that leads to it.
        dtype: Such as `float32`, `bfloat16`, `float8_e4m3fn`, `complex64`.
        size_bytes: Bytes of its elements, which lie one behind the other.
        big_endian: Byte order of an element.
        offset: Their first byte in the file; None where the bytes are in `inline`, or are stored
            as text or compressed and cannot be read in place.
        inline: The bytes, where they are few; else None.
    """

    name: str
    dtype: str
    size_bytes: int
    big_endian: bool
    offset: int | None
    inline: bytes | None


def floating_arrays(source: Source, limits: Limits) -> list[FloatArray]:
    """All floating arrays of a file of pickles; one that several keys share comes once.

    Args:
        source: The file, as `pickle.dump` or `paddle.save` wrote it.
        limits: Bounds of what is read beside the arrays, which are passed over.

    Raises:
        ArtifactError: It cannot be read as a pickle.
    """
    if compression_of(source) is not None:
        return []
    pickle = read_array_pickle(source, limits)
    found: dict[str, FloatArray] = {}
    for name, info in walk_tensors(pickle.values, "", MOST_NODES):
        held = pickle.stored.get(info.storage_key)
        if held is None or info.storage_key in found or not is_floating(held.dtype):
            continue
        shown = name.partition(".")[2] if len(pickle.values) == 1 else name
        found[info.storage_key] = FloatArray(
            shown, held.dtype, held.size_bytes, held.big_endian, held.offset, held.inline
        )
    return list(found.values())
