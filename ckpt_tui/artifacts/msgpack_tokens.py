"""The tokens of msgpack (https://github.com/msgpack/msgpack/blob/master/spec.md), read one by one.

Bytes of strings, arrays and extensions are not read with their token: the caller reads them, or
passes over them.
"""

from __future__ import annotations

import struct
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

_WINDOW_BYTES: Final = 32 * 1024


class Kind(Enum):
    """What a token is."""

    SCALAR = "scalar"
    STRING = "string"
    BINARY = "binary"
    LIST = "list"
    MAP = "map"
    EXTENSION = "extension"


class Token(NamedTuple):
    """One token.

    Attributes:
        value: Of a scalar.
        length: Bytes that follow of a string, of binary data or of an extension; items of a list;
            pairs of a map.
        code: Of an extension.
    """

    kind: Kind
    value: object = None
    length: int = 0
    code: int = 0


_CONSTANTS: Final = {0xC0: None, 0xC2: False, 0xC3: True}
_FLOATS: Final = {0xCA: struct.Struct(">f"), 0xCB: struct.Struct(">d")}
_SIZED: Final = {
    0xC4: (Kind.BINARY, 1), 0xC5: (Kind.BINARY, 2), 0xC6: (Kind.BINARY, 4),
    0xC7: (Kind.EXTENSION, 1), 0xC8: (Kind.EXTENSION, 2), 0xC9: (Kind.EXTENSION, 4),
    0xD9: (Kind.STRING, 1), 0xDA: (Kind.STRING, 2), 0xDB: (Kind.STRING, 4),
    0xDC: (Kind.LIST, 2), 0xDD: (Kind.LIST, 4), 0xDE: (Kind.MAP, 2), 0xDF: (Kind.MAP, 4),
}  # fmt: skip


class Cursor:
    """A place in a source, up to an end that it does not pass.

    Attributes:
        position: The next byte.
    """

    def __init__(self, source: Source, position: int, end: int) -> None:
        self.position = position
        self._source = source
        self._end = end
        self._window = b""
        self._window_at = 0

    @property
    def left(self) -> int:
        """Bytes up to the end."""
        return self._end - self.position

    def take(self, length: int) -> bytes:
        """The next bytes.

        Raises:
            ArtifactError: `truncated-file`: the end comes before; what reading raised.
        """
        self._require(length)
        at = self.position - self._window_at
        if at < 0 or at + length > len(self._window):
            size = min(max(length, _WINDOW_BYTES), self.left)
            self._window = self._source.read_at(self.position, size)
            self._window_at, at = self.position, 0
        data = self._window[at : at + length]
        if len(data) != length:
            raise self.error("truncated-file", f"the file ends before its {length} bytes")
        self.position += length
        return data

    def skip(self, length: int) -> int:
        """Passes over bytes, and returns where they begin.

        Raises:
            ArtifactError: `truncated-file`: the end comes before.
        """
        self._require(length)
        begin = self.position
        self.position += length
        return begin

    def error(self, code: str, message: str) -> ArtifactError:
        """What is wrong at this place."""
        return ArtifactError(code, f"{message} (at offset {self.position})", self._source.name)

    def _require(self, length: int) -> None:
        if length > self.left:
            raise self.error(
                "truncated-file", f"{length} bytes are needed, but only {self.left} are left"
            )


def read_token(cursor: Cursor) -> Token:
    """The token at a cursor, which is then behind it.

    Raises:
        ArtifactError: `truncated-file`: it is cut; `unreadable-archive`: there is no such token.
    """
    byte = cursor.take(1)[0]
    if byte < 0x80:
        return Token(Kind.SCALAR, byte)
    if byte >= 0xE0:
        return Token(Kind.SCALAR, byte - 0x100)
    if byte < 0xC0:
        if byte < 0x90:
            return Token(Kind.MAP, length=byte & 0x0F)
        if byte < 0xA0:
            return Token(Kind.LIST, length=byte & 0x0F)
        return Token(Kind.STRING, length=byte & 0x1F)
    return _marked(cursor, byte)


def _marked(cursor: Cursor, byte: int) -> Token:
    if byte in _CONSTANTS:
        return Token(Kind.SCALAR, _CONSTANTS[byte])
    sized = _SIZED.get(byte)
    if sized is not None:
        kind, width = sized
        length = int.from_bytes(cursor.take(width), "big")
        code = _code(cursor) if kind is Kind.EXTENSION else 0
        return Token(kind, length=length, code=code)
    if byte in _FLOATS:
        form = _FLOATS[byte]
        return Token(Kind.SCALAR, form.unpack(cursor.take(form.size))[0])
    if 0xCC <= byte <= 0xD3:
        data = cursor.take(1 << (byte & 3))
        return Token(Kind.SCALAR, int.from_bytes(data, "big", signed=byte >= 0xD0))
    if 0xD4 <= byte <= 0xD8:
        return Token(Kind.EXTENSION, length=1 << (byte - 0xD4), code=_code(cursor))
    raise cursor.error("unreadable-archive", f"0x{byte:02x} begins no msgpack value")


def _code(cursor: Cursor) -> int:
    return int.from_bytes(cursor.take(1), "big", signed=True)
