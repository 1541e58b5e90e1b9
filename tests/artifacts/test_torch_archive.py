from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.torch_archive import (
    TensorInfo,
    read_torch_archive,
    sniff_torch,
    tensor_scalar,
)
from ckpt_tui.artifacts.torch_dtypes import ITEM_BYTES, STORAGE_DTYPES, decode_scalar, dtype_name
from ckpt_tui.artifacts.unsafe_names import unsafe_globals
from tests.artifacts.builders import (
    LIMITS,
    BytesSource,
    Global,
    Module,
    Storage,
    brief,
    error_of,
    tensor,
    torch_legacy,
    torch_zip,
    zip_of,
)

if TYPE_CHECKING:
    from pathlib import Path


def value_of(data: bytes) -> object:
    return read_torch_archive(BytesSource(data), LIMITS).value


def test_tensors_are_described_without_their_bytes() -> None:
    data = torch_zip({"w": tensor("0", (2, 3)), "step": 7}, {"0": bytes(24)}, root="any name")
    archive = read_torch_archive(BytesSource(data), LIMITS)
    assert archive.value == {"w": TensorInfo("float32", (2, 3), 24, "0", 0), "step": 7}
    assert archive.kind == "zip"
    assert archive.zip_records["data/0"].stored_bytes == 24
    assert set(archive.zip_records) == {"data.pkl", "version", "byteorder", "data/0"}
    assert unsafe_globals(archive.globals) == ()


def test_tensors_may_share_a_storage_and_have_no_element() -> None:
    value = [tensor("0", (4,)), tensor("0", (0, 5), elements=4), tensor("1", (0,))]
    archive = read_torch_archive(BytesSource(torch_zip(value, {"0": bytes(16), "1": b""})), LIMITS)
    assert [info.size_bytes for info in archive.value] == [16, 0, 0]


def test_the_legacy_form_is_read_as_well() -> None:
    data = torch_legacy(
        {"w": tensor("94", (2,)), "s": tensor("7", (), kind="LongStorage")},
        {"7": (1, struct.pack("<q", -5)), "94": (2, bytes(8))},
    )
    source = BytesSource(data)
    archive = read_torch_archive(source, LIMITS)
    assert archive.kind == "legacy"
    assert set(archive.legacy_offsets) == {"7", "94"}
    assert tensor_scalar(archive, source, archive.value["s"]) == -5
    assert tensor_scalar(archive, source, archive.value["w"]) is None


def test_the_class_of_a_whole_module_is_a_persistent_id_of_the_legacy_form_only() -> None:
    value = {"model": Module("torch.nn.modules.linear.Linear"), "w": tensor("1", (2,))}
    archive = read_torch_archive(BytesSource(torch_legacy(value, {"1": (2, bytes(8))})), LIMITS)
    assert archive.value["model"].module == "torch.nn.modules.linear"
    assert "torch.nn.modules.linear.Linear" in archive.globals
    with pytest.raises(ArtifactError, match="a persistent ID that is no storage"):
        read_torch_archive(BytesSource(torch_zip(value, {"1": bytes(8)})), LIMITS)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_the_protocol_is_told(protocol: int) -> None:
    data = torch_zip({"step": 1}, protocol=protocol)
    assert read_torch_archive(BytesSource(data), LIMITS).protocol == protocol


@pytest.mark.parametrize("protocol", [1, 2, 3, 4, 5])
def test_the_legacy_form_of_every_protocol(protocol: int) -> None:
    data = torch_legacy({"w": tensor("1", (2,))}, {"1": (2, bytes(8))}, protocol=protocol)
    archive = read_torch_archive(BytesSource(data), LIMITS)
    assert archive.kind == "legacy"
    assert archive.protocol == (protocol if protocol > 1 else 0)


def test_a_legacy_object_that_is_larger_than_the_first_read() -> None:
    data = torch_legacy({"text": "x" * (3 << 20), "w": tensor("1", (2,))}, {"1": (2, bytes(8))})
    assert set(read_torch_archive(BytesSource(data), LIMITS).legacy_offsets) == {"1"}
    error = error_of(read_torch_archive, data, Limits(metadata_bytes=2 << 20))
    assert error.code == "limit-exceeded"


