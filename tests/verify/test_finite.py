"""NaN and infinity: which bits are, in every kind of file, with numpy and without."""

from __future__ import annotations

import json
import math
import shutil
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.verify.finite import counting
from ckpt_tui.verify.finite.counting import Counter, counter_of
from ckpt_tui.verify.finite.kinds import KINDS, ByteKind, WideKind
from tests.formats.torch_builder import Shape, write_torch
from tests.verify.files import SAMPLES, end_of_dcp_tensor, record_begin, result_of, results_below

_ITEMS = {"float32": ("<f", 4), "float64": ("<d", 8), "float16": ("<e", 2)}


@pytest.mark.parametrize("dtype", _ITEMS)
@given(values=st.lists(st.floats(width=16)), cut=st.integers(0, 64))
def test_counts_are_those_of_the_values(dtype: str, values: list[float], cut: int) -> None:
    code, _ = _ITEMS[dtype]
    data = b"".join(struct.pack(code, value) for value in values)
    counter = counter_of(dtype)
    assert counter is not None
    counter.feed(data[:cut])
    counter.feed(memoryview(data)[cut:])
    assert counter.nan_count == sum(map(math.isnan, values))
    assert counter.infinite_count == sum(map(math.isinf, values))


@pytest.mark.parametrize("dtype", [name for name, kind in KINDS.items() if type(kind) is WideKind])
@given(data=st.binary(max_size=256), big=st.booleans())
def test_numpy_and_plain_python_agree(dtype: str, data: bytes, big: bool) -> None:
    kind = KINDS[dtype]
    assert isinstance(kind, WideKind)
    whole = data[: len(data) - len(data) % kind.item_bytes]
    counter = Counter(kind, big_endian=big)
    counter.feed(data)
    plainly = counting._count_plainly(kind, whole, big)
    assert plainly == (counter.nan_count, counter.infinite_count)


def _is_nan_or_infinite(byte: int, exponent_bits: int, mantissa_bits: int) -> tuple[bool, bool]:
    """By the rule of IEEE 754: all bits of the exponent are set."""
    exponent = byte >> mantissa_bits & (1 << exponent_bits) - 1
    mantissa = byte & (1 << mantissa_bits) - 1
    special = exponent == (1 << exponent_bits) - 1
    return special and mantissa != 0, special and mantissa == 0


@pytest.mark.parametrize(
    ("dtype", "exponent_bits", "mantissa_bits"),
    [("float8_e5m2", 5, 2), ("float8_e4m3", 4, 3), ("float8_e3m4", 3, 4)],
)
def test_bytes_of_ieee_form(dtype: str, exponent_bits: int, mantissa_bits: int) -> None:
    kind = KINDS[dtype]
    assert isinstance(kind, ByteKind)
    for byte in range(256):
        nan, infinite = _is_nan_or_infinite(byte, exponent_bits, mantissa_bits)
        assert (byte in kind.nan, byte in kind.infinite) == (nan, infinite)


@pytest.mark.parametrize(
    ("dtype", "nan"),
    [
        ("float8_e4m3fn", b"\x7f\xff"),
        ("float8_e4m3fnuz", b"\x80"),
        ("float8_e5m2fnuz", b"\x80"),
        ("float8_e8m0fnu", b"\xff"),
    ],
)
def test_bytes_without_infinity(dtype: str, nan: bytes) -> None:
    counter = counter_of(dtype)
    assert counter is not None
    counter.feed(bytes(range(256)))
    assert (counter.nan_count, counter.infinite_count) == (len(nan), 0)


def test_bfloat16_is_the_upper_half_of_float32() -> None:
    counter = counter_of("bfloat16")
    assert counter is not None
    counter.feed(struct.pack("<5H", 0x7F80, 0xFF80, 0x7FC0, 0x7F7F, 0x0001))
    assert (counter.nan_count, counter.infinite_count) == (1, 2)


def test_integers_have_neither() -> None:
    assert counter_of("int64") is None


