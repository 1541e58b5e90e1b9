"""Global heaps: where texts of any length lie."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ckpt_tui.artifacts.hdf5.view import View

_MAGIC = b"GCOL"
_OBJECT = struct.Struct("<HH4x")


def heap_object(view: View, reference: bytes, heaps: dict[int, dict[int, bytes]]) -> bytes:
    """The bytes that an element of a variable length refers to; none for an empty one.

    Args:
        view: The file.
        reference: Length, address of the heap, number of the object in it.
        heaps: Those that were read before, by address.

    Raises:
        ArtifactError: `unreadable-archive`: there is no such object.
    """
    if len(reference) < 8 + view.offset_bytes:
        raise view.wrong("a text of variable length ends in its reference")
    length = int.from_bytes(reference[:4], "little")
    address = view.offset_at(reference, 4)
    number = int.from_bytes(reference[4 + view.offset_bytes :][:4], "little")
    if not length or not address:
        return b""
    if address not in heaps:
        heaps[address] = _read_heap(view, address)
    found = heaps[address].get(number)
    if found is None or len(found) < length:
        raise view.wrong(f"the heap at address {address} has no object {number} of {length} bytes")
    return found[:length]


def _read_heap(view: View, address: int) -> dict[int, bytes]:
    prefix = 8 + view.length_bytes
    start = view.read(address, prefix, "a global heap")
    if not start.startswith(_MAGIC) or start[4] != 1:
        raise view.wrong(f"no global heap begins at address {address}")
    size = view.length_at(start, 8)
    data = view.read(address, size, "a global heap")
    head = _OBJECT.size + view.length_bytes
    objects: dict[int, bytes] = {}
    at = prefix
    while at + head <= len(data):
        number, _ = _OBJECT.unpack_from(data, at)
        length = view.length_at(data, at + _OBJECT.size)
        if not number:  # what is left is free
            break
        begin = at + head
        if begin + length > len(data):
            raise view.wrong(f"the heap at address {address} has an object past its end")
        objects[number] = data[begin : begin + length]
        at = begin + (length + 7 & ~7)
    return objects
