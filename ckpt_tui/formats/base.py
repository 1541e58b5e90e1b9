"""What a reader of a checkpoint format is: it claims directories or files, and reads facts.

A new format is one module with one class of this shape, and one line in
`ckpt_tui.formats.registry`.
"""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.files import Kind
from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.core.files import Tree
    from ckpt_tui.fs.listing import Directory


class ClaimKind(StrEnum):
    """What a reader takes a directory for."""

    NO = "no"
    CHECKPOINT = "checkpoint"
    EXPORT = "export"  # weights put out for use elsewhere; may hold the run's checkpoints below


class Claim(NamedTuple):
    """One checkpoint that a reader recognises.

    Attributes:
        reader: Name of the reader.
        path: Absolute path of the directory, or of the checkpoint's first file.
        members: Names of all files of a checkpoint made of files; empty for a directory.
        export: True where the reader takes it for an export.
        marker: True where NeMo's marker of an unfinished save lies beside it.
    """

    reader: str
    path: str
    members: tuple[str, ...] = ()
    export: bool = False
    marker: bool = False


class HandOver(NamedTuple):
    """What a reader returns for a checkpoint whose content is of another format than its names.

    Attributes:
        reader: Name of the reader that is asked instead; it must read, or hand back to the one
            that any torch file fits.
    """

    reader: str


class CheckpointFiles:
    """The files of one checkpoint, opened only inside it and only within the limits.

    Attributes:
        base: Absolute path of the directory that relative paths start from.
    """

    def __init__(self, claim: Claim, tree: Tree, limits: Limits) -> None:
        self.claim = claim
        self.tree = tree
        self.limits = limits
        self.path = claim.path
        self.name = os.path.basename(claim.path)
        self.base = os.path.dirname(claim.path) if claim.members else claim.path

    def open(self, relative_path: str) -> FileSource:
        """Opens one file of the checkpoint.

        Raises:
            ArtifactError: ``outside-path`` for a link that leads out and for a path that is not
                listed; ``io-error`` for a directory or pipe, or what cannot be opened.
        """
        entry = self.tree.get(relative_path)
        absolute = os.path.join(self.base, relative_path)
        if entry is None or entry.kind is Kind.LINK:
            raise ArtifactError("outside-path", "it is no file of this checkpoint", absolute)
        if entry.kind is not Kind.FILE:
            what = "a directory" if entry.kind is Kind.DIRECTORY else "a pipe, socket or device"
            raise ArtifactError("io-error", f"it is {what}, no regular file", absolute)
        if entry.link_target is not None:
            absolute = calls.realpath(absolute)
            base = calls.realpath(self.base)
            if os.path.commonpath([absolute, base]) != base:
                raise ArtifactError("outside-path", "the link leads out of it", absolute)
        return FileSource(absolute)


class Reader(Protocol):
    """One checkpoint format.

    Attributes:
        name: Format name of the JSON contract; stable.
    """

    name: str

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """Whether the directory is one checkpoint of this format, by its names alone."""

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Groups of files in the directory that are one checkpoint each; the first names it."""

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Pointers to the latest checkpoint that lie in a run's directory."""

    def read(self, files: CheckpointFiles) -> CheckpointFacts | HandOver:
        """Reads one checkpoint; whatever is wrong with it is a finding, never an exception."""