LEGACY = torch_legacy({"w": tensor("1", (2,))}, {"1": (2, bytes(8))})


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (LEGACY[:-1], "truncated-file", "storage '1' ends at byte"),
        (LEGACY[:-9], "truncated-file", "the length of storage '1'"),
        (LEGACY[:100], "truncated-file", "without its STOP opcode"),
        (
            torch_legacy({"w": tensor("1", (2,))}, {"2": (2, bytes(8))}),
            "unreadable-archive",
            "the list of storages is not the one",
        ),
        (
            torch_legacy({"w": tensor("1", (2,))}, {"1": (3, bytes(8))}),
            "unreadable-archive",
            "has 3 elements, but the pickle says 8 bytes",
        ),
        (LEGACY.replace(b"M\xe9\x03", b"M\xe8\x03"), "unreadable-archive", "no protocol 1001"),
    ],
    ids=brief,
)
def test_a_legacy_file_must_be_whole(data: bytes, code: str, message: str) -> None:
    error = error_of(read_torch_archive, data)
    assert error.code == code
    assert message in error.message


def test_a_storage_must_be_in_the_archive_and_large_enough() -> None:
    missing = error_of(read_torch_archive, torch_zip(tensor("0", (2,))))
    assert missing.message == "the record data/0, which data.pkl refers to, is missing"
    small = error_of(read_torch_archive, torch_zip(tensor("0", (2,)), {"0": bytes(7)}))
    assert small.message == "the record data/0 has 7 bytes, but data.pkl says 8"
    assert {missing.code, small.code} == {"unreadable-archive"}


def _rebuilt(*args: object, name: str = "torch._utils._rebuild_tensor_v2") -> bytes:
    return torch_zip(Global(name, args), {"0": bytes(8)})


STORAGE = Storage("FloatStorage", "0", 2)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_rebuilt(STORAGE, 1, (2,), (1,)), "needs 12 bytes of storage '0', which has 8"),
        (_rebuilt(STORAGE, 0, (2, 2), (9, 1)), "needs 44 bytes"),
        (_rebuilt(STORAGE, 0, (2,), (1, 1)), "1 dimensions with 2 strides"),
        (_rebuilt(STORAGE, 0, (-2,), (1,)), "no number from 0 to 2^63"),
        (_rebuilt(STORAGE, 0, (1 << 32, 1 << 32), (0, 0)), "a tensor of 18446744073709551616"),
        (_rebuilt(STORAGE, 0, ("2",), (1,)), "no number from 0 to 2^63"),
        (_rebuilt(STORAGE, 0, (1,) * 65, (1,) * 65), "no short tuple"),
        (_rebuilt(STORAGE, 0, 2, 1), "no short tuple"),
        (_rebuilt(STORAGE), "without a storage"),
        (_rebuilt(5, 0, (2,), (1,)), "without a storage"),
        (_rebuilt(Storage("OddStorage", "0", 2), 0, (), ()), "unknown type 'torch.OddStorage'"),
        (
            torch_zip([STORAGE, Storage("FloatStorage", "0", 1)], {"0": bytes(8)}),
            "storage '0' with both 8 and 4 bytes",
        ),
        (_rebuilt(name="torch._utils._rebuild_parameter"), "a parameter without a tensor"),
        (_rebuilt(1, 2, name="torch._tensor._rebuild_from_type_v2"), "tensor subclass"),
        (
            _rebuilt(
                STORAGE, 0, (1,), (1,), False, None, Global("torch.odd"),
                name="torch._utils._rebuild_tensor_v3",
            ),
            "unknown data type 'torch.odd'",
        ),
    ],
    ids=brief,
)  # fmt: skip
def test_a_tensor_must_make_sense(data: bytes, message: str) -> None:
    error = error_of(read_torch_archive, data)
    assert error.code == "unreadable-archive"
    assert message in error.message


def test_other_forms_of_tensors() -> None:
    untyped = Storage("storage.UntypedStorage", "0", 8)
    plain = tensor("0", (2,))
    v3 = (untyped, 0, (4,), (1,), False, None, Global("torch.uint16"), None)
    function = Global("torch._utils._rebuild_tensor_v2")
    forms = {
        "v1": Global("torch._utils._rebuild_tensor", (STORAGE, 0, (2,), (1,))),
        "parameter": Global("torch._utils._rebuild_parameter", (plain, True, None)),
        "subclass": Global(
            "torch._tensor._rebuild_from_type_v2",
            (function, Global("torch.Tensor"), plain.args, {"note": 1}),
        ),
    }
    info = TensorInfo("float32", (2,), 8, "0", 0)
    assert value_of(torch_zip(forms, {"0": bytes(8)})) == dict.fromkeys(forms, info)
    wide = Global("torch._utils._rebuild_tensor_v3", v3)
    assert value_of(torch_zip(wide, {"0": bytes(8)})).dtype == "uint16"
    meta = (Global("torch.float"), (2, 3), (3, 1), False)
    empty = value_of(torch_zip(Global("torch._utils._rebuild_meta_tensor_no_storage", meta)))
    assert empty == TensorInfo("float32", (2, 3), 0, "", 0)


