from __future__ import annotations

import argparse
import collections
import contextlib
import pickle
import pickletools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.artifacts.inert import Instance, Stub
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.pickle_opcodes import check_pickle
from ckpt_tui.artifacts.safe_pickle import load_pickle
from ckpt_tui.artifacts.unsafe_names import unsafe_globals
from tests.artifacts.builders import LIMITS, Global, brief, error_of, torch_pickle

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.binary().map(bytearray)
    | st.complex_numbers(allow_nan=False)
)
KEYS = st.integers() | st.text() | st.floats(allow_nan=False) | st.tuples(st.text(), st.integers())
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(KEYS, inner)
        | st.sets(KEYS)
        | st.frozensets(KEYS)
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(VALUES, st.sampled_from(PROTOCOLS))
def test_plain_values_come_back_as_they_were(value: object, protocol: int) -> None:
    data = pickle.dumps(value, protocol)
    loaded = load_pickle(data, LIMITS)
    assert loaded.value == value
    assert type(loaded.value) is type(value)
    assert loaded.opcodes == sum(1 for _ in pickletools.genops(data))


@settings(deadline=None)
@given(VALUES, st.sampled_from(PROTOCOLS), st.data())
def test_no_beginning_of_a_pickle_is_a_pickle(
    value: object, protocol: int, data: st.DataObject
) -> None:
    whole = pickle.dumps(value, protocol)
    cut = data.draw(st.integers(1, len(whole) - 1))
    error = error_of(load_pickle, whole[:cut])
    assert error.code in ("truncated-file", "unreadable-archive")


@settings(deadline=None, max_examples=300)
@given(st.binary(min_size=1))
def test_any_bytes_are_a_value_or_an_error(data: bytes) -> None:
    for suffix in (b"", b"."):
        with contextlib.suppress(ArtifactError):
            load_pickle(data + suffix, LIMITS)


LENGTH_BYTES = {
    pickletools.TAKEN_FROM_ARGUMENT1: 1,
    pickletools.TAKEN_FROM_ARGUMENT4: 4,
    pickletools.TAKEN_FROM_ARGUMENT4U: 4,
    pickletools.TAKEN_FROM_ARGUMENT8U: 8,
}
REFUSED = {"EXT1", "EXT2", "EXT4", "NEXT_BUFFER", "READONLY_BUFFER"}


def _shortest_argument(opcode: pickletools.OpcodeInfo) -> bytes:
    if opcode.arg is None:
        return b""
    if opcode.arg.n == pickletools.UP_TO_NEWLINE:
        return b"0\n0\n" if "pair" in opcode.arg.name else b"0\n"
    return bytes(LENGTH_BYTES.get(opcode.arg.n, opcode.arg.n))


@pytest.mark.parametrize("opcode", pickletools.opcodes, ids=lambda opcode: opcode.name)
def test_an_opcode_is_as_long_as_the_standard_library_says(opcode: pickletools.OpcodeInfo) -> None:
    data = b"N" + opcode.code.encode("latin-1") + _shortest_argument(opcode) + b"."
    if opcode.name in REFUSED:
        assert "is not supported" in error_of(load_pickle, data).message
        return
    checked = check_pickle(data + b"rest", 0, LIMITS, Deadline(LIMITS))
    if opcode.name == "STOP":
        assert (checked.end, checked.opcodes) == (2, 2)
    else:
        assert (checked.end, checked.opcodes) == (len(data), 3)


def test_globals_are_stand_ins_that_keep_what_they_were_given() -> None:
    namespace = argparse.Namespace(iteration=5)
    loaded = load_pickle(pickle.dumps(namespace), LIMITS)
    value = loaded.value
    assert isinstance(value, Instance)
    assert (value.module, value.name) == ("argparse", "Namespace")
    assert value.attributes == {"iteration": 5}
    assert loaded.globals == {"argparse.Namespace"}
    assert repr(value) == "<instance of 'argparse.Namespace'>"


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a, self.b = 1, 2


class Words(list[str]):
    pass


class Table(dict[str, int]):
    pass


