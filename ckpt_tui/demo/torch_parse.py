"""Read a torch-like file back, whole and strictly, without running anything that it says."""

from __future__ import annotations

import io
import math
import pickletools
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.demo.torch_pickle import contiguous_strides
from ckpt_tui.demo.torch_values import TENSOR_TYPES, Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.demo.torch_values import Tree

_REBUILD = ("torch._utils", "_rebuild_tensor_v2")
_ORDERED_DICT = ("collections", "OrderedDict")
_NO_ARCHIVE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # what zipfile says of an encrypted record, or of a method it cannot undo
    ValueError,
)
_DTYPES = {kind.storage: dtype for dtype, kind in TENSOR_TYPES.items()}


class TorchFileError(ValueError):
    """The file is not what :mod:`ckpt_tui.demo.torch_like` writes; the message says where."""


class _Global(NamedTuple):
    module: str
    name: str


class _Storage(NamedTuple):
    dtype: str
    data: bytes


def parse_torch_file(data: bytes) -> Tree:
    """The tree that a torch-like file stores.

    Args:
        data: The whole file.

    Raises:
        TorchFileError: The archive is cut or damaged, a record is missing, or the pickle holds
            anything but dicts, lists, plain values and tensors.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            records = {name: archive.read(name) for name in archive.namelist()}
    except _NO_ARCHIVE as error:
        raise TorchFileError(f"no whole zip archive: {error}") from error
    root = next(iter(records), "").partition("/")[0]
    for name, content in (("byteorder", b"little"), ("version", b"3\n")):
        if records.get(f"{root}/{name}") != content:
            raise TorchFileError(f"record {root}/{name} is missing or says something else")
    pickled = records.get(f"{root}/data.pkl")
    if pickled is None:
        raise TorchFileError(f"record {root}/data.pkl is missing")
    storages = {name.removeprefix(f"{root}/data/"): raw for name, raw in records.items()}
    try:
        return _Machine(storages).run(pickled)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise TorchFileError(f"{root}/data.pkl cannot be followed: {error!r}") from error


class _Machine:
    """A pickle machine for the opcodes that a checkpoint needs; it looks nothing up by name."""

    def __init__(self, storages: dict[str, bytes]) -> None:
        self._storages = storages
        self._stack: list[object] = []
        self._marks: list[int] = []
        self._simple: dict[str, Callable[[], object]] = {
            "NONE": lambda: None,
            "NEWTRUE": lambda: True,
            "NEWFALSE": lambda: False,
            "EMPTY_DICT": dict,
            "EMPTY_LIST": list,
            "EMPTY_TUPLE": tuple,
            "TUPLE": lambda: tuple(self._since_mark()),
            "BINPERSID": self._storage,
            "REDUCE": self._reduced,
            "APPENDS": self._appended,
            "SETITEMS": self._with_items,
        }

    def run(self, pickled: bytes) -> Tree:
        for opcode, argument, _position in pickletools.genops(pickled):
            if opcode.name in self._simple:
                self._stack.append(self._simple[opcode.name]())
            elif opcode.name in ("BININT1", "BININT2", "BININT", "LONG1", "BINFLOAT", "BINUNICODE"):
                self._stack.append(argument)
            elif opcode.name == "GLOBAL":
                module, _, name = str(argument).partition(" ")
                self._stack.append(_Global(module, name))
            elif opcode.name == "MARK":
                self._marks.append(len(self._stack))
            elif opcode.name not in ("PROTO", "STOP"):
                raise TorchFileError(f"opcode {opcode.name} has no place in a checkpoint")
        (value,) = self._stack
        return _plain(value)

    def _since_mark(self) -> list[object]:
        mark = self._marks.pop()
        items = self._stack[mark:]
        del self._stack[mark:]
        return items

    def _storage(self) -> _Storage:
        identity = self._stack.pop()
        if not isinstance(identity, tuple):
            raise TorchFileError("a persistent ID is no tuple")
        kind, storage, key, device, count = identity
        data, dtype = self._storages[key], _DTYPES[storage.name]
        expected = (count * TENSOR_TYPES[dtype].item_bytes, "storage", "cpu", "torch")
        if (len(data), kind, device, storage.module) != expected:
            raise TorchFileError(f"storage {key} is not what its persistent ID says")
        return _Storage(dtype, data)

    def _reduced(self) -> object:
        arguments = self._stack.pop()
        called = self._stack.pop()
        if called == _ORDERED_DICT and arguments == ():
            return None
        if called != _REBUILD or not isinstance(arguments, tuple):
            raise TorchFileError(f"{called!r} is called, which has no place in a checkpoint")
        storage, offset, shape, strides, needs_gradient, hooks = arguments
        whole = math.prod(shape) * TENSOR_TYPES[storage.dtype].item_bytes == len(storage.data)
        flat = strides == contiguous_strides(shape)
        if not (whole and flat) or offset or needs_gradient or hooks is not None:
            raise TorchFileError("a tensor is not its whole storage, row by row")
        return Tensor(storage.dtype, shape, storage.data)

    def _appended(self) -> list[object]:
        items = self._since_mark()
        target = self._stack.pop()
        if not isinstance(target, list):
            raise TorchFileError("items are appended to something that is no list")
        return [*target, *items]

    def _with_items(self) -> dict[object, object]:
        items = self._since_mark()
        target = self._stack.pop()
        if not isinstance(target, dict):
            raise TorchFileError("items are set in something that is no dict")
        return target | dict(zip(items[::2], items[1::2], strict=True))


def _plain(value: object) -> Tree:
    """The value, if a checkpoint may hold it."""
    if value is None or isinstance(value, bool | int | float | str | Tensor):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict) and all(isinstance(key, str | int) for key in value):
        return {key: _plain(item) for key, item in value.items()}
    raise TorchFileError(f"a {type(value).__name__} has no place in a checkpoint")
