"""The stored zip archive that torch writes: aligned records, sizes behind the data, zip64 end."""

from __future__ import annotations

import struct
import zlib

from ckpt_tui.demo.torch_values import Hole, Piece, size_of

ALIGNMENT_BYTES = 64

_NARROW = 2**32 - 1
"""In place of an offset that stands in the zip64 field."""


class TorchArchive:
    """A stored zip, written as torch writes it: sizes follow the data, zip64 end records.

    A hole has no checksum, as torch leaves it out where it is told not to compute any
    (`torch.serialization.config.save.compute_crc32`).

    Args:
        root: The name above all records.
    """

    _LOCAL = struct.Struct("<4s5H3I2H")
    _DESCRIPTOR = struct.Struct("<4s3I")
    _CENTRAL = struct.Struct("<4s6H3I5H2I")
    _END_64 = struct.Struct("<4sQ2H2I4Q")
    _LOCATOR_64 = struct.Struct("<4sIQI")
    _END = struct.Struct("<4s4H2IH")
    _UTF8_NAME = 0x0800
    _SIZES_FOLLOW = 0x0008
    _MADE_BY = 0x031E
    _NEEDS = 45
    _ZIP64_FIELD = 1

    def __init__(self, root: str) -> None:
        self._root = root
        self._pieces: list[Piece] = []
        self._central: list[bytes] = []
        self._offset_bytes = 0

    def add(self, record: str, data: Piece) -> None:
        """Adds a record of at most 4 GiB."""
        name = f"{self._root}/{record}".encode()
        size_bytes = size_of(data)
        flags = self._UTF8_NAME | (self._SIZES_FOLLOW if size_bytes else 0)
        start = self._offset_bytes
        padding = self._padding(start + self._LOCAL.size + len(name))
        crc32 = 0 if isinstance(data, Hole) else zlib.crc32(data)
        header = (0, flags, 0, 0, 0, 0, 0, 0, len(name), len(padding))
        self._put(self._LOCAL.pack(b"PK\x03\x04", *header) + name + padding)
        self._put(data)
        if size_bytes:
            self._put(self._DESCRIPTOR.pack(b"PK\x07\x08", crc32, size_bytes, size_bytes))
        wide = struct.pack("<2HQ", self._ZIP64_FIELD, 8, start) if start >= _NARROW else b""
        sizes = (crc32, size_bytes, size_bytes, len(name), len(wide))
        listed = (0, 0, flags, 0, 0, 0, *sizes, 0, 0, 0, 0, min(start, _NARROW))
        self._central.append(self._CENTRAL.pack(b"PK\x01\x02", *listed) + name + wide)

    def finish(self) -> list[Piece]:
        """The whole archive."""
        count, start = len(self._central), self._offset_bytes
        self._put(b"".join(self._central))
        end = self._offset_bytes
        size_bytes = end - start
        self._put(
            self._END_64.pack(
                b"PK\x06\x06",
                self._END_64.size - 12,
                self._MADE_BY,
                self._NEEDS,
                0,
                0,
                count,
                count,
                size_bytes,
                start,
            )
        )
        self._put(self._LOCATOR_64.pack(b"PK\x06\x07", 0, end, 1))
        end_start = min(start, _NARROW)
        self._put(self._END.pack(b"PK\x05\x06", 0, 0, count, count, size_bytes, end_start, 0))
        return self._pieces

    def _put(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._offset_bytes += size_of(piece)

    @staticmethod
    def _padding(offset_bytes: int) -> bytes:
        """An extra field `FB` that moves the data to the next multiple of 64 bytes."""
        fill = -(offset_bytes + 4) % ALIGNMENT_BYTES
        return b"FB" + struct.pack("<H", fill) + b"Z" * fill