class Named:
    def __new__(cls, *, size: int) -> Named:
        return super().__new__(cls)

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, int]]:
        return (), {"size": 7}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_subclasses_of_containers_keep_their_items(protocol: int) -> None:
    words, table = (
        load_pickle(pickle.dumps(value, protocol), LIMITS).value
        for value in (Words(["a", "b"]), Table(a=1))
    )
    assert isinstance(words, Instance)
    assert isinstance(table, Instance)
    # Before protocol 2 the items are an argument of copyreg's function.
    assert words.elements == ["a", "b"] or words.args[1] == ["a", "b"]
    assert table.entries == {"a": 1} or table.args[1] == {"a": 1}


def test_slots_and_keyword_arguments_are_kept() -> None:
    slotted = load_pickle(pickle.dumps(Slotted(), 2), LIMITS).value
    named = load_pickle(pickle.dumps(Named(size=7), 4), LIMITS).value
    assert isinstance(slotted, Instance)
    assert isinstance(named, Instance)
    assert slotted.attributes == {"a": 1, "b": 2}
    assert named.kwargs == {"size": 7}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (collections.deque([1, 2], maxlen=3), [1, 2]),
        (range(2, 9, 3), range(2, 9, 3)),
        (slice(1, None, 2), slice(1, None, 2)),
        (b"\x00\xff", b"\x00\xff"),
    ],
)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_standard_containers_become_plain(value: object, expected: object, protocol: int) -> None:
    assert load_pickle(pickle.dumps(value, protocol), LIMITS).value == expected


def called(name: str, *args: object) -> bytes:
    return torch_pickle(Global(name, args))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (called("collections.OrderedDict", [["a", 1], ["b", 2]]), {"a": 1, "b": 2}),
        (called("collections.defaultdict", None, {"a": 1}), {"a": 1}),
        (called("collections.defaultdict", None), {}),
        (called("builtins.list"), []),
        (called("builtins.list", {1}), [1]),
        (called("torch.Size", [2, 3]), (2, 3)),
        (called("torch.Size", (2, 3)), (2, 3)),
        (called("builtins.bytearray"), bytearray()),
        (called("builtins.bytes", bytearray(b"ab")), b"ab"),
        (called("__builtin__.xrange", 3), range(3)),
        (called("_codecs.encode", "\xff", "latin1"), b"\xff"),
    ],
    ids=brief,
)
def test_calls_of_standard_containers(data: bytes, expected: object) -> None:
    value = load_pickle(data, LIMITS).value
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    "data",
    [
        called("collections.OrderedDict", 5),
        called("collections.OrderedDict", [("a",)]),
        called("builtins.list", "text"),
        called("builtins.complex", "1j", 0.0),
        called("builtins.slice", "a"),
        called("builtins.range"),
        called("builtins.range", "a"),
        called("_codecs.encode", "a", "rot13"),
        called("_codecs.encode", "\u20ac", "latin1"),
        called("builtins.bytes", 5),
        called("copyreg._reconstructor", "a"),
        b"(o.",
        b"N.".replace(b"N", b"capp\nf\nNR"),
        b"capp\nf\n)NK\x05\x86\x92.",
        b"NNNs.",
        b"](N\x90.",
        b"]NNs.",
        b"}(Nu.",
    ],
    ids=brief,
)
def test_operands_that_cannot_be_are_refused(data: bytes) -> None:
    assert error_of(load_pickle, data).code == "unreadable-archive"


def test_what_a_call_returns_can_be_called() -> None:
    value = load_pickle(b"capp\nf\n)RK\x05\x85R.", LIMITS).value
    assert isinstance(value, Instance)
    assert value.qualified_name == ".<called>"


def test_tuples_and_stand_ins_can_be_keys() -> None:
    data = b"}(K\x01K\x02\x86Vpair\ncapp\nT\nVglobal\ncapp\nT\n)RVinstance\nu."
    value = load_pickle(data, LIMITS).value
    assert isinstance(value, dict)
    assert list(value.values()) == ["pair", "global", "instance"]
    assert value[1, 2] == "pair"


def test_state_of_a_plain_dictionary_is_dropped() -> None:
    # nn.Module.state_dict() is an OrderedDict with the attribute _metadata.
    data = b"ccollections\nOrderedDict\n)R}S'_metadata'\nNsb."
    assert load_pickle(data, LIMITS).value == {}


