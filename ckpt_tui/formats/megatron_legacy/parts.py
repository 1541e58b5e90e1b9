"""Reads the files of one iteration: what each holds, and whether it is whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.megatron_legacy.names import MODEL_KINDS, FileKind, FileName, parse_path
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, read_archive_content
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.end_mark import MOST_FILES_READ, look_at_end
from ckpt_tui.formats.shared.problems import unopened
from ckpt_tui.formats.shared.shards import shard_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

# The loader takes the second where the first is absent.
_STEP_KEYS = ("iteration", "total_iters")
_MODEL_KEY = re.compile(r"model[0-9]*")
_OPENED = "Megatron-LM's loader opens it"


class PartFile(NamedTuple):
    """One file of a part.

    Attributes:
        content: What it holds; None where it could not be read, or was not.
        problem: "" when fine, else "short", "empty" or "unreadable".
    """

    entry: FileEntry
    name: FileName
    content: ArchiveContent | None = None
    problem: str = ""

    @property
    def path(self) -> str:
        """Path relative to the checkpoint."""
        return self.entry.path

    @property
    def value(self) -> Mapping[object, object]:
        """The top-level dictionary; empty where it is none or was not read."""
        return self.content.top if self.content is not None else {}

    @property
    def iteration(self) -> int | None:
        """The training step, as the loader looks for it."""
        numbers = (whole_number(self.value.get(key)) for key in _STEP_KEYS)
        return next((number for number in numbers if number is not None), None)

    @property
    def models(self) -> tuple[str, ...]:
        """Keys of the model, or of its chunks under a virtual pipeline."""
        return tuple(k for k in self.value if isinstance(k, str) and _MODEL_KEY.fullmatch(k))

    @property
    def groups_alone(self) -> bool:
        """Whether its optimizer has parameter groups but no state: that is kept apart then."""
        inner = as_mapping(as_mapping(self.value.get("optimizer")).get("optimizer"))
        return "param_groups" in inner and "state" not in inner


class PartFiles(NamedTuple):
    """All files of the parts, and what is wrong with single ones.

    Attributes:
        unread: Files of which only the end mark was looked at.
    """

    files: tuple[PartFile, ...]
    findings: tuple[Finding, ...]
    unread: int = 0

    def of_kind(self, *kinds: FileKind) -> tuple[PartFile, ...]:
        """The files of these kinds, in order of their ranks."""
        return tuple(file for file in self.files if file.name.kind in kinds)


def read_part_files(files: CheckpointFiles) -> PartFiles:
    """Reads every file of the parts, the model files first."""
    named = [(name, entry) for entry in files.tree.entries if (name := parse_path(entry.path))]
    named.sort(key=lambda pair: (pair[0].kind not in MODEL_KINDS, pair[0].fields, pair[1].path))
    read: list[PartFile] = []
    findings: list[Finding] = []
    for number, (name, entry) in enumerate(named):
        file, found = _read(files, entry, name, number < MOST_FILES_READ)
        read.append(file)
        findings += found
    return PartFiles(tuple(read), tuple(findings), max(0, len(named) - MOST_FILES_READ))


def _read(
    files: CheckpointFiles, entry: FileEntry, name: FileName, in_full: bool
) -> tuple[PartFile, tuple[Finding, ...]]:
    content: ArchiveContent | None = None
    if entry.kind is not Kind.FILE:
        found: tuple[Finding, ...] = (unopened(entry, _OPENED),)
    elif in_full:
        content, found = read_archive_content(files, entry.path)
    else:
        cut = look_at_end(files, entry)
        found = (cut,) if cut is not None else ()
    problem = shard_problem(found[0]) if found and content is None else ""
    return PartFile(entry, name, content, problem), found
