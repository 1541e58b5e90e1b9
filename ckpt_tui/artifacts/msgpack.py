"""Walks a msgpack file from its first byte to its last; the bytes of arrays are passed over.

What is refused is what `flax.serialization.msgpack_restore` refuses: cut values, bytes behind the
end, text that is no UTF-8, keys that cannot be keys, arrays whose bytes do not fit their shape.
"""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.collector import collector_paused
from ckpt_tui.artifacts.limits import ArtifactError, Deadline, Limits
from ckpt_tui.artifacts.msgpack_arrays import ARRAY, COMPLEX, SCALAR, check_complex, folded
from ckpt_tui.artifacts.msgpack_arrays import read_array as _read_array
from ckpt_tui.artifacts.msgpack_tokens import Cursor, Kind, Token, read_token
from ckpt_tui.artifacts.source import require_content
from ckpt_tui.artifacts.stored_array import KEPT_BYTES, StoredArray

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source

_DEEPEST: Final = 1024
_MOST_VALUES: Final = 2_000_000
_BETWEEN_CHECKS: Final = 2048
_KEPT_TEXT_BYTES: Final = 4096
_TEXT_STEP_BYTES: Final = 1 << 20
_TIMESTAMP: Final = -1
_NANOSECONDS: Final = 10**9


class Other(NamedTuple):
    """A value that is known by its kind alone: a time, a foreign extension, a long text."""

    kind: str


class _Open:
    """A list or map that is being filled."""

    __slots__ = ("key", "left", "value")

    def __init__(self, token: Token) -> None:
        self.value: list[object] | dict[object, object] = {} if token.kind is Kind.MAP else []
        self.left = token.length
        self.key: object = _NO_KEY


_NO_KEY: Final = object()


def read_msgpack(source: Source, limits: Limits) -> object:
    """The value of a file: dictionaries, lists, scalars, and `StoredArray` for arrays.

    Bytes that are no array are a `StoredArray` of `uint8`.

    Raises:
        ArtifactError: `empty-file`, `truncated-file`, `size-mismatch` for bytes behind the value,
            `unreadable-archive`, `limit-exceeded`.
    """
    require_content(source)
    walk = _Walk(source, limits)
    with collector_paused():
        value = walk.value()
    if walk.cursor.left:
        raise ArtifactError(
            "size-mismatch",
            f"its value ends at byte {walk.cursor.position}, but {walk.cursor.left} bytes follow",
            source.name,
        )
    return value


class _Walk:
    """One pass over a file."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self.cursor = Cursor(source, 0, source.size)
        self._source = source
        self._limits = limits
        self._deadline = Deadline(limits, source.name)
        self._text_bytes = 0
        self._values = 0

    def value(self) -> object:
        stack: list[_Open] = []
        while True:
            done = self._next(stack)
            while done is not _NO_KEY:
                if not stack:
                    return done
                self._put(stack[-1], done)
                done = self._closed(stack)

    def _next(self, stack: list[_Open]) -> object:
        """Reads one token: a whole value, or `_NO_KEY` where one was opened."""
        self._count()
        token = read_token(self.cursor)
        if token.kind is not Kind.LIST and token.kind is not Kind.MAP:
            return self._leaf(token)
        if token.length > self.cursor.left:
            raise self.cursor.error(
                "truncated-file",
                f"{token.length} values are to follow, but only {self.cursor.left} bytes are left",
            )
        if len(stack) >= _DEEPEST:
            raise self.cursor.error("unreadable-archive", f"more than {_DEEPEST} values are nested")
        opened = _Open(token)
        if not token.length:
            return opened.value
        stack.append(opened)
        return _NO_KEY

    def _put(self, target: _Open, value: object) -> None:
        if isinstance(target.value, list):
            target.value.append(value)
            target.left -= 1
        elif target.key is _NO_KEY:
            if isinstance(value, list | dict) or (isinstance(value, StoredArray) and not value.raw):
                raise self.cursor.error("unreadable-archive", "a list, map or array is no key")
            target.key = value.raw if isinstance(value, StoredArray) else value
        else:
            target.value[target.key] = value
            target.key = _NO_KEY
            target.left -= 1

    def _closed(self, stack: list[_Open]) -> object:
        """The innermost container where it is full, else `_NO_KEY`."""
        if stack[-1].left:
            return _NO_KEY
        value = stack.pop().value
        array = folded(value) if isinstance(value, dict) else None
        return value if array is None else array

    def _count(self) -> None:
        self._values += 1
        if self._values % _BETWEEN_CHECKS == 0:
            self._deadline.check()
        if self._values > _MOST_VALUES:
            raise self.cursor.error("limit-exceeded", f"it has more than {_MOST_VALUES} values")

    def _leaf(self, token: Token) -> object:
        if token.kind is Kind.SCALAR:
            return token.value
        if token.kind is Kind.STRING:
            return self._text(token.length)
        if token.kind is Kind.BINARY:
            return self._bytes(token.length)
        begin = self.cursor.skip(token.length)
        inner = Cursor(self._source, begin, begin + token.length)
        try:
            return self._extension(token, inner)
        except ArtifactError as error:
            if error.code != "truncated-file":
                raise
            message = f"an extension is shorter than what is in it: {error.message}"
            raise ArtifactError("unreadable-archive", message, error.path) from error

    def _extension(self, token: Token, inner: Cursor) -> object:
        if token.code in (ARRAY, SCALAR):
            return _read_array(inner)
        if token.code == COMPLEX:
            return check_complex(inner)
        if token.code == _TIMESTAMP:
            _check_time(inner, token.length)
        elif token.code < 0:
            raise inner.error("unreadable-archive", f"extension {token.code} is reserved")
        return Other("extension")

    def _bytes(self, length: int) -> StoredArray:
        begin = self.cursor.position
        raw = self.cursor.take(length) if length <= KEPT_BYTES else b""
        if not raw:
            self.cursor.skip(length)
        return StoredArray("uint8", (length,), length, ((begin, length),), "", raw)

    def _text(self, length: int) -> object:
        """Text is read whole, as it has to be UTF-8; a long one is not kept."""
        self._text_bytes += length
        if self._text_bytes > self._limits.metadata_bytes:
            raise self.cursor.error("limit-exceeded", "it holds more text than may be read")
        try:
            if length <= _KEPT_TEXT_BYTES:
                return self.cursor.take(length).decode()
            decoder = codecs.getincrementaldecoder("utf-8")()
            left = length
            while left:
                part = self.cursor.take(min(left, _TEXT_STEP_BYTES))
                left -= len(part)
                decoder.decode(part, final=not left)
        except UnicodeDecodeError:
            raise self.cursor.error("unreadable-archive", "a text is no UTF-8") from None
        return Other("text")


def _check_time(cursor: Cursor, length: int) -> None:
    """A time has seconds, and nanoseconds below a whole second."""
    data = cursor.take(length) if length in (4, 8, 12) else b""
    nanoseconds = 0
    if length == 8:
        nanoseconds = int.from_bytes(data, "big") >> 34
    elif length == 12:
        nanoseconds = int.from_bytes(data[:4], "big")
    if not data or nanoseconds >= _NANOSECONDS:
        raise cursor.error("unreadable-archive", "a time has no such seconds")
