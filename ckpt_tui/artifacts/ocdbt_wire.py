"""The byte level of OCDBT, TensorStore's database of small and large values in files.

Manifests and tree nodes share one envelope: magic number (4 bytes, big-endian), length of the
whole (8 bytes, little-endian), version and compression (varints), body, CRC-32C of all before it
(4 bytes, little-endian). Field by field it is described in TensorStore's documentation of the
driver `ocdbt`, "Storage format".
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from ckpt_tui.artifacts.crc32c import crc32c
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.zstd import decompress

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Deadline

_HEADER: Final = struct.Struct(">I")
_LENGTH: Final = struct.Struct("<Q")
_CHECKSUM: Final = struct.Struct("<I")
_LEAST_BYTES: Final = _HEADER.size + _LENGTH.size + 2 + _CHECKSUM.size
_LONGEST_VARINT: Final = 10
_MOST_NUMBERS: Final = 1 << 19
"""Of one column: more entries than a node of 8 MiB, TensorStore's largest by default, has."""
_BETWEEN_CHECKS: Final = 1 << 14


class Cursor:
    """Reads fields from bytes, one after the other; nothing is read beyond their end.

    Args:
        data: The bytes.
        path: The file, for messages.
        deadline: Bound of the time for all columns of numbers; None for a few fields.

    Attributes:
        text_bytes: Bytes of all names that were made so far: few bytes here may stand for many.
    """

    __slots__ = ("_data", "_deadline", "_path", "_position", "text_bytes")

    def __init__(self, data: bytes, path: str, deadline: Deadline | None = None) -> None:
        self.text_bytes = 0
        self._data = data
        self._deadline = deadline
        self._path = path
        self._position = 0

    @property
    def left(self) -> int:
        """Bytes that were not read yet."""
        return len(self._data) - self._position

    def take(self, length: int) -> bytes:
        """The next bytes.

        Raises:
            ArtifactError: ``truncated-file`` where there are fewer.
        """
        if length > self.left:
            raise self.wrong(f"{length} bytes are wanted where only {self.left} are left")
        start = self._position
        self._position += length
        return self._data[start : self._position]

    def byte(self) -> int:
        """The next byte as a number."""
        return self.take(1)[0]

    def number(self) -> int:
        """The next varint: seven bits a byte, the lowest first."""
        return self.numbers(1)[0]

    def numbers(self, count: int) -> list[int]:
        """The next varints.

        Raises:
            ArtifactError: There are fewer, or one has more than 64 bits; ``limit-exceeded``.
        """
        if count > self.left:  # each takes a byte at least
            raise self.wrong(f"{count} numbers are wanted where only {self.left} bytes are left")
        if count > _MOST_NUMBERS:
            raise self._beyond(f"a table in it has more than the limit of {_MOST_NUMBERS} entries")
        data, position, end = self._data, self._position, len(self._data)
        found = []
        for place in range(count):
            if self._deadline is not None and place % _BETWEEN_CHECKS == 0:
                self._deadline.check()
            value = shift = 0
            while True:
                if position >= end or shift >= 7 * _LONGEST_VARINT:
                    raise self.wrong("a number does not end")
                byte = data[position]
                position += 1
                value |= (byte & 0x7F) << shift
                if byte < 0x80:
                    break
                shift += 7
            if value >= 1 << 64:
                raise self.wrong("a number has more than 64 bits")
            found.append(value)
        self._position = position
        return found

    def texts(self, prefixes: list[int], suffixes: list[int], most_bytes: int) -> list[bytes]:
        """The next names, of which each shares a beginning with the one before.

        Args:
            prefixes: How many bytes each but the first shares with its predecessor.
            suffixes: How many bytes of its own each has.
            most_bytes: Bound of all names together: a few bytes here may stand for many.

        Raises:
            ArtifactError: A name shares more than its predecessor has; ``limit-exceeded``.
        """
        names: list[bytes] = []
        before, total = b"", 0
        for shared, own in zip((0, *prefixes), suffixes, strict=True):
            if shared > len(before):
                raise self.wrong("a name shares more with the one before than that has")
            before = before[:shared] + self.take(own)
            total += len(before)
            if total > most_bytes:
                raise self._beyond(
                    f"the names in it take more than the limit of {most_bytes} bytes"
                )
            names.append(before)
        self.text_bytes += total
        return names

    def _beyond(self, what: str) -> ArtifactError:
        return ArtifactError("limit-exceeded", what, self._path)

    def wrong(self, message: str) -> ArtifactError:
        """The error for what cannot be right here."""
        return ArtifactError("unreadable-archive", f"its OCDBT structure: {message}", self._path)


def open_envelope(
    data: bytes, magic: int, what: str, path: str, most_bytes: int, deadline: Deadline
) -> Cursor:
    """Checks an envelope and returns a cursor at the start of its body.

    Args:
        data: The envelope and nothing else.
        magic: The number that it must begin with.
        what: What it is, for messages ("the manifest").
        path: The file, for messages.
        most_bytes: Bound of the decompressed body.
        deadline: Bound of the time for reading it.

    Raises:
        ArtifactError: ``empty-file``, ``truncated-file``, ``checksum-mismatch``,
            ``unreadable-archive``, ``unsupported-version``, ``limit-exceeded``.
    """
    if not data:
        raise ArtifactError("empty-file", f"{what} is empty (0 bytes)", path)
    if len(data) < _LEAST_BYTES:
        short = f"{what} has {len(data)} bytes, fewer than any that is whole"
        raise ArtifactError("truncated-file", short, path)
    if _HEADER.unpack_from(data)[0] != magic:
        message = f"{what} does not begin with the number {magic:#010x}"
        raise ArtifactError("unreadable-archive", message, path)
    length = _LENGTH.unpack_from(data, _HEADER.size)[0]
    if length != len(data):
        code = "truncated-file" if length > len(data) else "size-mismatch"
        raise ArtifactError(code, f"{what} says {length} bytes, but has {len(data)}", path)
    stored = _CHECKSUM.unpack(data[-_CHECKSUM.size :])[0]
    computed = crc32c(data[: -_CHECKSUM.size])
    if stored != computed:
        message = f"{what} has the CRC-32C {computed:#010x}, not {stored:#010x} as it says"
        raise ArtifactError("checksum-mismatch", message, path)
    return _body(data, what, path, most_bytes, deadline)


def _body(data: bytes, what: str, path: str, most_bytes: int, deadline: Deadline) -> Cursor:
    head = Cursor(data[_HEADER.size + _LENGTH.size : -_CHECKSUM.size], path)
    version, compression = head.numbers(2)
    if version != 0 or compression > 1:
        message = f"{what} is of version {version} with compression {compression}, both unknown"
        raise ArtifactError("unsupported-version", message, path)
    body = head.take(head.left)
    return Cursor(decompress(body, most_bytes, path) if compression else body, path, deadline)
