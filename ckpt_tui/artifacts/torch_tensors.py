"""Rebuilds the description of tensors, not the tensors, from what torch.save pickles.

The persistent IDs and the `torch._utils` functions are those of torch 1.6 to 2.14 (read in
`torch/serialization.py` and `torch/_utils.py`, and seen in files).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.inert import Instance, Stub
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_dtypes import (
    ELEMENTS_PER_ITEM,
    ITEM_BYTES,
    STORAGE_DTYPES,
    dtype_name,
)

if TYPE_CHECKING:
    from ckpt_tui.artifacts.safe_pickle import Factory

_MOST_DIMENSIONS: Final = 64
_MOST_ELEMENTS: Final = 1 << 63


class StorageInfo(NamedTuple):
    """A storage: the run of bytes that one or more tensors share.

    Attributes:
        dtype: Element type; `uint8` for an untyped storage.
        key: Its name within the file.
        size_bytes: Its size by the pickle, not by the file.
    """

    dtype: str
    key: str
    size_bytes: int


class TensorInfo(NamedTuple):
    """A tensor as the pickle describes it.

    Attributes:
        dtype: Such as `float32`.
        shape: Length of each dimension; empty for a scalar.
        size_bytes: Of its elements, were they stored without gaps.
        storage_key: Name of its storage within the file; empty for a tensor without data.
        storage_offset: Index of its first element in the storage, in elements.
    """

    dtype: str
    shape: tuple[int, ...]
    size_bytes: int
    storage_key: str
    storage_offset: int = 0


class StorageTable:
    """Collects the storages of one file while its pickle is loaded."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}

    def persistent_load(self, identifier: object) -> StorageInfo:
        """Answers `("storage", type, key, location, elements)`; a view adds a sixth field.

        Raises:
            ArtifactError: `unreadable-archive` for any other form.
        """
        if not isinstance(identifier, tuple) or len(identifier) not in (5, 6):
            raise _unknown("a persistent ID that is no storage")
        tag, kind, key, _location, elements = identifier[:5]
        if tag != "storage" or not isinstance(kind, Stub) or not isinstance(key, str | int):
            raise _unknown("a persistent ID that is no storage")
        dtype = STORAGE_DTYPES.get(kind.name)
        if dtype is None:
            raise _unknown(f"a storage of the unknown type {kind.qualified_name!r}")
        info = StorageInfo(dtype, str(key), _count(elements) * ITEM_BYTES[dtype])
        known = self.sizes.setdefault(info.key, info.size_bytes)
        if known != info.size_bytes:
            raise _unknown(f"storage {info.key!r} with both {known} and {info.size_bytes} bytes")
        return info


def _rebuild_tensor(args: tuple[object, ...]) -> object:
    """`(storage, offset, size, stride, …)`."""
    storage = args[0] if args else None
    if not isinstance(storage, StorageInfo) or len(args) < 4:
        raise _unknown("a tensor without a storage")
    return _tensor(storage, storage.dtype, args)


def _rebuild_tensor_v3(args: tuple[object, ...]) -> object:
    """`(storage, offset, size, stride, requires_grad, hooks, dtype, …)`."""
    storage, dtype = (args[0], args[6]) if len(args) > 6 else (None, None)
    if not isinstance(storage, StorageInfo) or not isinstance(dtype, Stub):
        raise _unknown("a tensor without a storage or data type")
    return _tensor(storage, _dtype(dtype), args)


def _rebuild_meta_tensor(args: tuple[object, ...]) -> object:
    """`(dtype, size, stride, requires_grad)`: a tensor that never had data."""
    if len(args) < 3 or not isinstance(args[0], Stub):
        raise _unknown("a tensor without a data type")
    _counts(args[2])
    return TensorInfo(_dtype(args[0]), _counts(args[1]), 0, "")


def _rebuild_first(args: tuple[object, ...]) -> object:
    """A parameter wraps its tensor, the first argument."""
    if not args:
        raise _unknown("a parameter without a tensor")
    return args[0]


def _rebuild_from_type(args: tuple[object, ...]) -> object:
    """`(function, type, arguments, state)`: a tensor subclass or a tensor with attributes."""
    if len(args) == 4 and isinstance(args[0], Stub) and isinstance(args[2], tuple):
        factory = TENSOR_FACTORIES.get(args[0].qualified_name)
        if factory is not None:
            return factory(args[2])
        if isinstance(args[1], Stub):
            built = Instance(args[1], args[2])
            built.state = args[3]
            return built
    raise _unknown("a tensor subclass of an unknown form")


TENSOR_FACTORIES: Final[dict[str, Factory]] = {
    "torch._utils._rebuild_tensor": _rebuild_tensor,
    "torch._utils._rebuild_tensor_v2": _rebuild_tensor,
    "torch._utils._rebuild_tensor_v3": _rebuild_tensor_v3,
    "torch._utils._rebuild_qtensor": _rebuild_tensor,
    "torch._utils._rebuild_meta_tensor_no_storage": _rebuild_meta_tensor,
    "torch._utils._rebuild_parameter": _rebuild_first,
    "torch._utils._rebuild_parameter_with_state": _rebuild_first,
    "torch._utils._rebuild_device_tensor_from_cpu_tensor": _rebuild_first,
    "torch._tensor._rebuild_from_type": _rebuild_from_type,
    "torch._tensor._rebuild_from_type_v2": _rebuild_from_type,
}


def _tensor(storage: StorageInfo, dtype: str, args: tuple[object, ...]) -> TensorInfo:
    offset, shape, stride = _count(args[1]), _counts(args[2]), _counts(args[3])
    if len(shape) != len(stride):
        raise _unknown(f"a tensor of {len(shape)} dimensions with {len(stride)} strides")
    elements = math.prod(shape)
    if elements >= _MOST_ELEMENTS:
        raise _unknown(f"a tensor of {elements} elements")
    span = 1 + sum((length - 1) * step for length, step in zip(shape, stride, strict=True))
    needed = _bytes_of(offset + span, dtype) if elements else 0
    if needed > storage.size_bytes:
        raise _unknown(
            f"a tensor that needs {needed} bytes of storage {storage.key!r}, "
            f"which has {storage.size_bytes}"
        )
    return TensorInfo(dtype, shape, _bytes_of(elements, dtype), storage.key, offset)


def _bytes_of(elements: int, dtype: str) -> int:
    return -(-elements // ELEMENTS_PER_ITEM.get(dtype, 1)) * ITEM_BYTES[dtype]


def _dtype(stub: Stub) -> str:
    name = dtype_name(stub.name) if stub.module == "torch" else None
    if name is None:
        raise _unknown(f"the unknown data type {stub.qualified_name!r}")
    return name


def _counts(values: object) -> tuple[int, ...]:
    if not isinstance(values, tuple | list) or len(values) > _MOST_DIMENSIONS:
        raise _unknown("a shape that is no short tuple")
    return tuple(_count(value) for value in values)


def _count(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value < _MOST_ELEMENTS:
        raise _unknown("a size that is no number from 0 to 2^63")
    return int(value)


def _unknown(what: str) -> ArtifactError:
    return ArtifactError("unreadable-archive", f"the pickle describes {what}")
