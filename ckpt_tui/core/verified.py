"""What `verify` found of a checkpoint's bytes, as long as its files are as they were then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

LISTED = "CRC-32 of {}"
"""The method that compares a whole file with a list: our manifest, or a seal."""
_ALL_BUT_FRAMING = 0.99
"""What holds data in an archive has a checksum; its directory and its padding have none."""


def is_covered(checked_bytes: int, size_bytes: int) -> bool:
    """Whether checksums cover as good as all of these bytes.

    Args:
        checked_bytes: Bytes that a checksum covers.
        size_bytes: All of them.
    """
    return checked_bytes >= _ALL_BUT_FRAMING * size_bytes


def is_damage(
    path: str, method: str, wrong: Iterable[tuple[str, str]], parts: Collection[str]
) -> bool:
    """Whether a wrong file makes its checkpoint unusable.

    It does where bytes are not those that a checksum was computed of, where a tensor is hit, and
    where the file holds a state. What else lies in a checkpoint may have any form: a log that is
    called `.json` stops no loader.

    Args:
        path: Of the file, relative to the checkpoint.
        method: What protects it.
        wrong: (Finding code, tensor or "") of each place.
        parts: Paths of the files that hold the states.
    """
    sure = (code == "checksum-mismatch" or bool(tensor) for code, tensor in wrong)
    return path in parts or method.startswith(LISTED.removesuffix("{}")) or any(sure)


class WrongBytes(NamedTuple):
    """A place of a file whose bytes are wrong.

    Attributes:
        code: Finding code, `checksum-mismatch` most of all.
        place: Where in the file, as people say it, or "".
        tensor: The tensor that it holds, or "".
        message: What was expected and what was found.
    """

    code: str
    place: str
    tensor: str
    message: str


class NotFinite(NamedTuple):
    """A tensor with NaN or infinity in it, and how many elements are either."""

    tensor: str
    nan_count: int
    infinite_count: int


class VerifiedFile(NamedTuple):
    """One file whose result still counts: its size, time and number are as they were.

    Attributes:
        path: Relative to the checkpoint, as in `FileFacts`.
        at: When it was verified, seconds since the epoch.
        checked_bytes: Bytes that a checksum covers.
        method: What protects it, in words; "nothing".
        ok: None where nothing protects it.
        message: What is wrong, or "".
        wrong: Places that are wrong; the first few.
        wrong_total: How many there are.
        scanned_bytes: Bytes of floating tensors that were scanned for NaN and infinity; None where
            they were not.
        not_finite: The tensors that hold some.
    """

    path: str
    size_bytes: int
    at: float
    checked_bytes: int
    method: str
    ok: bool | None
    message: str = ""
    wrong: tuple[WrongBytes, ...] = ()
    wrong_total: int = 0
    scanned_bytes: int | None = None
    not_finite: tuple[NotFinite, ...] = ()


class VerifiedFacts(NamedTuple):
    """Results of a checkpoint's files.

    Attributes:
        files: Those with a result, in path order; at least one.
        files_total: All regular files of the checkpoint.
        size_bytes: Bytes of all of these.
    """

    files: tuple[VerifiedFile, ...]
    files_total: int
    size_bytes: int

    @property
    def at(self) -> float:
        """When the result that is oldest was found: all bytes were looked at since then."""
        return min(file.at for file in self.files)

    @property
    def is_whole(self) -> bool:
        """Whether every file has a result."""
        return len(self.files) == self.files_total

    @property
    def verified_bytes(self) -> int:
        """Bytes of the files with a result."""
        return sum(file.size_bytes for file in self.files)

    @property
    def checked_bytes(self) -> int:
        """Bytes that a checksum covers, of the files with a result."""
        return sum(file.checked_bytes for file in self.files)

    @property
    def wrong(self) -> tuple[VerifiedFile, ...]:
        """The files with wrong bytes."""
        return tuple(file for file in self.files if file.ok is False)

    @property
    def ok(self) -> bool | None:
        """False where bytes are wrong; None where nothing protects any that were looked at."""
        if self.wrong:
            return False
        return True if any(file.ok for file in self.files) else None

    @property
    def not_finite(self) -> tuple[NotFinite, ...]:
        """The tensors that hold NaN or infinity, file by file."""
        return tuple(tensor for file in self.files for tensor in file.not_finite)

    @property
    def scanned_bytes(self) -> int | None:
        """Bytes of floating tensors that were scanned; None where no file was."""
        scanned = [f.scanned_bytes for f in self.files if f.scanned_bytes is not None]
        return sum(scanned) if scanned else None
