"""Reads pickles of arrays (numpy, jax, ml_dtypes, torch), not the arrays; nothing is executed.

An array of numpy is `_reconstruct(ndarray, (0,), b"b")` with the state `(1, shape, dtype, fortran,
bytes)`, or `_frombuffer(bytes, dtype, shape, order)` in protocol 5; one of jax is
`_reconstruct_array(_reconstruct, arguments, state, …)` around the same (numpy 1.26 to 2.4, jax
0.4.35 to 0.10.2, seen in files). numpy refuses a state with another number of bytes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.array_dtypes import pickled_dtype
from ckpt_tui.artifacts.collector import collector_paused
from ckpt_tui.artifacts.inert import Instance, Payload, Stub
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.numpy_dtypes import Dtype
from ckpt_tui.artifacts.pickle_payloads import abridge_pickle
from ckpt_tui.artifacts.pickle_tree import rebuilt
from ckpt_tui.artifacts.safe_pickle import load_pickle_at
from ckpt_tui.artifacts.source import Source, WindowSource, require_content
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.artifacts.torch_dtypes import decode_scalar
from ckpt_tui.artifacts.torch_legacy import MAGIC_BYTES, is_magic
from ckpt_tui.artifacts.torch_tensors import StorageInfo, TensorInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_PICKLES: Final = 10_000
_MOST_DIMENSIONS: Final = 64
_MOST_ELEMENTS: Final = 1 << 62
_STATE_VERSIONS: Final = (0, 1)
_PROTO: Final = b"\x80"
_HIGHEST_PROTOCOL: Final = 5
_RECONSTRUCT: Final = frozenset(
    {"numpy._core.multiarray._reconstruct", "numpy.core.multiarray._reconstruct"}
)
_FROM_BUFFER: Final = frozenset(
    {"numpy._core.numeric._frombuffer", "numpy.core.numeric._frombuffer"}
)
_OF_JAX: Final = frozenset(
    {
        "jax._src.array._reconstruct_array",
        "jax._src.device_array.reconstruct_device_array",
        "jax.interpreters.xla._reconstruct_array",
    }
)
_OF_TORCH: Final = frozenset({"torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_tensor"})
_FIRST_OF_TORCH: Final = frozenset(
    {"torch._utils._rebuild_parameter", "torch._utils._rebuild_parameter_with_state"}
)
_FROZEN: Final = frozenset({"flax.core.frozen_dict.FrozenDict"})
_TORCH_STORAGE: Final = "torch.storage._load_from_bytes"


class StoredArray(NamedTuple):
    """Where the elements of an array lie.

    Attributes:
        dtype: Such as `float32`.
        size_bytes: Bytes of its elements.
        big_endian: Byte order of an element.
        offset: Their first byte in the file; None where they do not lie there as they are.
        inline: The bytes themselves, where they are few.
    """

    dtype: str
    size_bytes: int
    big_endian: bool
    offset: int | None = None
    inline: bytes | None = None


class ArrayPickle(NamedTuple):
    """What a file of one or several pickles holds.

    Attributes:
        values: The top-level objects, one of each pickle: plain containers and scalars,
            `TensorInfo` for arrays, `Instance` and `Stub` for everything else.
        globals: Qualified names of all globals that the pickles name.
        stored: Where each array lies, by its `storage_key`.
        end: Offset behind the last pickle.
        size_bytes: Of the file.
    """

    values: tuple[object, ...]
    globals: frozenset[str]
    stored: Mapping[str, StoredArray]
    end: int
    size_bytes: int

    @property
    def value(self) -> object:
        """The first pickle's object."""
        return self.values[0]

    def number(self, value: object) -> object:
        """A scalar: an array of one element is turned into its number where that is kept."""
        if not isinstance(value, TensorInfo) or math.prod(value.shape) != 1:
            return value
        held = self.stored.get(value.storage_key)
        if held is None or held.inline is None:
            return value
        return decode_scalar(held.dtype, held.inline, big_endian=held.big_endian)


