"""Object headers: the messages that say what an object is, in both of their versions."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.hdf5.lookup3 import lookup3

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ckpt_tui.artifacts.hdf5.view import View

DATASPACE, LINK_INFO, DATATYPE, FILL_VALUE, LINK = 0x01, 0x02, 0x03, 0x05, 0x06
EXTERNAL_FILES, LAYOUT, FILTERS, ATTRIBUTE = 0x07, 0x08, 0x0B, 0x0C
_CONTINUATION = 0x10
SYMBOL_TABLE, ATTRIBUTE_INFO = 0x11, 0x15
_LAST_KNOWN = 0x17

SHARED = 0x02
_SHARED_OR_NOT = 0x06
_FAIL_FOR_WRITE, _MARK, _WAS_UNKNOWN, _FAIL_IF_UNKNOWN = 0x08, 0x10, 0x20, 0x80

_OLD_PREFIX = struct.Struct("<BxHII4x")
_OLD_MESSAGE = struct.Struct("<HHB3x")
_NEW_MAGIC, _NEW_CHUNK_MAGIC = b"OHDR", b"OCHK"
_CHECKSUM_BYTES = 4
_USUAL_BYTES = 512
"""Most headers are not larger: one read is enough."""

_MAGIC_BYTES = 4
_MOST_CHUNKS = 10_000


class Message(NamedTuple):
    """One message.

    Attributes:
        kind: Its type's number.
        flags: `SHARED` means that its bytes only say where the message is.
        data: Its bytes.
    """

    kind: int
    flags: int
    data: bytes


class _Chunk(NamedTuple):
    address: int
    length: int


def is_group(messages: Iterable[Message]) -> bool:
    """Whether an object with these messages is a group."""
    return any(message.kind in (SYMBOL_TABLE, LINK_INFO) for message in messages)


def read_messages(view: View, address: int) -> tuple[Message, ...]:
    """All messages of the object header at an address, its continuation blocks included.

    Raises:
        ArtifactError: `unreadable-archive`, `limit-exceeded`.
    """
    start = view.read_up_to(address, _USUAL_BYTES, "an object header")
    new = start.startswith(_NEW_MAGIC)
    messages: list[Message] = []
    pending = [_first_new(view, address, start) if new else _first_old(view, address, start)]
    order = _has_order(start) if new else False
    seen: set[int] = set()
    while pending:
        chunk, inside, skipped = pending.pop(0)
        if chunk.address in seen or len(seen) > _MOST_CHUNKS:
            raise view.wrong(f"the object header at address {address} leads into itself")
        seen.add(chunk.address)
        data = inside or view.read(chunk.address, chunk.length, "an object header's block")
        if new:
            data = _checked(view, address, data, first=bool(skipped))[skipped:]
        split = _new_messages(view, data, order) if new else _old_messages(view, data)
        for message in split:
            if message.kind == _CONTINUATION:
                pending.append((_continued(view, message), b"", 0))
            messages.append(message)
    more = not new and len(messages) > int.from_bytes(start[2:4], "little")
    if more and not is_group(messages):  # of a group libhdf5 lets it pass
        raise view.wrong(f"the object header at address {address} has more messages than it counts")
    return tuple(messages)


_Pending = tuple[_Chunk, bytes, int]
"""A block, its bytes where they are read already, and how many of them are no messages."""


def _first_old(view: View, address: int, start: bytes) -> _Pending:
    if len(start) < _OLD_PREFIX.size:
        raise view.wrong(f"the object header at address {address} is cut")
    version, count, _, length = _OLD_PREFIX.unpack_from(start)
    if version != 1:
        raise view.wrong(f"no object header begins at address {address}")
    if bool(count) != bool(length):
        raise view.wrong(f"the object header at address {address} contradicts itself")
    begin = _OLD_PREFIX.size
    inside = start[begin : begin + length] if begin + length <= len(start) else b""
    return _Chunk(address + begin, length), inside, 0


def _first_new(view: View, address: int, start: bytes) -> _Pending:
    if len(start) < _MAGIC_BYTES + 3 or start[4] != 2:
        raise view.wrong(f"no object header begins at address {address}")
    flags = start[5]
    at = 6 + (16 if flags & 0x20 else 0) + (4 if flags & 0x10 else 0)
    width = 1 << (flags & 0x03)
    length = int.from_bytes(start[at : at + width], "little")
    begin = at + width
    whole = begin + length + _CHECKSUM_BYTES
    inside = start[:whole] if whole <= len(start) else b""
    return _Chunk(address, whole), inside, begin


def _has_order(start: bytes) -> bool:
    return bool(start[5] & 0x04)


def _checked(view: View, address: int, data: bytes, *, first: bool) -> bytes:
    """The bytes of a block without its checksum, and without its mark unless it is the first."""
    body, stored = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
    magic = _NEW_MAGIC if first else _NEW_CHUNK_MAGIC
    if not body.startswith(magic) or lookup3(body) != int.from_bytes(stored, "little"):
        raise view.wrong(
            f"a block of the object header at address {address} has another checksum than is"
            " stored in it"
        )
    view.count_checksum(address, len(body))
    return body if first else body[_MAGIC_BYTES:]


def _old_messages(view: View, data: bytes) -> Iterator[Message]:
    at = 0
    while at < len(data):
        if at + _OLD_MESSAGE.size > len(data):
            raise view.wrong("an object header has bytes left after its messages")
        kind, length, flags = _OLD_MESSAGE.unpack_from(data, at)
        at += _OLD_MESSAGE.size
        if length % 8 or at + length > len(data):
            raise view.wrong("a message reaches past the end of its object header")
        yield from _message(view, kind, flags, data[at : at + length])
        at += length


def _new_messages(view: View, data: bytes, order: bool) -> Iterator[Message]:
    at, prefix = 0, 6 if order else 4
    while at + prefix <= len(data):  # what is left is a gap
        kind, flags = data[at], data[at + 3]
        length = int.from_bytes(data[at + 1 : at + 3], "little")
        at += prefix
        if at + length > len(data):
            raise view.wrong("a message reaches past the end of its object header")
        yield from _message(view, kind, flags, data[at : at + length])
        at += length


def _message(view: View, kind: int, flags: int, data: bytes) -> Iterator[Message]:
    if flags & _SHARED_OR_NOT == _SHARED_OR_NOT or (
        flags & _WAS_UNKNOWN and (flags & _FAIL_FOR_WRITE or not flags & _MARK)
    ):
        raise view.wrong("the flags of a message contradict each other")
    if kind > _LAST_KNOWN:
        if flags & _FAIL_IF_UNKNOWN:
            raise view.wrong(f"an object header has a message of the unknown type {kind}")
        return
    yield Message(kind, flags, data)


def _continued(view: View, message: Message) -> _Chunk:
    address = view.offset_at(message.data, 0)
    length = view.length_at(message.data, view.offset_bytes)
    if not length:
        raise view.wrong("an object header goes on in a block of 0 bytes")
    return _Chunk(address, length)
