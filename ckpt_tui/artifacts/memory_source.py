"""A source whose bytes are in memory: what was decompressed, within a bound."""

from __future__ import annotations


class MemorySource:
    """Bytes under the name of the file that they are from."""

    def __init__(self, data: bytes, name: str) -> None:
        self._data = data
        self.name = name
        self.size = len(data)

    def read_at(self, offset: int, length: int) -> bytes:
        """Returns up to `length` bytes from `offset`."""
        return self._data[offset : offset + max(0, length)] if offset >= 0 else b""

    def close(self) -> None:
        """There is nothing to release."""
