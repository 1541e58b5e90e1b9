"""The values that a torch-like file can hold."""

from __future__ import annotations

from typing import NamedTuple


class TensorType(NamedTuple):
    """How torch calls a storage of this element type, and the element's size in bytes."""

    storage: str
    item_bytes: int


TENSOR_TYPES = {
    "float32": TensorType("FloatStorage", 4),
    "bfloat16": TensorType("BFloat16Storage", 2),
    "int64": TensorType("LongStorage", 8),
    "uint8": TensorType("ByteStorage", 1),
}


class Tensor(NamedTuple):
    """A contiguous tensor: element type, shape, and raw little-endian bytes in row order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


class Zeros(NamedTuple):
    """A tensor of zeros that takes no space on the disk: its storage is a hole in the file."""

    dtype: str
    shape: tuple[int, ...]


class Hole(NamedTuple):
    """So many bytes of a file that are skipped and never written: they read as zeros."""

    size_bytes: int


class Name(NamedTuple):
    """A class or a constant of a module, by its name."""

    module: str
    name: str


class Call(NamedTuple):
    """What a named function or class gives for arguments."""

    called: Name
    arguments: tuple[Tree, ...]


class Instance(NamedTuple):
    """An instance of a named class that has the given state."""

    of: Name
    state: Tree


class Pairs(NamedTuple):
    """A dictionary whose keys are any values."""

    pairs: tuple[tuple[Tree, Tree], ...]


Piece = bytes | Hole
"""Part of a file; pieces follow each other without a gap."""

Tree = (
    None
    | bool
    | int
    | float
    | str
    | Tensor
    | Zeros
    | Name
    | Call
    | Instance
    | Pairs
    | tuple["Tree", ...]
    | list["Tree"]
    | dict[str | int, "Tree"]
)


def size_of(piece: Piece) -> int:
    """The bytes that a piece takes in its file."""
    return piece.size_bytes if isinstance(piece, Hole) else len(piece)
