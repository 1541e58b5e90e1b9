"""Pickle the values of a torch-like file: protocol 2 opcodes by hand, without torch's classes."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

from ckpt_tui.demo.torch_values import (
    TENSOR_TYPES,
    Call,
    Hole,
    Instance,
    Name,
    Pairs,
    Piece,
    Tensor,
    Tree,
    Zeros,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    Container = (
        Name | Call | Instance | Pairs | tuple[Tree, ...] | list[Tree] | dict[str | int, Tree]
    )


class TorchPickler:
    """Pickles one value; what its tensors store is kept apart, in the order of their keys."""

    def __init__(self) -> None:
        self.storages: list[Piece] = []

    def pickle(self, tree: Tree) -> bytes:
        """The pickle of a value.

        Raises:
            ValueError: A tensor's bytes do not fit its shape and type, or its type is unknown.
        """
        return b"\x80\x02" + self._value(tree) + b"."

    def _value(self, value: Tree) -> bytes:
        if value is None:
            return b"N"
        if isinstance(value, bool):
            return b"\x88" if value else b"\x89"
        if isinstance(value, int):
            return _integer(value)
        if isinstance(value, float):
            return b"G" + struct.pack(">d", value)
        if isinstance(value, str):
            return _text(value)
        if isinstance(value, Tensor | Zeros):
            return self._tensor(value)
        return self._container(value)

    def _container(self, value: Container) -> bytes:
        if isinstance(value, Name):
            return _global(value)
        if isinstance(value, Call):
            return _global(value.called) + self._value(value.arguments) + b"R"
        if isinstance(value, Instance):
            return _global(value.of) + b")\x81" + self._value(value.state) + b"b"
        if isinstance(value, Pairs):
            return self._dictionary(value.pairs)
        if isinstance(value, tuple):
            return _tuple(*map(self._value, value))
        if isinstance(value, list):
            return b"](" + b"".join(map(self._value, value)) + b"e"
        return self._dictionary(value.items())

    def _dictionary(self, pairs: Iterable[tuple[Tree, Tree]]) -> bytes:
        items = (self._value(key) + self._value(item) for key, item in pairs)
        return b"}(" + b"".join(items) + b"u"

    def _tensor(self, tensor: Tensor | Zeros) -> bytes:
        count = math.prod(tensor.shape)
        kind = TENSOR_TYPES.get(tensor.dtype)
        if isinstance(tensor, Zeros):
            stored: Piece = Hole(count * kind.item_bytes if kind else 0)
            fits = kind is not None
        else:
            stored = tensor.data
            fits = kind is not None and len(tensor.data) == count * kind.item_bytes
        if kind is None or not fits:
            raise ValueError(f"{_size(tensor)} no {tensor.dtype} tensor of shape {tensor.shape}")
        key = str(len(self.storages))
        self.storages.append(stored)
        storage = _global(Name("torch", kind.storage))
        identity = _tuple(_text("storage"), storage, _text(key), _text("cpu"), _integer(count))
        no_hooks = _global(Name("collections", "OrderedDict")) + b")R"
        arguments = _tuple(
            identity + b"Q",
            _integer(0),
            _tuple(*map(_integer, tensor.shape)),
            _tuple(*map(_integer, contiguous_strides(tensor.shape))),
            b"\x89",
            no_hooks,
        )
        return _global(Name("torch._utils", "_rebuild_tensor_v2")) + arguments + b"R"


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Elements to skip per dimension in a tensor that is stored row by row."""
    return tuple(math.prod(map(_at_least_one, shape[axis + 1 :])) for axis in range(len(shape)))


def _at_least_one(size: int) -> int:
    return max(size, 1)


def _size(tensor: Tensor | Zeros) -> str:
    return "zeros are" if isinstance(tensor, Zeros) else f"{len(tensor.data)} bytes are"


def _integer(value: int) -> bytes:
    if 0 <= value < 2**8:
        return b"K" + struct.pack("<B", value)
    if 0 <= value < 2**16:
        return b"M" + struct.pack("<H", value)
    if -(2**31) <= value < 2**31:
        return b"J" + struct.pack("<i", value)
    encoded = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + struct.pack("<B", len(encoded)) + encoded


def _text(value: str) -> bytes:
    encoded = value.encode()
    return b"X" + struct.pack("<I", len(encoded)) + encoded


def _global(name: Name) -> bytes:
    return f"c{name.module}\n{name.name}\n".encode()


def _tuple(*items: bytes) -> bytes:
    return b"(" + b"".join(items) + b"t" if items else b")"
