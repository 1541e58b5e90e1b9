"""What was found of the bytes of files: values that every part of `verify` shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Fault(NamedTuple):
    """One place whose bytes are wrong.

    Attributes:
        code: Finding code: `checksum-mismatch`, or what a structure check found
            (`truncated-file`, `unreadable-archive`, …).
        place: Where in the file, as people say it ("record archive/data/5 at byte 1024"), or "".
        tensor: Name of the tensor that it holds; "" where it holds none, or nobody can tell.
        message: One sentence: what was expected and what was found.
    """

    code: str
    place: str
    tensor: str
    message: str


class NonFinite(NamedTuple):
    """A floating tensor that holds NaN or infinity.

    Attributes:
        nan_count: How many elements are NaN.
        infinite_count: How many are plus or minus infinity.
    """

    tensor: str
    nan_count: int
    infinite_count: int


class FileResult(NamedTuple):
    """One file, read from its first byte to its last as far as anything protects it.

    Attributes:
        path: Absolute path.
        size_bytes: Its length when it was read.
        mtime_ns: Time of its last write, nanoseconds since the epoch.
        inode: Its number.
        checked_bytes: How many of its bytes a checksum covers that was computed anew.
        method: What protects it, in words ("zip CRC-32", "CRC-32C", "structure"); "nothing".
        ok: True where all that is protected is right, False where something is wrong, None where
            nothing is protected or it could not be read.
        message: What is wrong, or why it was not read; "" where there is nothing to say.
        faults: The places that are wrong, at most `MOST_FAULTS`; `fault_count` has all.
        finite_checked: Whether its floating tensors were scanned.
        scanned_bytes: Bytes of floating tensors that were scanned for NaN and infinity.
        non_finite: The tensors that hold some.
        checkpoint: Absolute path of the checkpoint that it belongs to; "" for none.
        unread: True where it could not be read, or not to its end; the message says why.
        covered: The ranges of bytes (begin, end) that make up `checked_bytes`, in order, where
            they were asked for.
        crc32: Of the whole file, where that was asked for.
        outdated: True where it was written after its seal, with other bytes: the seal protects it
            no more.
    """

    path: str
    size_bytes: int
    mtime_ns: int
    inode: int
    checked_bytes: int
    method: str
    ok: bool | None
    message: str = ""
    faults: tuple[Fault, ...] = ()
    fault_count: int = 0
    finite_checked: bool = False
    scanned_bytes: int = 0
    non_finite: tuple[NonFinite, ...] = ()
    checkpoint: str = ""
    unread: bool = False
    covered: tuple[tuple[int, int], ...] = ()
    crc32: int | None = None
    outdated: bool = False


MOST_FAULTS = 20
"""Faults of one file that are kept one by one."""


def size_of(files: Iterable[FileResult]) -> int:
    """Bytes of these files."""
    return sum(file.size_bytes for file in files)


def checked_of(files: Iterable[FileResult]) -> int:
    """Those of them that a checksum protects and that were read."""
    return sum(file.checked_bytes for file in files)


class Verified(NamedTuple):
    """What one run of `verify` found.

    Attributes:
        files: One result per file, in path order.
        seconds: How long it took.
        cancelled: True where it was stopped before the end; `files` then holds what was done.
        problems: (absolute path, reason) of what is not there or could not be listed.
        unfinished: Files that were being read when it was cancelled.
        uncommitted: Absolute paths of the checkpoints whose commit rule is not met.
    """

    files: tuple[FileResult, ...]
    seconds: float
    cancelled: bool = False
    problems: tuple[tuple[str, str], ...] = ()
    unfinished: tuple[str, ...] = ()
    uncommitted: frozenset[str] = frozenset()

    @property
    def size_bytes(self) -> int:
        """Bytes of all files."""
        return size_of(self.files)

    @property
    def checked_bytes(self) -> int:
        """Those of them that a checksum protects and that were read."""
        return checked_of(self.files)

    @property
    def ok(self) -> bool:
        """Whether no protected byte is wrong."""
        return all(file.ok is not False for file in self.files)


class Progress(NamedTuple):
    """How far it is.

    Attributes:
        path: The file that is being read.
        read_bytes: Bytes read so far, of all files.
        total_bytes: Bytes that will be read.
        files_done: Files that are done.
        files_total: Files in all.
        wrong_files: Files found wrong so far.
    """

    path: str
    read_bytes: int
    total_bytes: int
    files_done: int
    files_total: int
    wrong_files: int
