"""What a method finds in one file while it reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.verify.results import MOST_FAULTS, Fault, NonFinite

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import ArtifactError
    from ckpt_tui.verify.context import Context
    from ckpt_tui.verify.stream import FileStream

NOTHING = "nothing"
STRUCTURE = "structure"
START_BYTES = 64


class FileJob(NamedTuple):
    """One file that is open.

    Attributes:
        stream: The file.
        context: The checkpoint that it belongs to.
        path: Relative to the checkpoint; its name where the checkpoint is the file.
        start: Its first `START_BYTES` bytes.
    """

    stream: FileStream
    context: Context
    path: str
    start: bytes

    @property
    def name(self) -> str:
        """Last component of its path."""
        return self.path.rpartition("/")[2]


class Examined:
    """What is known so far.

    Attributes:
        method: What protects the file, in words.
        note: What else there is to say.
        seal_note: What is to be said of a file that was written after its seal.
        outdated_by: The seal after which it was written, with other bytes; "" for none.
        faults: The first `MOST_FAULTS` places that are wrong.
        fault_count: How many there are.
        unread: Why it was not read to its end; "" where it was.
        crc32: Of the whole file, where that was asked for.
        finite_checked: Whether floating tensors were scanned to the end.
        scanned_bytes: Bytes of floating tensors that were scanned.
        non_finite: Tensors that hold NaN or infinity, by name.
    """

    def __init__(self) -> None:
        self.method = NOTHING
        self.note = ""
        self.seal_note = self.outdated_by = ""
        self.faults: list[Fault] = []
        self.fault_count = 0
        self.unread = ""
        self.crc32: int | None = None
        self.finite_checked = False
        self.scanned_bytes = 0
        self.non_finite: dict[str, NonFinite] = {}
        self._covered: list[tuple[int, int]] = []

    def cover(self, begin: int, end: int) -> None:
        """Takes down that a checksum was computed of these bytes."""
        if end <= begin:
            return
        if self._covered and self._covered[-1][1] == begin:
            self._covered[-1] = self._covered[-1][0], end
        else:
            self._covered.append((begin, end))

    def wrong(self, code: str, place: str, tensor: str, message: str) -> None:
        """Takes down a place that is wrong."""
        self.fault_count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(code, place, tensor, message))

    def failed(self, error: ArtifactError, place: str = "", tensor: str = "") -> None:
        """Takes down that reading failed: what cannot be right is wrong, the rest is unread."""
        if error.code in _UNREAD:
            self.unread = self.unread or error.message
        else:
            self.wrong(error.code, place, tensor, error.message)

    def not_finite(self, found: NonFinite) -> None:
        """Takes down NaN and infinity in a part of a tensor."""
        nan, infinite = found.nan_count, found.infinite_count
        known = self.non_finite.get(found.tensor)
        if known is not None:
            nan, infinite = nan + known.nan_count, infinite + known.infinite_count
        self.non_finite[found.tensor] = NonFinite(found.tensor, nan, infinite)

    def covered(self) -> tuple[tuple[int, int], ...]:
        """The ranges of bytes that a checksum covers, in order, none in another."""
        merged: list[tuple[int, int]] = []
        for begin, end in sorted(self._covered):
            if merged and begin <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((begin, end))
        return tuple(merged)


_UNREAD = frozenset(
    ("permission-denied", "io-error", "limit-exceeded", "outside-path", "unsupported-version")
)
"""Codes that say nothing about the bytes."""