def test_a_wrapper_subclass_keeps_its_local_tensor() -> None:
    arguments = (
        Global("torch._utils._rebuild_wrapper_subclass"),
        Global("torch.distributed.tensor.DTensor"),
        (Global("torch.float32"), (4,)),
        (None, {"_local_tensor": tensor("0", (2,))}),
    )
    data = torch_zip(Global("torch._tensor._rebuild_from_type_v2", arguments), {"0": bytes(8)})
    value = value_of(data)
    assert isinstance(value, Instance)
    assert value.name == "DTensor"
    assert value.attributes["_local_tensor"] == TensorInfo("float32", (2,), 8, "0", 0)


def test_unsafe_globals_are_reported_not_refused() -> None:
    archive = read_torch_archive(
        BytesSource(torch_zip({"a": Global("os.system", ("true",)), "b": Global("app.Net", ())})),
        LIMITS,
    )
    assert unsafe_globals(archive.globals) == ("os.system",)
    assert archive.globals == {"os.system", "app.Net"}


@pytest.mark.parametrize(
    ("data", "code", "message"),
    [
        (b"", "empty-file", "0 bytes"),
        (b"PK", "truncated-file", "ends after its first 2 bytes"),
        (b"PK\3\4", "truncated-file", "no end record"),
        (b"\x80\x02}.", "unreadable-archive", "it begins with 80 02 7d 2e"),
        (b"{}", "unreadable-archive", "it is no torch file"),
        (zip_of({"a.npy": b"x"}), "unreadable-archive", "no single root directory"),
        (zip_of({"a/data.pkl": b"N.", "b/x": b""}), "unreadable-archive", "no single root"),
        (zip_of({"a/data.pkl": b"N."}), "unreadable-archive", "no record tells its version"),
        (
            zip_of({"a/data.pkl": b"N.", "a/version": b"new"}),
            "unreadable-archive",
            "the record version has no value that torch knows",
        ),
        (
            zip_of({"a/data.pkl": b"", "a/version": b"3"}),
            "truncated-file",
            "the pickle ends at byte 0",
        ),
    ],
    ids=brief,
)
def test_what_is_no_torch_file_is_said(data: bytes, code: str, message: str) -> None:
    error = error_of(read_torch_archive, data)
    assert error.code == code
    assert message in error.message


def test_the_pickle_has_the_checksum_of_the_directory() -> None:
    data = torch_zip({"step": 20})
    changed = data.replace(b"K\x14", b"K\x15")
    assert error_of(read_torch_archive, changed).code == "checksum-mismatch"
    at = changed.index(b"PK\1\2") + 16
    without = changed[:at] + bytes(4) + changed[at + 4 :]
    assert read_torch_archive(BytesSource(without), LIMITS).value == {"step": 21}


def test_a_record_that_does_not_begin_where_the_directory_says() -> None:
    data = torch_zip(tensor("0", (2,)), {"0": bytes(8)})
    at = data.index(b"archive/data/0") - 30
    assert data[at : at + 4] == b"PK\3\4"
    changed = data[:at] + b"XX" + data[at + 2 :]
    error = error_of(read_torch_archive, changed)
    assert error.code == "unreadable-archive"
    assert error.message == f"no zip record begins at offset {at} ('archive/data/0')"


@pytest.mark.parametrize(
    "field", [pytest.param((8, 1), id="flags"), pytest.param((10, 9), id="method")]
)
def test_a_record_that_torch_would_refuse(field: tuple[int, int]) -> None:
    place, value = field
    data = bytearray(torch_zip(tensor("0", (2,)), {"0": bytes(8)}))
    data[data.rindex(b"archive/data/0") - 46 + place] = value
    error = error_of(read_torch_archive, bytes(data))
    assert error.code == "unreadable-archive"
    assert "'archive/data/0' is encrypted or compressed in an unknown way" in error.message


def test_the_serialization_id_is_text() -> None:
    records = {"a/data.pkl": b"N.", "a/version": b"3\n"}
    good = zip_of({**records, "a/.data/serialization_id": b"0123"})
    assert read_torch_archive(BytesSource(good), LIMITS).value is None
    error = error_of(read_torch_archive, zip_of({**records, "a/.data/serialization_id": b"\xff"}))
    assert (error.code, error.message) == (
        "unreadable-archive",
        "the record .data/serialization_id is no text",
    )


