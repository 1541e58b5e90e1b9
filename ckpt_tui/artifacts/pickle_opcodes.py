"""Checks a pickle's opcodes and rewrites those that hash, call or change an object.

The C unpickler builds lists, tuples and scalars fast and safely. It is not safe where it hashes
what the pickle chose (a key that takes a lifetime to hash), where it calls (a global), and where
it sets state. Each such opcode is rewritten to hand its operands to `persistent_load`, as the
tuple `(first, second, request)`, so that our own code decides. Opcodes and their arguments are
those of the standard library's `pickletools`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Deadline, Limits

# Requests to persistent_load: the third element of its tuple.
CALL: Final = 0  # (global, arguments)
CALL_KEYWORDS: Final = 1  # (global, (arguments, keyword arguments))
CALL_INSTANCE: Final = 2  # (arguments, global)
CALL_MARKED: Final = 3  # ((global, argument, …), None)
SET_STATE: Final = 4  # (object, state)
SET_ITEM: Final = 5  # (object, (key, value))
SET_ITEMS: Final = 6  # (object, (key, value, key, value, …))
ADD_ITEMS: Final = 7  # (set, (element, …))
NEW_DICT: Final = 8  # ((key, value, …), None)
NEW_SET: Final = 9  # (None, None)
NEW_FROZENSET: Final = 10  # ((element, …), None)
PERSISTENT_ID: Final = 11  # (the pickle's own persistent ID, None)
LOOK_AT_CLOCK: Final = 12  # (None, None)
# Two pairs of opcodes are so frequent that each has a shorter form: (global,) is a call without
# arguments; (object, dictionary, items) sets items on a dictionary, and it as the object's state.
# Each of these tuples is made by our own opcodes, so a pickle cannot forge one.


class CheckedPickle(NamedTuple):
    """A pickle that is safe to give to the C unpickler.

    Attributes:
        stream: The rewritten opcodes.
        end: Offset after the STOP opcode in the data that was given.
        opcodes: Number of opcodes read.
    """

    stream: bytes
    end: int
    opcodes: int


class PickleEndsEarlyError(ArtifactError):
    """The data ends before the pickle's STOP opcode."""


def _request(number: int, before: bytes = b"") -> bytes:
    """Packs two operands and the request's number into a tuple, and asks persistent_load."""
    return before + b"K" + bytes([number]) + b"\x87Q"


REWRITTEN: Final = {
    ord("R"): _request(CALL),
    0x81: _request(CALL),  # NEWOBJ
    0x92: _request(CALL_KEYWORDS, b"\x86"),  # NEWOBJ_EX
    ord("o"): _request(CALL_MARKED, b"tN"),  # OBJ
    ord("b"): _request(SET_STATE),
    ord("s"): _request(SET_ITEM, b"\x86"),
    ord("u"): _request(SET_ITEMS, b"t"),
    0x90: _request(ADD_ITEMS, b"t"),
    ord("d"): _request(NEW_DICT, b"tN"),
    0x8F: _request(NEW_SET, b"NN"),  # EMPTY_SET
    0x91: _request(NEW_FROZENSET, b"tN"),
    ord("Q"): _request(PERSISTENT_ID, b"N"),
}
_INSTANTIATE: Final = _request(CALL_INSTANCE)
_PERSISTENT_ID: Final = REWRITTEN[ord("Q")]
_REWRITTEN_PAIRS: Final = {
    b")R": b"\x85Q",  # EMPTY_TUPLE, REDUCE
    b")\x81": b"\x85Q",  # EMPTY_TUPLE, NEWOBJ
    b"ub": b"t\x87Q",  # SETITEMS, BUILD
}
# Ask, and drop the answer.
_LOOK_AT_CLOCK: Final = _request(LOOK_AT_CLOCK, b"NN") + b"0"

# Whole lengths, opcode byte included.
_FIXED: Final = {
    **dict.fromkeys(b"(012N]}tlae\x85\x86\x87\x88\x89\x93\x94", 1),
    **dict.fromkeys(b"Khq\x80", 2),
    ord("M"): 3,
    **dict.fromkeys(b"Jj", 5),
    ord("G"): 9,
}
LENGTHS: Final = bytes(_FIXED.get(code, 0) for code in range(256))

# Opcode: number of bytes of the length that follows it.
COUNTED: Final = {
    **dict.fromkeys(b"TBX\x8b", 4),
    **dict.fromkeys(b"\x8d\x8e\x96", 8),
}
_LONG_INTEGER: Final = 0x8B
# Opcode: number of lines that follow it.
LINES: Final = {**dict.fromkeys(b"ILFSVgp", 1), ord("c"): 2}
_NUMBER_LINES: Final = frozenset(b"ILFgp")
# Longer integers than any framework writes make arithmetic and printing slow.
_INTEGER_BYTES: Final = 1024
_NUMBER_DIGITS: Final = 2048
_STOP: Final = ord(".")
_EMPTY_TUPLE: Final = ord(")")
# The length is one byte: strings, bytes and the integers beyond 32 bits of a random state.
SHORT: Final = frozenset(b"\x8c\x8aUC")
_FRAME: Final = 0x95
_LONG_BINPUT: Final = ord("r")
_PUT: Final = ord("p")
_BATCH: Final = 20_000


