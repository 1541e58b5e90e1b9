"""The few globals of a pickle that stand for plain containers, rebuilt without importing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.inert import Instance, Payload, Stub
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_dtypes import decode_scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from ckpt_tui.artifacts.pickle_items import ItemKeeper

    Arguments = tuple[object, ...]
    PlainFactory = Callable[[ItemKeeper, Arguments], object]

_NUMPY_SCALAR: Final = Stub("numpy._core.multiarray", "scalar")
_NUMPY_TYPES: Final = {
    "b1": "bool",
    "i1": "int8",
    "i2": "int16",
    "i4": "int32",
    "i8": "int64",
    "u1": "uint8",
    "u2": "uint16",
    "u4": "uint32",
    "u8": "uint64",
    "f2": "float16",
    "f4": "float32",
    "f8": "float64",
}
_LATIN_1: Final = frozenset({"latin1", "latin-1", "iso-8859-1", "iso8859-1"})


def make_ordered_dict(keeper: ItemKeeper, args: Arguments) -> object:
    """`OrderedDict()`, `Counter(mapping)` or `OrderedDict(pairs)`: a plain dictionary."""
    return _fill(keeper, args[0]) if args else {}


def make_default_dict(keeper: ItemKeeper, args: Arguments) -> object:
    """`defaultdict(factory[, items])`: a plain dictionary without its factory."""
    return _fill(keeper, args[1]) if len(args) > 1 else {}


def make_list(keeper: ItemKeeper, args: Arguments) -> object:
    """`list(items)` or `deque(items[, maximum])`."""
    return list(keeper.copied(_elements(args)))


def make_tuple(keeper: ItemKeeper, args: Arguments) -> object:
    """`tuple(items)` or `torch.Size(items)`."""
    if len(args) == 1 and type(args[0]) is tuple:
        return args[0]
    return tuple(keeper.copied(_elements(args)))


def make_set(keeper: ItemKeeper, args: Arguments) -> object:
    """`set(items)`."""
    found: set[object] = set()
    keeper.add(found, _elements(args))
    return found


def make_frozenset(keeper: ItemKeeper, args: Arguments) -> object:
    """`frozenset(items)`."""
    found: set[object] = set()
    keeper.add(found, _elements(args))
    return frozenset(found)


def make_bytearray(keeper: ItemKeeper, args: Arguments) -> object:
    """`bytearray(bytes)` or `bytearray(text, "latin-1")`."""
    if args and isinstance(args[0], Payload):
        return args[0]
    return bytearray(_to_bytes(keeper, args))


def make_bytes(keeper: ItemKeeper, args: Arguments) -> object:
    """`_codecs.encode(text, "latin1")`, how protocol 2 writes bytes, or `bytes(…)`."""
    return args[0] if args and isinstance(args[0], Payload) else _to_bytes(keeper, args)


def make_complex(_keeper: ItemKeeper, args: Arguments) -> object:
    """`complex(real, imaginary)`."""
    real, imaginary = args
    if isinstance(real, int | float) and isinstance(imaginary, int | float):
        return complex(real, imaginary)
    raise _cannot_be("complex")


def make_slice(_keeper: ItemKeeper, args: Arguments) -> object:
    """`slice(start, stop, step)`."""
    parts = [part for part in args[:3] if part is None or isinstance(part, int)]
    # Nested slices are freed by recursion, without a bound.
    if not parts or len(parts) != len(args):
        raise _cannot_be("slice")
    return slice(*parts)


def make_range(_keeper: ItemKeeper, args: Arguments) -> object:
    """`range(start, stop, step)`."""
    numbers = [number for number in args[:3] if isinstance(number, int)]
    if not numbers or len(numbers) != len(args):
        raise _cannot_be("range")
    return range(*numbers)


def make_reconstructed(_keeper: ItemKeeper, args: Arguments) -> object:
    """`copyreg._reconstructor(class, base, state)` and `copyreg.__newobj__(class, …)`."""
    if args and isinstance(args[0], Stub):
        return Instance(args[0], args[1:])
    raise _cannot_be("copyreg")


def make_numpy_scalar(_keeper: ItemKeeper, args: Arguments) -> object:
    """`numpy.core.multiarray.scalar(dtype, bytes)`: a plain number where it is one."""
    kind, data = args
    described = kind.args[0] if isinstance(kind, Instance) and kind.args else None
    order = kind.state[1] if isinstance(kind, Instance) and isinstance(kind.state, tuple) else None
    if isinstance(described, str) and isinstance(data, bytes):
        value = decode_scalar(_NUMPY_TYPES.get(described, ""), data, big_endian=order == ">")
        if value is not None:
            return bool(value) if described == "b1" else value
    return Instance(_NUMPY_SCALAR, args)


PLAIN_FACTORIES: Final[Mapping[str, PlainFactory]] = {
    "collections.OrderedDict": make_ordered_dict,
    "collections.Counter": make_ordered_dict,
    "collections.defaultdict": make_default_dict,
    "collections.deque": make_list,
    "builtins.dict": make_ordered_dict,
    "builtins.list": make_list,
    "builtins.tuple": make_tuple,
    "builtins.set": make_set,
    "builtins.frozenset": make_frozenset,
    "builtins.bytearray": make_bytearray,
    "builtins.bytes": make_bytes,
    "builtins.complex": make_complex,
    "builtins.slice": make_slice,
    "builtins.range": make_range,
    "builtins.xrange": make_range,
    "_codecs.encode": make_bytes,
    "copyreg._reconstructor": make_reconstructed,
    "copyreg.__newobj__": make_reconstructed,
    "torch.Size": make_tuple,
    "numpy._core.multiarray.scalar": make_numpy_scalar,
    "numpy.core.multiarray.scalar": make_numpy_scalar,
}


def _fill(keeper: ItemKeeper, items: object) -> dict[object, object]:
    found: dict[object, object] = {}
    if type(items) is dict:
        keeper.spend(len(items))
        found.update(items)
        return found
    if not isinstance(items, list | tuple):
        raise _cannot_be("dict")
    flat: list[object] = []
    for pair in items:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise _cannot_be("dict")
        flat.extend(pair)
    keeper.set_items(found, tuple(keeper.copied(flat)))
    return found


def _elements(args: Arguments) -> Collection[object]:
    items = args[0] if args else ()
    if isinstance(items, list | tuple | set | frozenset):
        return items
    raise _cannot_be("sequence")


def _to_bytes(keeper: ItemKeeper, args: Arguments) -> bytes:
    data = args[0] if args else b""
    encoding = args[1] if len(args) > 1 else "latin1"
    if isinstance(data, bytes | bytearray):
        keeper.spend(len(data))
        return bytes(data)
    if isinstance(data, str) and isinstance(encoding, str) and encoding.lower() in _LATIN_1:
        keeper.spend(len(data))
        return data.encode("latin-1")
    raise _cannot_be("bytes")


def _cannot_be(what: str) -> ArtifactError:
    return ArtifactError(
        "unreadable-archive", f"the pickle builds a {what} from arguments that it cannot have"
    )
