from __future__ import annotations

import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.artifacts.zip_directory import (
    has_zip_end,
    is_stored_plainly,
    read_record,
    read_zip_directory,
    record_data_offset,
)
from tests.artifacts.builders import LIMITS, BytesSource, error_of, zip_of

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

CHARACTERS = st.characters(codec="utf-8", exclude_characters="\0")
# A name that ends with a slash is a directory's.
NAMES = st.text(CHARACTERS, min_size=1, max_size=20).filter(lambda name: name[-1] != "/")
END_BYTES = 22
RECORDS = {"a/data.pkl": b"N.", "a/data/0": bytes(100), "a/data/1": b""}


@settings(deadline=None)
@given(st.dictionaries(NAMES, st.binary(max_size=50)), st.booleans(), st.binary(max_size=30))
def test_reads_what_zipfile_writes(
    records: dict[str, bytes], deflated: bool, comment: bytes
) -> None:
    out = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in records.items():
            archive.writestr(name, data)
        archive.comment = comment
    source = BytesSource(out.getvalue())
    found = read_zip_directory(source, LIMITS)
    assert {name: read_record(source, record, LIMITS) for name, record in found.items()} == records
    assert all(found[name].crc32 == zlib.crc32(data) for name, data in records.items())
    assert has_zip_end(source)


def test_zip64_sizes_and_offsets_beyond_4_gib() -> None:
    source = HugeZip()
    found = read_zip_directory(source, LIMITS)
    assert found["a/data/0"].size_bytes == HugeZip.HUGE
    assert found["a/data/1"].header_offset > 1 << 32
    assert record_data_offset(source, found["a/data/1"]) == HugeZip.SECOND + 30 + 8
    assert read_record(source, found["a/data/1"], LIMITS) == b"12345"
    assert error_of_record(source, "a/data/0").code == "limit-exceeded"
    assert has_zip_end(source)


class HugeZip:
    """An archive of two records, of which the first has 5 GiB that are not in memory."""

    HUGE = 5 << 30
    SECOND = 30 + 8 + HUGE

    def __init__(self) -> None:
        self.name = "huge"
        local = struct.pack("<4s5H3I2H", b"PK\3\4", 45, 0, 0, 0, 0, 0, 5, 5, 8, 0)
        extra = struct.pack("<2H2Q", 1, 16, self.HUGE, self.HUGE)
        offset = struct.pack("<2HQ", 1, 8, self.SECOND)
        narrow = 0xFFFFFFFF
        directory = _entry(b"a/data/0", extra, narrow, narrow, 0) + _entry(
            b"a/data/1", offset, 5, 5, narrow
        )
        start = self.SECOND + len(local) + 8 + 5
        end64 = struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, 2, 2, len(directory), start)
        locator = struct.pack("<4sIQI", b"PK\6\7", 0, start + len(directory), 1)
        end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, narrow, narrow, 0)
        self._tail = local + b"a/data/1" + b"12345" + directory + end64 + locator + end
        self.size = self.SECOND + len(self._tail)

    def read_at(self, offset: int, length: int) -> bytes:
        assert length < 1 << 20
        begin = max(0, offset - self.SECOND)
        return self._tail[begin : begin + length] if offset >= self.SECOND else bytes(length)

    def close(self) -> None:
        pass


def _entry(name: bytes, extra: bytes, size: int, stored: int, offset: int) -> bytes:
    fields = (45, 45, 0, 0, 0, 0, 0, stored, size, len(name), len(extra), 0, 0, 0, 0, offset)
    return struct.pack("<4s6H3I5H2I", b"PK\1\2", *fields) + name + extra


def error_of_record(source: Source, name: str, limits: Limits = LIMITS) -> Exception:
    record = read_zip_directory(source, limits)[name]
    return error_of(lambda _source, limits: read_record(source, record, limits), b"", limits)


def test_many_entries_are_counted_in_zip64() -> None:
    data = zip_of({str(number): b"" for number in range(70_000)})
    assert len(read_zip_directory(BytesSource(data), LIMITS)) == 70_000


def test_no_beginning_of_an_archive_is_an_archive() -> None:
    whole = zip_of(RECORDS)
    for length in range(len(whole)):
        error = error_of(read_zip_directory, whole[:length])
        assert error.code == "truncated-file"
        assert not has_zip_end(BytesSource(whole[:length]))


def test_zip64_sizes_must_be_there() -> None:
    data = bytearray(zip_of(RECORDS))
    struct.pack_into("<I", data, data.index(b"PK\1\2") + 20, 0xFFFFFFFF)
    assert "lacks its ZIP64 sizes" in error_of(read_zip_directory, bytes(data)).message


def test_a_zip64_locator_without_its_end_record_is_passed_over() -> None:
    data = zip_of(RECORDS)
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, 0, 1)
    changed = data[:-END_BYTES] + locator + data[-END_BYTES:]
    assert read_zip_directory(BytesSource(changed), LIMITS).keys() == RECORDS.keys()