def test_a_torch_file_names_the_tensor(tmp_path: Path) -> None:
    path = write_torch(tmp_path / "m.pt", {"model": {"w": Shape((4,)), "b": Shape((2,))}})
    begin = record_begin(path, "archive/data/1")
    data = bytearray(path.read_bytes())
    data[begin : begin + 8] = struct.pack("<2f", math.nan, -math.inf)
    path.write_bytes(data)
    found = result_of(path, finite=True)
    (one,) = found.non_finite
    assert (one.tensor, one.nan_count, one.infinite_count) == ("model.b", 1, 1)
    assert found.finite_checked
    assert found.scanned_bytes == 6 * 4
    assert not result_of(path).finite_checked


def test_one_infinite_number_of_no_role_is_a_best_value_so_far(tmp_path: Path) -> None:
    state = {"model": {"w": Shape((1,))}, "callbacks": {"best": Shape(())}}
    path = write_torch(tmp_path / "m.ckpt", state)
    data = bytearray(path.read_bytes())
    for record in ("archive/data/0", "archive/data/1"):
        begin = record_begin(path, record)
        data[begin : begin + 4] = struct.pack("<f", math.inf)
    path.write_bytes(data)
    assert [one.tensor for one in result_of(path, finite=True).non_finite] == ["model.w"]


def test_safetensors(tmp_path: Path) -> None:
    header = {
        "a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]},
        "b": {"dtype": "BF16", "shape": [2], "data_offsets": [8, 12]},
        "c": {"dtype": "I32", "shape": [1], "data_offsets": [12, 16]},
    }
    text = json.dumps(header).encode()
    data = struct.pack("<2f", 1.0, math.inf) + struct.pack("<2H", 0x7FC1, 0) + b"\xff" * 4
    path = tmp_path / "model.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    found = result_of(path, finite=True)
    assert [tuple(one) for one in found.non_finite] == [("a", 0, 1), ("b", 1, 0)]
    assert (found.ok, found.method, found.checked_bytes) == (None, "structure", 0)


def test_dcp_items_are_named_by_the_index(tmp_path: Path) -> None:
    run = Path(shutil.copytree(SAMPLES / "torch-dcp" / "nested", tmp_path / "run"))
    found = results_below(run, finite=True)
    assert all(file.finite_checked for name, file in found.items() if name.endswith(".distcp"))
    assert not any(file.non_finite for file in found.values())
    end, name = end_of_dcp_tensor(run / "step-10", "__0_0.distcp")
    path = run / "step-10" / "__0_0.distcp"
    data = bytearray(path.read_bytes())
    data[end - 4 : end] = struct.pack("<f", math.nan)
    path.write_bytes(data)
    (one,) = results_below(run, finite=True)["step-10/__0_0.distcp"].non_finite
    assert tuple(one) == (name, 1, 0)


@pytest.mark.parametrize("sample", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
def test_no_sample_holds_any(sample: str) -> None:
    if sample == "generators":
        return
    for name, file in results_below(SAMPLES / sample, finite=True).items():
        assert not file.non_finite, name
        assert "could not be scanned" not in file.message, name


def _replaced(path: Path, begin: int, data: bytes) -> None:
    whole = bytearray(path.read_bytes())
    whole[begin : begin + len(data)] = data
    path.write_bytes(whole)


def test_a_tensor_of_a_bundle(tmp_path: Path) -> None:
    runs = Path(shutil.copytree(SAMPLES / "tensorflow", tmp_path / "runs"))
    for name, file in results_below(runs, finite=True).items():
        if ".data-" in name and file.scanned_bytes:
            _replaced(runs / name, 0, b"\xff" * file.size_bytes)
            found = results_below(runs, finite=True)[name]
            assert {one.tensor for one in found.non_finite}
            assert sum(one.nan_count for one in found.non_finite) == file.scanned_bytes // 4
            return
    raise AssertionError("no data file of a bundle among the samples")


def test_small_chunks_in_the_tree_are_scanned_with_their_manifest() -> None:
    found = results_below(SAMPLES / "orbax", finite=True)
    scanned = {name: file for name, file in found.items() if file.scanned_bytes}
    assert any(name.endswith("manifest.ocdbt") for name in scanned)
    assert not any("ocdbt.process_" in name and name.endswith(".ocdbt") for name in scanned)