class _Checker:
    """Walks over the opcodes of one pickle."""

    def __init__(self, data: bytes, start: int, path: str) -> None:
        self._data = data
        self._path = path
        self._start = start
        self._position = start
        self._parts: list[bytes] = []
        self._stopped = False

    def run(self, limits: Limits, deadline: Deadline) -> CheckedPickle:
        opcodes = 0
        try:
            while not self._stopped:
                opcodes += self._batch()
                deadline.check()
                if opcodes > limits.pickle_opcodes:
                    raise self._error(
                        "limit-exceeded",
                        f"the pickle has more than {limits.pickle_opcodes} opcodes",
                    )
        except IndexError:
            raise self._ends_early() from None
        stream = b"".join(self._parts)
        # One frame around all of it lets the unpickler read from memory, not call by call.
        frame = b"\x95" + len(stream).to_bytes(8, "little")
        return CheckedPickle(frame + stream, self._position, opcodes)

    def _batch(self) -> int:
        """Walks over some 20,000 opcodes, at most to STOP; returns how many."""
        data, lengths, rewritten, pairs = self._data, LENGTHS, REWRITTEN, _REWRITTEN_PAIRS
        append, short = self._parts.append, SHORT
        position = copied = self._position
        walked, pairs_found = _BATCH, 0
        # An argument that reaches past the end shows at the next opcode: IndexError.
        for number in range(1, _BATCH + 1):
            opcode = data[position]
            if length := lengths[opcode]:
                position += length
                continue
            if opcode in short:
                position += 2 + data[position + 1]
                continue
            start, replacement = position, pairs.get(data[position : position + 2])
            if replacement is not None:
                position += 2
                pairs_found += 1
            elif (replacement := rewritten.get(opcode)) is not None:
                position += 1
            else:
                self._position = position
                position, replacement = self._special(opcode)
                if self._stopped:
                    walked = number
                    break
                if replacement is None:
                    continue
            append(data[copied:start])
            append(replacement)
            copied = position
        append(data[copied:position])
        if not self._stopped:
            append(_LOOK_AT_CLOCK)
        self._position = position
        return walked + pairs_found

    def _special(self, opcode: int) -> tuple[int, bytes | None]:
        """Checks a rarer opcode; returns where it ends, and what replaces it if something does."""
        position = self._position
        if opcode in COUNTED:
            return self._counted_end(opcode), None
        if opcode == _EMPTY_TUPLE:
            return position + 1, None
        if opcode in LINES:
            return self._lines_end(opcode), None
        if opcode == _LONG_BINPUT:
            self._check_memo(int.from_bytes(self._data[position + 1 : position + 5], "little"))
            return position + 5, None
        if opcode == _STOP:
            self._stopped = True
            return position + 1, None
        if opcode == _FRAME:
            length = int.from_bytes(self._data[position + 1 : position + 9], "little")
            if position + 9 + length > len(self._data):
                raise self._ends_early()
            return position + 9, b""
        if opcode == ord("i"):
            return self._rewrite_inst()
        if opcode == ord("P"):
            return self._rewrite_persid()
        raise self._error(
            "unreadable-archive", f"opcode 0x{opcode:02x} at offset {position} is not supported"
        )

    def _counted_end(self, opcode: int) -> int:
        start = self._position + 1 + COUNTED[opcode]
        length = int.from_bytes(self._data[self._position + 1 : start], "little")
        if opcode == _LONG_INTEGER and length > _INTEGER_BYTES:
            raise self._error(
                "limit-exceeded",
                f"the integer at offset {self._position} has {length} bytes, "
                f"more than {_INTEGER_BYTES}",
            )
        return start + length

    def _lines_end(self, opcode: int) -> int:
        start = end = self._position + 1
        for _ in range(LINES[opcode]):
            end = self._line_end(end)
        if opcode in _NUMBER_LINES and end - start > _NUMBER_DIGITS:
            raise self._error(
                "limit-exceeded",
                f"the number at offset {self._position} has more than {_NUMBER_DIGITS} digits",
            )
        if opcode == _PUT:
            digits = self._data[start : end - 1].strip()
            if not digits.isdigit():
                raise self._error(
                    "unreadable-archive", f"the memo index at offset {self._position} is no number"
                )
            self._check_memo(int(digits))
        return end

    def _rewrite_inst(self) -> tuple[int, bytes]:
        start = self._position + 1
        end = self._line_end(self._line_end(start))
        return end, b"tc" + self._data[start:end] + _INSTANTIATE

    def _rewrite_persid(self) -> tuple[int, bytes]:
        start = self._position + 1
        end = self._line_end(start)
        text = self._data[start : end - 1]
        return end, b"X" + len(text).to_bytes(4, "little") + text + _PERSISTENT_ID

    def _check_memo(self, index: int) -> None:
        # The unpickler's memo is an array: a lone huge index would take gigabytes. Picklers
        # count the objects that they have written, which take a byte each at least.
        if index > self._position - self._start:
            raise self._error(
                "unreadable-archive",
                f"memo index {index} at offset {self._position} is larger than the number of "
                "objects before it can be",
            )

    def _line_end(self, start: int) -> int:
        end = self._data.find(b"\n", start)
        if end < 0:
            raise self._ends_early()
        return end + 1

    def _ends_early(self) -> ArtifactError:
        return PickleEndsEarlyError(
            "truncated-file",
            f"the pickle ends at byte {len(self._data)} without its STOP opcode",
            self._path,
        )

    def _error(self, code: str, message: str) -> ArtifactError:
        return ArtifactError(code, message, self._path)


def check_pickle(
    data: bytes, start: int, limits: Limits, deadline: Deadline, path: str = ""
) -> CheckedPickle:
    """Checks the pickle that starts at `start`, up to its STOP opcode, and makes it safe.

    Raises:
        ArtifactError: `truncated-file` (as PickleEndsEarlyError) without a STOP opcode,
            `limit-exceeded` past a limit, `unreadable-archive` for an unknown opcode or an
            impossible memo index.
    """
    return _Checker(data, start, path).run(limits, deadline)
