"""A plug-in's reader behind a guard: what it raises or answers wrongly costs a line, no screen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar, cast

from ckpt_tui.core.facts import CheckpointFacts, RawPointer
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.plug_ins.fact_types import check_typed, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from ckpt_tui.formats.base import CheckpointFiles, Reader
    from ckpt_tui.fs.listing import Directory

FAILURES = (Exception, SystemExit)
"""What a plug-in may raise without ending the program; an interrupt still does."""

_LONGEST_ERROR = 300

_Given = TypeVar("_Given")
_Answer = TypeVar("_Answer")


class FailedPlugInError(Exception):
    """A plug-in raised, or answered what no reader may; the text names it and says what."""


def told_error(error: BaseException) -> str:
    """An error in one line of bounded length."""
    try:
        said = str(error)
    except FAILURES:  # it is foreign code, too
        said = "(it cannot even be shown)"
    text = " ".join(f"{type(error).__name__}: {said}".split())
    return text if len(text) <= _LONGEST_ERROR else text[:_LONGEST_ERROR] + "…"


def _is_group(group: object, there: Container[str]) -> bool:
    """Whether it is a tuple of files that are there, each named once."""
    if not isinstance(group, tuple) or not all(isinstance(name, str) for name in group):
        return False
    return 0 < len(set(group)) == len(group) and all(name in there for name in group)


class GuardedReader:
    """One plug-in.

    Attributes:
        name: Format name.
        origin: Entry point and distribution, for messages.
        hints: It is asked only where a name contains one of these; "" is in every name.
    """

    def __init__(self, name: str, reader: Reader, origin: str, hints: tuple[str, ...]) -> None:
        self.name = name
        self.origin = origin
        self.hints = hints
        self._reader = reader

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """As a reader of ours.

        Raises:
            FailedPlugInError: It raised, or its answer is no `ClaimKind`.
        """
        answer = self._call("claims_directory", self._reader.claims_directory, directory)
        if not isinstance(answer, ClaimKind):
            raise self._failure("claims_directory", f"{shown(answer)} is no ClaimKind")
        return answer

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """As a reader of ours.

        Raises:
            FailedPlugInError: It raised, or names what is no file of the directory.
        """
        answer = self._call("claims_files", self._reader.claims_files, directory)
        there = set(directory.file_names())
        if not isinstance(answer, tuple) or not all(_is_group(group, there) for group in answer):
            raise self._failure("claims_files", "not tuples of names of files in the directory")
        return answer

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """As a reader of ours; a failure is a pointer that cannot be read."""
        try:
            answer = self._call("pointers", self._reader.pointers, directory)
            if not isinstance(answer, tuple):
                raise self._failure("pointers", f"{shown(answer)} is no tuple")
            for number, pointer in enumerate(answer):
                self._check("pointers", pointer, RawPointer, f"[{number}]")
        except FailedPlugInError as failure:
            return (RawPointer(directory.path, "text", str(failure), problem="unreadable"),)
        return answer

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """As a reader of ours; which checkpoint it is about is not the plug-in's to say.

        Raises:
            FailedPlugInError: It raised, or a fact is of another type than it has to be.
        """
        facts = cast("CheckpointFacts", self._call("read", self._reader.read, files))
        self._check("read", facts, CheckpointFacts, "facts")
        return facts._replace(path=files.path, name=os.path.basename(files.path), format=self.name)

    def _call(self, what: str, method: Callable[[_Given], _Answer], argument: _Given) -> _Answer:
        try:
            return method(argument)
        except FAILURES as error:
            raise self._failure(what, told_error(error)) from error

    def _check(self, what: str, value: object, wanted: type, place: str) -> None:
        try:
            check_typed(value, wanted, place)
        except TypeError as error:
            raise self._failure(what, str(error)) from error

    def _failure(self, what: str, why: str) -> FailedPlugInError:
        return FailedPlugInError(f"{self.origin} failed in {what}: {why}")