def sniff_pickle(source: Source) -> bool:
    """Whether a file begins as a pickle of protocol 2 or newer that is none of torch.save.

    Raises:
        ArtifactError: The source cannot be read.
    """
    start = source.read_at(0, MAGIC_BYTES)
    known = start[:1] == _PROTO and len(start) > 1 and 2 <= start[1] <= _HIGHEST_PROTOCOL
    return known and not is_magic(start)


def read_array_pickle(source: Source, limits: Limits) -> ArrayPickle:
    """Reads all pickles of a file; the bytes of arrays are passed over.

    Raises:
        ArtifactError: ``empty-file``; ``truncated-file`` without the last STOP opcode;
            ``unreadable-archive`` for what no unpickler builds, or an array whose bytes are not as
            many as its shape asks for; ``limit-exceeded``.
    """
    require_content(source)
    deadline = Deadline(limits, source.name)
    loader = _Loader(source, limits, deadline)
    at = 0
    while True:
        at = loader.load(at)
        more = source.read_at(at, 2)
        if more[:1] != _PROTO or (len(more) > 1 and not 2 <= more[1] <= _HIGHEST_PROTOCOL):
            break
        if len(loader.values) >= _MOST_PICKLES:
            raise ArtifactError(
                "limit-exceeded", f"the file holds more than {_MOST_PICKLES} pickles", source.name
            )
    return ArrayPickle(
        tuple(loader.values), frozenset(loader.globals), loader.stored, at, source.size
    )


class _Loader:
    """Loads the pickles of one file one after the other."""

    def __init__(self, source: Source, limits: Limits, deadline: Deadline) -> None:
        self.values: list[object] = []
        self.globals: set[str] = set()
        self.stored: dict[str, StoredArray] = {}
        self._source = source
        self._limits = limits
        self._deadline = deadline
        self._types: dict[int, tuple[object, Dtype | None]] = {}

    def load(self, start: int) -> int:
        """Loads the pickle at an offset; returns where it ends."""
        abridged = abridge_pickle(self._source, start, self._limits, self._deadline)
        payloads = abridged.payloads

        def answer(number: object) -> object:
            return payloads[number] if isinstance(number, int) else None

        name = self._source.name
        loaded = load_pickle_at(abridged.data, 0, self._limits, self._deadline, name, answer).loaded
        try:
            with collector_paused():
                value = rebuilt(loaded.value, self._numpy_array, self._array_of, self._deadline)
        except ArtifactError as error:
            raise error.at(name) from error
        self.values.append(value)
        self.globals |= loaded.globals
        return abridged.end

    def _numpy_array(self, node: Instance) -> object:
        """The description of an array of numpy in the place of what would build it."""
        name = node.qualified_name
        if name in _RECONSTRUCT:
            if not node.args or not isinstance(node.args[0], Stub):
                raise ArtifactError("unreadable-archive", "the pickle builds an array of no class")
            return self._numpy(node.state) or node
        if name in _FROM_BUFFER and len(node.args) >= 3:
            return self._described(node.args[2], node.args[1], node.args[0])
        return node

    def _array_of(self, node: Instance) -> object:
        """The same for the arrays of other libraries, which have one of numpy inside."""
        name = node.qualified_name
        if name in _FROZEN and node.args and isinstance(node.args[0], dict):
            return node.args[0]
        if name in _OF_JAX and len(node.args) >= 3:
            return self._numpy(node.args[2]) or node
        if name in _FIRST_OF_TORCH and node.args:
            return node.args[0]
        if name in _OF_TORCH and len(node.args) >= 3:
            return self._torch(node.args) or node
        return node

    def _numpy(self, state: object) -> TensorInfo | None:
        if not isinstance(state, tuple) or len(state) != 5:
            return None
        if state[0] not in _STATE_VERSIONS:
            what = f"the pickle describes an array in the unknown version {state[0]!r}"
            raise ArtifactError("unreadable-archive", what)
        kind = self._type_of(state[2])
        if kind is not None and kind.has_objects:
            return None  # of objects, which are values of the pickle itself
        return self._described(state[1], state[2], state[4])

    def _type_of(self, described: object) -> Dtype | None:
        """Arrays of one type share its description, so each is looked at once."""
        known = self._types.get(id(described))
        if known is None:
            known = self._types[id(described)] = (described, pickled_dtype(described))
        return known[1]

    def _described(self, shape: object, described: object, data: object) -> TensorInfo:
        kind, lengths = self._type_of(described), _shape(shape)
        if kind is None:
            kind = _unknown_type(described, lengths, data)
        size_bytes = math.prod(lengths) * kind.item_bytes
        held = _held(data)
        if not held[0] <= size_bytes <= held[1]:
            raise ArtifactError(
                "unreadable-archive",
                f"an array of the shape {lengths} and the type {kind.name} needs {size_bytes}"
                f" bytes, but has {held[1]}",
            )
        key = str(len(self.stored))
        offset = data.offset if isinstance(data, Payload) and data.escape == 1 else None
        inline = bytes(data) if isinstance(data, bytes | bytearray) else None
        self.stored[key] = StoredArray(kind.name, size_bytes, kind.big_endian, offset, inline)
        return TensorInfo(kind.name, lengths, size_bytes, key)

    def _torch(self, args: tuple[object, ...]) -> TensorInfo | None:
        """A tensor of torch in a plain pickle: its storage is a whole torch file in bytes."""
        storage = args[0]
        if not isinstance(storage, Instance) or storage.qualified_name != _TORCH_STORAGE:
            return None
        data = storage.args[0] if storage.args else None
        if not isinstance(data, Payload) or data.escape != 1:
            return None
        window = WindowSource(self._source, data.offset, data.size_bytes)
        inner = read_torch_archive(window, self._limits).value
        if not isinstance(inner, StorageInfo):
            return None
        lengths, key = _shape(args[2]), f"torch-{data.offset}"
        self.stored[key] = StoredArray(inner.dtype, inner.size_bytes, False)
        return TensorInfo(inner.dtype, lengths, inner.size_bytes, key)


