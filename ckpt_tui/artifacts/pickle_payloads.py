"""Takes the long bytes out of a pickle before it is loaded: arrays of gigabytes become a number.

What is left are the few opcodes that describe them. Each payload is replaced by the opcodes for
its number and BINPERSID, so that the loader's `persistent_load` is asked for it. A pickle of
`pickle.dump` has no persistent ID of its own, and `pickle.load` refuses one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.inert import Payload
from ckpt_tui.artifacts.limits import MIB, ArtifactError
from ckpt_tui.artifacts.pickle_opcodes import COUNTED, LENGTHS, LINES, REWRITTEN, SHORT

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Deadline, Limits
    from ckpt_tui.artifacts.source import Source

_WINDOW_BYTES: Final = MIB
_MARGIN: Final = 8192
"""No opcode that is kept is longer, so one that begins before the last of a window is whole."""
_KEPT_BYTES: Final = 16
"""Shorter bytes stay in the pickle: the value of a scalar, a byte order."""
_KEPT_TEXT: Final = 4096
_MOST_PAYLOADS: Final = 2_000_000

_BYTES: Final = frozenset(b"BC\x8e\x96")  # BINBYTES, SHORT_BINBYTES, BINBYTES8, BYTEARRAY8
_TEXT: Final = frozenset(b"XT\x8d")  # BINUNICODE, BINSTRING, BINUNICODE8
_TEXT_LINES: Final = frozenset(b"SV")  # STRING, UNICODE
_LINE_ESCAPE: Final = 6  # a byte is \x00 or \u0000 in a line
_TEXT_ESCAPE: Final = 2  # a byte of 128 or more takes two in UTF-8
_STOP: Final = ord(".")
_FRAME: Final = 0x95
_PERSISTENT: Final = frozenset(b"QP")
_ONE: Final = (frozenset(REWRITTEN) | frozenset(b")")) - _PERSISTENT
_NEWLINE: Final = b"\n"


class Abridged(NamedTuple):
    """A pickle without its payloads.

    Attributes:
        data: What is left of it, up to and with STOP.
        payloads: By number.
        end: Offset after STOP in the file.
    """

    data: bytes
    payloads: tuple[Payload, ...]
    end: int


def abridge_pickle(source: Source, start: int, limits: Limits, deadline: Deadline) -> Abridged:
    """Walks over the pickle that begins at an offset, and leaves its payloads out.

    Only what is kept has to fit in `limits.metadata_bytes`; payloads are passed over unread.

    Raises:
        ArtifactError: ``truncated-file`` for a pickle without its STOP opcode,
            ``unreadable-archive`` for what is no opcode or a persistent ID, ``limit-exceeded``.
    """
    return _Abridger(source, start, limits, deadline).run()


class _Abridger:
    def __init__(self, source: Source, start: int, limits: Limits, deadline: Deadline) -> None:
        self._source = source
        self._at = start
        self._limits = limits
        self._deadline = deadline
        self._kept: list[bytes] = []
        self._kept_bytes = 0
        self._payloads: list[Payload] = []
        self._stopped = False

    def run(self) -> Abridged:
        while not self._stopped:
            self._deadline.check()
            if self._at >= self._source.size:
                raise self._ends_early()
            window = self._source.read_at(self._at, _WINDOW_BYTES)
            if not window:
                raise self._ends_early()
            last = self._at + len(window) >= self._source.size
            try:
                self._walk(window, len(window) if last else len(window) - _MARGIN)
            except IndexError:
                raise self._ends_early() from None
        return Abridged(b"".join(self._kept), tuple(self._payloads), self._at)

    def _walk(self, window: bytes, stop_at: int) -> None:
        """Walks over one window; stops behind it, behind a payload, or at STOP."""
        lengths, short, one = LENGTHS, SHORT, _ONE
        position = copied = 0
        while position < stop_at:
            opcode = window[position]
            if length := lengths[opcode]:
                position += length
            elif opcode in short:
                size = window[position + 1]
                if size > _KEPT_BYTES and opcode in _BYTES:
                    self._keep(window[copied:position])
                    self._take_out(self._at + position + 2, size, 1)
                    copied = position + 2 + size
                position += 2 + size
            elif opcode in one:
                position += 1
            elif opcode == _STOP:
                self._stopped = True
                position += 1
                break
            elif opcode == _FRAME:
                self._keep(window[copied:position])
                position = copied = self._frame_end(window, position)
            else:
                self._keep(window[copied:position])
                position = copied = self._special(window, position, opcode)
        self._keep(window[copied:position])
        self._at += position

    def _special(self, window: bytes, position: int, opcode: int) -> int:
        """Keeps a rarer opcode or takes its payload out; returns where it ends."""
        if opcode in COUNTED:
            return self._counted(window, position, opcode)
        if opcode in LINES or opcode == ord("i"):
            return self._lines(window, position, opcode)
        if opcode == ord("r"):  # LONG_BINPUT
            self._keep(window[position : position + 5])
            return position + 5
        where = self._at + position
        if opcode in _PERSISTENT:
            message = f"the pickle refers to data outside of it at offset {where}"
        else:
            message = f"opcode 0x{opcode:02x} at offset {where} is not supported"
        raise ArtifactError("unreadable-archive", message, self._source.name)

    def _counted(self, window: bytes, position: int, opcode: int) -> int:
        begin = position + 1 + COUNTED[opcode]
        if begin > len(window):
            raise self._ends_early()
        size = int.from_bytes(window[position + 1 : begin], "little")
        end = begin + size
        if self._at + end > self._source.size:
            raise self._ends_early()
        if opcode in _BYTES and size > _KEPT_BYTES:
            self._take_out(self._at + begin, size, 1)
        elif opcode in _TEXT and size > _KEPT_TEXT:
            self._take_out(self._at + begin, size, _TEXT_ESCAPE)
        elif end <= len(window):
            self._keep(window[position:end])
        else:
            message = f"the number at offset {self._at + position} has {size} bytes"
            raise ArtifactError("limit-exceeded", message, self._source.name)
        return end

    def _lines(self, window: bytes, position: int, opcode: int) -> int:
        end = position + 1
        for _ in range(LINES.get(opcode, 2)):
            end = self._line_end(window, end, opcode)
        if end - position > _KEPT_TEXT and opcode in _TEXT_LINES:
            self._take_out(self._at + position + 1, end - position - 2, _LINE_ESCAPE)
        elif end <= len(window):
            self._keep(window[position:end])
        return end

    def _line_end(self, window: bytes, begin: int, opcode: int) -> int:
        found = window.find(_NEWLINE, begin)
        if found >= 0:
            return found + 1
        at = self._at + len(window)
        while opcode in _TEXT_LINES and (more := self._source.read_at(at, _WINDOW_BYTES)):
            self._deadline.check()
            found = more.find(_NEWLINE)
            if found >= 0:
                return at + found + 1 - self._at
            at += len(more)
        if opcode in _TEXT_LINES or at >= self._source.size:
            raise self._ends_early()
        message = f"the line at offset {self._at + begin} has more than {_MARGIN} bytes"
        raise ArtifactError("limit-exceeded", message, self._source.name)

    def _frame_end(self, window: bytes, position: int) -> int:
        size = int.from_bytes(window[position + 1 : position + 9], "little")
        if self._at + position + 9 + size > self._source.size:
            raise self._ends_early()
        return position + 9

    def _take_out(self, offset: int, size_bytes: int, escape: int) -> None:
        if offset + size_bytes > self._source.size:
            raise self._ends_early()
        if len(self._payloads) >= _MOST_PAYLOADS:
            message = f"the pickle holds more than {_MOST_PAYLOADS} arrays"
            raise ArtifactError("limit-exceeded", message, self._source.name)
        number = len(self._payloads)
        self._payloads.append(Payload(offset, size_bytes, escape))
        self._keep(b"J" + number.to_bytes(4, "little") + b"Q")

    def _keep(self, part: bytes) -> None:
        if not part:
            return
        self._kept.append(part)
        self._kept_bytes += len(part)
        if self._kept_bytes > self._limits.metadata_bytes:
            raise ArtifactError(
                "limit-exceeded",
                f"the pickle without its arrays has more than the limit of"
                f" {self._limits.metadata_bytes} bytes",
                self._source.name,
            )

    def _ends_early(self) -> ArtifactError:
        return ArtifactError(
            "truncated-file",
            f"the pickle ends at byte {self._source.size} without its STOP opcode",
            self._source.name,
        )
