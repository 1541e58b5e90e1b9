"""Bounded reads by address within one HDF5 file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError, Deadline
from ckpt_tui.artifacts.source import read_exactly

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.superblock import Superblock
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source

CHECKSUM_BYTES = 4


class View:
    """The bytes of a file, by the addresses that its structures use.

    Attributes:
        superblock: Sizes of numbers, and where the file's own data end.
        undefined: The address that stands for "nowhere".
    """

    def __init__(self, source: Source, superblock: Superblock, limits: Limits) -> None:
        self.superblock = superblock
        self.offset_bytes = superblock.offset_bytes
        self.length_bytes = superblock.length_bytes
        self.undefined = (1 << 8 * superblock.offset_bytes) - 1
        self.checksums = 0
        self.checked_bytes = 0
        self.checked: list[tuple[int, int]] = []
        self._source = source
        self._limits = limits
        self._deadline = Deadline(limits, source.name)
        self._read_bytes = 0

    @property
    def read_bytes(self) -> int:
        """Bytes of structure that were read so far."""
        return self._read_bytes

    def read(self, address: int, length: int, what: str) -> bytes:
        """Returns bytes of structure.

        Raises:
            ArtifactError: `unreadable-archive` where they would lie outside the file's data,
                `limit-exceeded` for too much structure or time.
        """
        self.require(address, length, what)
        self._deadline.check()
        self._read_bytes += length
        if self._read_bytes > self._limits.metadata_bytes:
            raise ArtifactError(
                "limit-exceeded",
                f"its structure has more than the limit of {self._limits.metadata_bytes} bytes",
                self._source.name,
            )
        return read_exactly(self._source, self.file_offset(address), length, what)

    def read_up_to(self, address: int, length: int, what: str) -> bytes:
        """Returns bytes of structure, fewer where the file's data end before."""
        room = self.superblock.end_address - address
        return self.read(address, max(1, min(length, room)), what)

    def require(self, address: int, length: int, what: str) -> None:
        """Raises ArtifactError where a part does not lie within the file's data."""
        if address < 0 or address + length > self.superblock.end_address:
            raise self.wrong(
                f"{what} at address {address} with {length} bytes reaches past the end of the"
                f" file's data at {self.superblock.end_address}"
            )

    def file_offset(self, address: int) -> int:
        """Where an address lies in the file."""
        return self.superblock.base + address

    def offset_at(self, data: bytes, at: int) -> int:
        """The address that is stored at a place in some bytes."""
        return self._number(data, at, self.offset_bytes)

    def length_at(self, data: bytes, at: int) -> int:
        """The length that is stored at a place in some bytes."""
        return self._number(data, at, self.length_bytes)

    def count_checksum(self, address: int, length: int) -> None:
        """Notes that a checksum over so many bytes, the one that follows them, was right."""
        self.checksums += 1
        self.checked_bytes += length
        begin = self.file_offset(address)
        self.checked.append((begin, begin + length + CHECKSUM_BYTES))

    def _number(self, data: bytes, at: int, size: int) -> int:
        part = data[at : at + size]
        if len(part) != size:
            raise self.wrong("a structure ends in the middle of a number")
        return int.from_bytes(part, "little")

    def wrong(self, message: str) -> ArtifactError:
        """An error that says what contradicts itself."""
        return ArtifactError("unreadable-archive", message, self._source.name)

    def unsupported(self, what: str) -> ArtifactError:
        """An error for what the format allows and is not read here."""
        return ArtifactError(
            "unsupported-version", f"{what} is not read by this version", self._source.name
        )
