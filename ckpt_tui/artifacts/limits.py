"""Bounds of reading, and the one exception that every reader of a file raises."""

from __future__ import annotations

import time
from typing import NamedTuple

MIB = 1024 * 1024
_LONGEST_MESSAGE = 400
_LONGEST_SLICE_SECONDS = 0.25
"""Between two checks little is done: more was taken by the host of a virtual machine."""


class Limits(NamedTuple):
    """How much of one file may be read, and for how long.

    Attributes:
        metadata_bytes: Most bytes of metadata (pickle, JSON, zip directory, header) to read.
        pickle_opcodes: Most opcodes that one pickle may hold.
        seconds: Most CPU time for reading one file. A busy machine or a slow disk does not
            change what is found; how long to wait for a disk is the caller's question.
        json_depth: Deepest nesting of arrays and objects in a JSON document.
        json_containers: Most arrays and objects in a JSON document, which take far more memory
            than text.
    """

    metadata_bytes: int = 64 * MIB
    pickle_opcodes: int = 10_000_000
    seconds: float = 2.0
    json_depth: int = 200
    json_containers: int = 4_000_000


class ArtifactError(Exception):
    """A file cannot be read, or its structure cannot be right.

    Attributes:
        code: The finding code, such as `truncated-file`.
        message: One sentence that names the place, what was expected and what was found.
        path: The file, as its source names it; empty when there is none.
    """

    def __init__(self, code: str, message: str, path: str = "") -> None:
        if len(message) > _LONGEST_MESSAGE:  # names inside a file can be of any length
            message = message[:_LONGEST_MESSAGE] + "…"
        super().__init__(code, message, path)
        self.code = code
        self.message = message
        self.path = path

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message

    def at(self, path: str) -> ArtifactError:
        """Returns the same error for the named file."""
        return ArtifactError(self.code, self.message, path)


class Deadline:
    """The CPU time that the thread that made it may spend on reading one file."""

    __slots__ = ("_last", "_path", "_seconds", "_spent")

    def __init__(self, limits: Limits, path: str = "") -> None:
        self._seconds = limits.seconds
        self._last = time.thread_time()
        self._spent = 0.0
        self._path = path

    def check(self) -> None:
        """Raises ArtifactError `limit-exceeded` once the time is over."""
        now = time.thread_time()
        self._spent += min(now - self._last, _LONGEST_SLICE_SECONDS)
        self._last = now
        if self._spent > self._seconds:
            raise ArtifactError(
                "limit-exceeded",
                f"reading it takes more than the limit of {self._seconds:g} s of CPU time",
                self._path,
            )


def check_metadata_size(what: str, size_bytes: int, limits: Limits, path: str) -> None:
    """Raises ArtifactError `limit-exceeded` if a part is larger than may be read."""
    if size_bytes > limits.metadata_bytes:
        raise ArtifactError(
            "limit-exceeded",
            f"{what} has {size_bytes} bytes, more than the limit of {limits.metadata_bytes}",
            path,
        )
