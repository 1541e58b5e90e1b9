"""The superblock of an HDF5 file: where its data end, and where its root group is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.lookup3 import lookup3
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import require_content

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

SIGNATURE = b"\x89HDF\r\n\x1a\n"
_FIRST_USER_BLOCK = 512
_SIZES = (2, 4, 8)
_MOST_BYTES = 112
_FIRST_NEW, _LATEST = 2, 3
_ADDRESSES_AT = 24
_FIRST_WIDER = 4  # version 1 has the size of a chunk index's nodes before its addresses
_LEAF_K, _INTERNAL_K = 4, 16
_HELD = 1 | 4  # for writing, and for writing while others read (SWMR)
_KNOWN_FLAGS, _LAST_ENTRY = 7, 2


class Superblock(NamedTuple):
    """What the superblock says.

    Attributes:
        base: Where it lies in the file; addresses count from there.
        version: 0 to 3.
        offset_bytes: Size of an address.
        length_bytes: Size of a length.
        leaf_k: Half of the most entries in a leaf of a group's tree.
        internal_k: Half of the most children of a node of a group's tree.
        flags: Consistency flags; they count from version 3 on.
        end_address: Where the file's data end.
        root_address: Object header of the root group.
    """

    base: int
    version: int
    offset_bytes: int
    length_bytes: int
    leaf_k: int
    internal_k: int
    flags: int
    end_address: int
    root_address: int

    @property
    def is_open(self) -> bool:
        """Whether its writer has not closed it: libhdf5 does not open such a file for reading."""
        return self.version >= _LATEST and bool(self.flags & _HELD)


def find_signature(source: Source) -> int | None:
    """Where the superblock begins: at 0, or after a user block of 512 bytes or a doubling of it."""
    at = 0
    while at + len(SIGNATURE) <= source.size:
        if source.read_at(at, len(SIGNATURE)) == SIGNATURE:
            return at
        at = at * 2 or _FIRST_USER_BLOCK
    return None


def read_superblock(source: Source) -> Superblock:
    """Reads the superblock and compares it with the file's size.

    Raises:
        ArtifactError: `empty-file`; `unreadable-archive` without a signature or with numbers that
            cannot be; `truncated-file` where the file ends before its own end mark.
    """
    require_content(source)
    base = find_signature(source)
    if base is None:
        raise _wrong(source, "it has no HDF5 signature")
    data = source.read_at(base, _MOST_BYTES)
    version = data[8] if len(data) > 8 else 0
    if version > _LATEST:
        raise _wrong(source, f"its superblock has version {version}, which there is not")
    read = _read_old if version < _FIRST_NEW else _read_new
    block = read(source, base, data.ljust(_MOST_BYTES, b"\0"), version)
    if source.size < block.end_address:
        raise ArtifactError(
            "truncated-file",
            f"it has {source.size} bytes, but its superblock says that its data end at"
            f" {block.end_address}",
            source.name,
        )
    return block._replace(end_address=block.end_address - base)


def _read_old(source: Source, base: int, data: bytes, version: int) -> Superblock:
    """Versions 0 and 1: the sizes of nodes, then five addresses."""
    versions = (data[9], data[10], data[12])
    offset_bytes, length_bytes = _sizes(source, data[13], data[14])
    leaf_k, internal_k = (int.from_bytes(data[at : at + 2], "little") for at in (16, 18))
    if any(versions) or not leaf_k or not internal_k:
        raise _wrong(source, "its superblock contradicts itself")
    at = _ADDRESSES_AT + (_FIRST_WIDER if version else 0)

    def address(number: int) -> int:
        begin = at + number * offset_bytes
        return int.from_bytes(data[begin : begin + offset_bytes], "little")

    undefined = (1 << 8 * offset_bytes) - 1
    # After the four addresses comes the root's entry: its name, then its header.
    stored_base, free_space, end, driver, _, root = map(address, range(6))
    if stored_base != base or (free_space, driver) != (undefined, undefined):
        raise _wrong(source, "its superblock has addresses that a single file has not")
    at += 6 * offset_bytes  # behind the root's header: what its entry keeps ready
    flags, entry = (int.from_bytes(data[n : n + 4], "little") for n in (20, at))
    if flags & ~_KNOWN_FLAGS or entry > _LAST_ENTRY:
        raise _wrong(source, "its superblock contradicts itself")
    return Superblock(base, version, offset_bytes, length_bytes, leaf_k, internal_k, 0, end, root)


def _read_new(source: Source, base: int, data: bytes, version: int) -> Superblock:
    """Versions 2 and 3: four addresses and a checksum."""
    offset_bytes, length_bytes = _sizes(source, data[9], data[10])
    _, _, end, root = (
        int.from_bytes(data[12 + n * offset_bytes :][:offset_bytes], "little") for n in range(4)
    )
    checked = 12 + 4 * offset_bytes
    if int.from_bytes(data[checked : checked + 4], "little") != lookup3(data[:checked]):
        raise _wrong(source, "its superblock has another checksum than is stored in it")
    return Superblock(
        base, version, offset_bytes, length_bytes, _LEAF_K, _INTERNAL_K, data[11], end, root
    )


def _sizes(source: Source, offset_bytes: int, length_bytes: int) -> tuple[int, int]:
    if offset_bytes not in _SIZES or length_bytes not in _SIZES:
        raise _wrong(
            source,
            f"its superblock gives addresses {offset_bytes} and lengths {length_bytes} bytes,"
            " which cannot be",
        )
    return offset_bytes, length_bytes


def _wrong(source: Source, message: str) -> ArtifactError:
    return ArtifactError("unreadable-archive", message, source.name)
