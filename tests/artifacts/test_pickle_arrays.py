"""Pickles of arrays: described in any protocol, never read as a whole, never executed."""

from __future__ import annotations

import os
import pickle
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.memory_source import MemorySource
from ckpt_tui.artifacts.pickle_arrays import ArrayPickle, read_array_pickle, sniff_pickle
from ckpt_tui.artifacts.torch_tensors import TensorInfo

SAMPLES = Path(__file__).parents[2] / "sample_runs"
ARRAY = np.arange(24, dtype="<f4").reshape(2, 3, 4)
STATE = {"step": 7, "params": {"w": ARRAY, "b": np.ones(2, ">f8")}, "rng": np.random.bytes(100)}
PROTOCOLS = pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))


def read(data: bytes, limits: Limits | None = None) -> ArrayPickle:
    return read_array_pickle(MemorySource(data, "state.pkl"), limits or Limits())


def tensor(found: ArrayPickle, *keys: str) -> TensorInfo:
    value = found.value
    for key in keys:
        assert isinstance(value, dict)
        value = value[key]
    assert isinstance(value, TensorInfo)
    return value


@PROTOCOLS
def test_arrays_are_described(protocol: int) -> None:
    found = read(pickle.dumps(STATE, protocol))
    weights, bias = tensor(found, "params", "w"), tensor(found, "params", "b")
    assert (weights.dtype, weights.shape, weights.size_bytes) == ("float32", (2, 3, 4), 96)
    assert (bias.dtype, bias.shape) == ("float64", (2,))
    assert found.stored[bias.storage_key].big_endian
    assert isinstance(found.value, dict)
    assert found.value["step"] == 7


@pytest.mark.parametrize("protocol", [3, 4, 5])
def test_an_array_lies_where_it_is_said_to(protocol: int) -> None:
    data = pickle.dumps(STATE, protocol)
    found = read(data)
    held = found.stored[tensor(found, "params", "w").storage_key]
    assert held.offset is not None
    assert data[held.offset : held.offset + held.size_bytes] == ARRAY.tobytes()
    few = found.stored[tensor(found, "params", "b").storage_key]
    assert few.inline == STATE["params"]["b"].tobytes()


def test_a_step_in_an_array_is_a_number() -> None:
    found = read(pickle.dumps({"step": np.asarray(12), "other": np.int32(3)}))
    assert isinstance(found.value, dict)
    assert [found.number(part) for part in found.value.values()] == [12, 3]


def test_a_shared_array_is_stored_once() -> None:
    found = read(pickle.dumps({"a": ARRAY, "b": ARRAY}))
    assert tensor(found, "a").storage_key == tensor(found, "b").storage_key
    assert len(found.stored) == 1


def test_arrays_stand_in_tuples_and_in_classes() -> None:
    found = read(pickle.dumps((1, [ARRAY, (ARRAY,)], OrderedDict(x=ARRAY))))
    assert isinstance(found.value, tuple)
    number, parts, ordered = found.value
    assert number == 1
    assert isinstance(parts[0], TensorInfo)
    assert isinstance(parts[1][0], TensorInfo)
    assert isinstance(ordered["x"], TensorInfo)


def test_objects_in_an_array_are_values() -> None:
    found = read(pickle.dumps({"names": np.array(["a", 1], dtype=object), "w": ARRAY}))
    assert len(found.stored) == 1


def test_several_pickles_and_what_follows_them() -> None:
    data = pickle.dumps({"w": ARRAY}) + pickle.dumps(5)
    found = read(data + b"rest")
    assert found.values[1] == 5
    assert (found.end, found.size_bytes) == (len(data), len(data) + 4)
    with pytest.raises(ArtifactError, match="without its STOP opcode"):
        read(data[:-1])


@PROTOCOLS
def test_no_cut_passes(protocol: int) -> None:
    data = pickle.dumps(STATE, protocol)
    for length in range(len(data)):
        with pytest.raises(ArtifactError) as raised:
            read(data[:length])
        assert raised.value.code in ("truncated-file", "empty-file")


def test_bytes_that_do_not_fit_the_shape_are_refused() -> None:
    data = pickle.dumps(np.zeros(100, "<f4"), 4)
    assert data.count(b"Kd\x85") == 1  # the shape (100,)
    with pytest.raises(ArtifactError, match="needs 396 bytes, but has 400"):
        read(data.replace(b"Kd\x85", b"Kc\x85"))


def test_a_reference_out_of_the_pickle_is_refused() -> None:
    for data in (b"\x80\x04K\x01Q.", b"Pname\n."):
        with pytest.raises(ArtifactError, match="outside of it"):
            read(data)


def test_large_arrays_do_not_count_as_metadata(tmp_path: Path) -> None:
    data = pickle.dumps({"w": np.zeros(1 << 18), "step": 1})
    small = Limits(metadata_bytes=4096)
    assert tensor(read(data, small), "w").size_bytes == 1 << 21
    with pytest.raises(ArtifactError, match="more than the limit"):
        read(pickle.dumps([str(number) for number in range(5000)]), small)


def test_code_is_named_and_not_run(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, ...]:
            return os.mkdir, (str(tmp_path / "made"),)

    found = read(pickle.dumps({"w": ARRAY, "x": Bomb()}))
    assert "posix.mkdir" in found.globals or "os.mkdir" in found.globals
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("path", "is_pickle"),
    [
        ("pickle-file/atomic/ckpt_000100.pkl", True),
        ("paddle/hapi/0.pdopt", True),
        ("torch-file/numbered/ckpt_000100.pt", False),
        ("torch-file/legacy/ckpt_000100.pt", False),
    ],
)
def test_first_bytes(path: str, is_pickle: bool) -> None:
    data = (SAMPLES / path).read_bytes()
    assert sniff_pickle(MemorySource(data, path)) is is_pickle


def test_types_of_ml_dtypes_and_jax() -> None:
    data = (SAMPLES / "pickle-file/tuple/ckpt_000100.pkl").read_bytes()
    found = read(data)
    assert isinstance(found.value, tuple)
    params = found.value[1]
    assert params["bias"][:2] == ("bfloat16", (64,))
    assert params["kernel"][:2] == ("float32", (8, 64))


@given(st.binary(max_size=200))
def test_any_bytes_raise_no_other_error(data: bytes) -> None:
    try:
        read(b"\x80\x04" + data, Limits(seconds=0.5))
    except ArtifactError:
        return


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_damage_raises_no_other_error(data: st.DataObject) -> None:
    whole = bytearray(pickle.dumps(STATE, data.draw(st.integers(0, 5))))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        read(bytes(whole), Limits(seconds=0.5))
    except ArtifactError:
        return