def test_numpy_scalars_become_numbers() -> None:
    def scalar(kind: str, order: str, data: bytes) -> object:
        dtype = pickle.dumps((kind, False, True), 2)[2:-1]
        state = pickle.dumps((3, order, None, None, None, -1, -1, 0), 2)[2:-1]
        pickled = b"cnumpy._core.multiarray\nscalar\ncnumpy\ndtype\n" + dtype + b"R" + state
        return load_pickle(pickled + b"bC" + bytes([len(data)]) + data + b"\x86R.", LIMITS).value

    assert scalar("i8", "<", b"\x05" + bytes(7)) == 5
    assert scalar("i4", ">", bytes(3) + b"\x05") == 5
    assert scalar("f8", "<", b"\0\0\0\0\0\0\xf8?") == 1.5
    assert scalar("b1", "|", b"\1") is True
    assert isinstance(scalar("M8", "<", bytes(8)), Instance)
    assert isinstance(scalar("i8", "<", b"\x05"), Instance)


def test_nested_names_are_found_by_attribute() -> None:
    data = b"c__builtin__\ngetattr\n(capp\nOuter\nVInner\ntR."
    loaded = load_pickle(data, LIMITS)
    assert isinstance(loaded.value, Stub)
    assert loaded.value.qualified_name == "app.Outer.Inner"
    assert "app.Outer.Inner" in loaded.globals


def test_persistent_ids_are_answered_by_the_caller() -> None:
    asked: list[object] = []

    def answer(identifier: object) -> object:
        asked.append(identifier)
        return len(asked)

    assert load_pickle(b"(Pone\nK\x05Ql.", LIMITS, persistent_load=answer).value == [1, 2]
    assert asked == ["one", 5]
    assert "persistent ID" in error_of(load_pickle, b"NQ.").message


def test_factories_take_the_place_of_instances() -> None:
    data = torch_pickle([Global("app.join", ("a", "b")), Global("app.join")])
    value = load_pickle(data, LIMITS, factories={"app.join": "".join}).value
    assert isinstance(value, list)
    assert value[0] == "ab"
    assert isinstance(value[1], Stub)


def test_limits_of_size_and_opcodes() -> None:
    data = pickle.dumps(list(range(1000)))
    assert error_of(load_pickle, data, Limits(metadata_bytes=100)).code == "limit-exceeded"
    error = error_of(load_pickle, data, Limits(pickle_opcodes=100))
    assert (error.code, error.message) == (
        "limit-exceeded",
        "the pickle has more than 100 opcodes",
    )
    assert error_of(load_pickle, b"").code == "empty-file"


@pytest.mark.parametrize(
    "name",
    [
        "os.system",
        "posix.system",
        "nt.system",
        "subprocess.Popen",
        "builtins.eval",
        "builtins.exec",
        "builtins.__import__",
        "builtins.getattr.__subclasses__",
        "sys.modules",
        "importlib.import_module",
        "runpy._run_code",
        "torch.hub.load",
        "torch.load",
        "types.CodeType",
        "app.Model.__init__.__globals__",
        "numpy.testing._private.utils.runstring",
        "os",
    ],
)
def test_names_that_run_code_are_unsafe(name: str) -> None:
    assert unsafe_globals([name, "torch.float32"]) == (name,)


@pytest.mark.parametrize(
    "name",
    [
        "builtins.set",
        "builtins.getattr",
        "collections.OrderedDict",
        "argparse.Namespace",
        "_codecs.encode",
        "torch._utils._rebuild_tensor_v2",
        "numpy.ndarray",
        "numpy._core.multiarray._reconstruct",
        "transformers.training_args.TrainingArguments",
        "deepspeed.runtime.fp16.loss_scaler.LossScaler",
        "torch.distributed.checkpoint.metadata.Metadata",
        "pathlib.PosixPath",
        "datetime.datetime",
        "_io.BytesIO",
        "my_project.os_utils.Model",
        "osmium.Reader",
        "code.model.Net",
    ],
)
def test_names_that_frameworks_and_users_write_are_not_unsafe(name: str) -> None:
    assert unsafe_globals([name]) == ()