def test_bytes_after_the_end_are_passed_over_but_are_no_end() -> None:
    prolonged = BytesSource(zip_of(RECORDS) + bytes(100))
    assert read_zip_directory(prolonged, LIMITS).keys() == RECORDS.keys()
    assert not has_zip_end(prolonged)


def test_the_last_of_several_archives_ends_a_file() -> None:
    assert has_zip_end(BytesSource(zip_of(RECORDS) + zip_of({"archive/data.pkl": b"N."})))
    assert has_zip_end(BytesSource(zip_of({})))


def _with_end(data: bytes, position: int, value: bytes) -> bytes:
    """Overwrite bytes of the end record."""
    at = len(data) - END_BYTES + position
    return data[:at] + value + data[at + len(value) :]


@pytest.mark.parametrize(
    ("position", "value", "message"),
    [
        (8, b"\x07\0\x07\0", "the zip directory has 3 entries, its end record says 7"),
        (12, b"\xff\xff\0\0", "reaches past its end record"),
        (16, b"\xff\xff\0\0", "reaches past its end record"),
        (16, b"\0\0\0\0", "no zip directory entry begins at offset 0"),
        (12, b"\x6c\0\0\0", "the zip directory entry at offset 274 is cut"),
    ],
)
def test_an_end_record_must_fit_the_directory(position: int, value: bytes, message: str) -> None:
    error = error_of(read_zip_directory, _with_end(zip_of(RECORDS), position, value))
    assert error.code == "unreadable-archive"
    assert message in error.message


def test_a_record_must_not_reach_into_the_next_one() -> None:
    data = bytearray(zip_of(RECORDS))
    at = data.index(b"PK\1\2", data.index(b"PK\1\2") + 1)
    for position in (20, 24):
        struct.pack_into("<I", data, at + position, 5000)
    error = error_of(read_zip_directory, bytes(data))
    assert error.message.startswith("the record 'a/data/0' at offset 42 needs at least 5030 bytes")


def test_a_record_begins_with_its_own_header() -> None:
    data = bytearray(zip_of(RECORDS))
    data[0:4] = b"ruin"
    assert error_of_record(BytesSource(bytes(data)), "a/data.pkl").message == (
        "no zip record begins at offset 0 ('a/data.pkl')"
    )


def test_one_name_belongs_to_one_record() -> None:
    data = zip_of({"a/data/0": b"x", "a/data/1": b"y"}).replace(b"a/data/1", b"a/data/0")
    assert "names 'a/data/0' twice" in error_of(read_zip_directory, data).message


def test_a_zip_bomb_is_not_inflated() -> None:
    data = zip_of({"a/data.pkl": bytes(10 << 20)}, method=zipfile.ZIP_DEFLATED)
    assert len(data) < 20_000
    error = error_of_record(BytesSource(data), "a/data.pkl", Limits(metadata_bytes=1 << 20))
    assert error.code == "limit-exceeded"
    lying = bytearray(data)
    struct.pack_into("<I", lying, lying.index(b"PK\1\2") + 24, 100)
    error = error_of_record(BytesSource(bytes(lying)), "a/data.pkl")
    assert error.message == "the record 'a/data.pkl' has 101 bytes instead of 100"


def test_damaged_compression_and_encryption_are_refused() -> None:
    data = bytearray(zip_of({"a/data.pkl": b"N." * 50}, method=zipfile.ZIP_DEFLATED))
    directory = data.index(b"PK\1\2")
    broken, encrypted, unknown = data[:], data[:], data[:]
    broken[40:44] = b"\xff\xff\xff\xff"
    encrypted[directory + 8] |= 1
    unknown[directory + 10] = 99
    assert (
        "does not decompress" in error_of_record(BytesSource(bytes(broken)), "a/data.pkl").message
    )
    for changed in (encrypted, unknown):
        source = BytesSource(bytes(changed))
        assert "encrypted or compressed" in error_of_record(source, "a/data.pkl").message
        assert not is_stored_plainly(read_zip_directory(source, LIMITS)["a/data.pkl"])


def test_a_large_directory_is_not_read() -> None:
    data = zip_of({f"record-{number}": b"" for number in range(100)})
    error = error_of(read_zip_directory, data, Limits(metadata_bytes=1000))
    assert error.code == "limit-exceeded"


@pytest.mark.parametrize(
    ("position", "value"),
    [
        (8, b"\0\x20"),  # the local headers are masked
        (20, b"\0\0\0\0"),  # nothing is stored of a record with bytes
        (34, b"\2\0"),  # the record lies on another disk
        (38, b"\x10"),  # it is a directory
    ],
)
def test_an_entry_that_contradicts_itself(position: int, value: bytes) -> None:
    data = bytearray(zip_of(RECORDS))
    at = data.index(b"PK\1\2") + position
    data[at : at + len(value)] = value
    assert "contradicts itself" in error_of(read_zip_directory, bytes(data)).message


@pytest.mark.parametrize(("position", "value"), [(4, b"\2\0"), (6, b"\2\0"), (8, b"\7\0")])
def test_an_archive_of_several_disks_is_not_read(position: int, value: bytes) -> None:
    error = error_of(read_zip_directory, _with_end(zip_of(RECORDS), position, value))
    assert "several disks" in error.message