def test_sniffing_looks_at_the_first_bytes_only() -> None:
    assert sniff_torch(BytesSource(torch_zip(1))) == "zip"
    assert sniff_torch(BytesSource(LEGACY[:20])) == "legacy"
    frame = b"\x80\x04\x95\x0d" + bytes(7)
    assert sniff_torch(BytesSource(frame + LEGACY[2:15])) == "legacy"
    for other in (b"", b"P", b"\x80\x02}.", b"\x89HDF"):
        assert sniff_torch(BytesSource(other)) is None


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("LongStorage", struct.pack("<q", -(1 << 40)), -(1 << 40)),
        ("IntStorage", struct.pack("<i", -7), -7),
        ("ShortStorage", struct.pack("<h", -7), -7),
        ("CharStorage", b"\xf9", -7),
        ("ByteStorage", b"\xf9", 249),
        ("BoolStorage", b"\x01", 1),
        ("HalfStorage", struct.pack("<e", 1.5), 1.5),
        ("BFloat16Storage", b"\xc0\x3f", 1.5),
        ("FloatStorage", struct.pack("<f", 1.5), 1.5),
        ("DoubleStorage", struct.pack("<d", 0.1), 0.1),
        ("ComplexFloatStorage", bytes(8), None),
        ("QInt8Storage", b"\x01", None),
    ],
    ids=brief,
)
def test_a_single_element_has_a_value(kind: str, data: bytes, expected: int | float | None) -> None:
    for shape in ((), (1,), (1, 1)):
        source = BytesSource(torch_zip(tensor("0", shape, kind=kind), {"0": data}))
        archive = read_torch_archive(source, LIMITS)
        assert tensor_scalar(archive, source, archive.value) == expected


def test_the_value_of_an_element_within_a_storage() -> None:
    storage = Storage("IntStorage", "0", 3)
    view = Global("torch._utils._rebuild_tensor_v2", (storage, 2, (), (), False, None))
    source = BytesSource(torch_zip(view, {"0": struct.pack("<3i", 1, 2, 3)}))
    archive = read_torch_archive(source, LIMITS)
    assert tensor_scalar(archive, source, archive.value) == 3


def test_byte_order_of_the_writer_is_respected() -> None:
    assert decode_scalar("int32", b"\0\0\0\x05", big_endian=True) == 5
    assert decode_scalar("bfloat16", b"\x3f\xc0", big_endian=True) == 1.5
    assert decode_scalar("int32", b"\x05") is None
    assert decode_scalar("odd", b"\x05") is None


def test_data_types_are_known_under_all_their_names() -> None:
    assert set(STORAGE_DTYPES.values()) <= set(ITEM_BYTES)
    assert dtype_name("half") == "float16"
    assert dtype_name("bfloat16") == "bfloat16"
    assert dtype_name("Size") is None


def test_real_files(corpus: Path) -> None:
    with FileSource(corpus / "torch/plain_numbered/ckpt_000300.pt") as source:
        archive = read_torch_archive(source, LIMITS)
        assert archive.kind == "zip"
        assert unsafe_globals(archive.globals) == ()
    with FileSource(corpus / "torch/plain_legacy_nonzip/ckpt_000300.pt") as source:
        legacy = read_torch_archive(source, LIMITS)
        assert legacy.kind == "legacy"
        storages = [name for name in archive.zip_records if name.startswith("data/")]
        assert len(legacy.legacy_offsets) == len(storages)
    assert set(legacy.value) == set(archive.value)
    assert legacy.value["model"].keys() == archive.value["model"].keys()


def test_real_zero_3_tensors_are_empty_and_whole(corpus: Path) -> None:
    path = "torch/deepspeed_zero3_ws2/global_step5/zero_pp_rank_0_mp_rank_00_model_states.pt"
    with FileSource(corpus / path) as source:
        archive = read_torch_archive(source, LIMITS)
    shapes = {info.shape for info in archive.value["module"].values()}
    assert shapes == {(0,)}


@pytest.mark.parametrize(
    "path",
    [
        "deepspeed_z1_sigkill_in_model/global_step10/mp_rank_00_model_states.pt",
        "hf_sigkill_in_optimizer/checkpoint-20/optimizer.pt",
        "hf_enospc/checkpoint-20/optimizer.pt",
        "lightning_sigkill_crossfs/checkpoints/last.ckpt",
    ],
)
def test_real_files_that_a_kill_cut(corpus: Path, path: str) -> None:
    data = (corpus / "torch_broken" / path).read_bytes()
    error = error_of(read_torch_archive, data)
    assert error.code == "truncated-file"
    assert f"of {len(data)} bytes has no end record" in error.message