def _unknown_type(described: object, lengths: tuple[int, ...], data: object) -> Dtype:
    """A class of somebody's own: the size of an element is what the bytes make of it.

    Raises:
        ArtifactError: It is a code, and none that numpy has.
    """
    code = described.args[0] if isinstance(described, Instance) and described.args else None
    if not isinstance(code, Stub) or code.module == "numpy":
        name = code.name if isinstance(code, Stub) else str(code)
        what = f"the pickle describes an array of the unknown type {name[:20]!r}"
        raise ArtifactError("unreadable-archive", what)
    elements = math.prod(lengths)
    return Dtype("unknown", _held(data)[1] // elements if elements else 0)


def _held(data: object) -> tuple[int, int]:
    """Least and most bytes that a payload can stand for."""
    if isinstance(data, Payload):
        return data.size_bytes // data.escape, data.size_bytes
    if isinstance(data, bytes | bytearray):
        return len(data), len(data)
    if isinstance(data, Instance) and data.args and isinstance(data.args[0], Payload):
        return _held(data.args[0])  # `_codecs.encode(text, "latin1")` of a long text
    raise ArtifactError("unreadable-archive", "the pickle describes an array without its bytes")


def _shape(shape: object) -> tuple[int, ...]:
    lengths = shape if isinstance(shape, tuple | list) else (shape,)
    found = tuple([n for n in lengths if type(n) is int and 0 <= n < _MOST_ELEMENTS])
    short = len(lengths) <= _MOST_DIMENSIONS and len(found) == len(lengths)
    if not short or math.prod(found) >= _MOST_ELEMENTS:
        raise ArtifactError("unreadable-archive", "the pickle describes an array without a shape")
    return found
