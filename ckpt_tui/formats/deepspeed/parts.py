"""Reads the files of a DeepSpeed step one by one: what each holds, and whether it is whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.core.files import FileEntry, Kind
from ckpt_tui.formats.deepspeed.names import PartKind, PartName, parse_part
from ckpt_tui.formats.shared.archive_counts import highest_step
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, archive_content
from ckpt_tui.formats.shared.archive_step import numbers_of, whole_number
from ckpt_tui.formats.shared.end_mark import MOST_FILES_READ, look_at_end
from ckpt_tui.formats.shared.problems import finding_of_error, unopened
from ckpt_tui.formats.shared.shards import shard_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})\b")


class Part(NamedTuple):
    """One file of a step.

    Attributes:
        content: What it holds; None where it could not be read, or was not.
        optimizer_step: The optimizer's own count of steps, the highest of its parameters.
        problem: "" when fine, else "short", "empty" or "unreadable".
    """

    entry: FileEntry
    name: PartName
    content: ArchiveContent | None = None
    optimizer_step: int | None = None
    problem: str = ""

    @property
    def path(self) -> str:
        """Path relative to the step's directory."""
        return self.entry.path

    @property
    def value(self) -> Mapping[object, object]:
        """The top-level dictionary; empty where it is none or was not read."""
        return self.content.top if self.content is not None else {}

    def number(self, key: str) -> int | None:
        """A whole number under a top-level key, or None."""
        return whole_number(self.value.get(key))


class Parts(NamedTuple):
    """All files of a step, and what is wrong with single ones.

    Attributes:
        unread: Files of which only the end mark was looked at.
    """

    parts: tuple[Part, ...]
    findings: tuple[Finding, ...]
    unread: int = 0

    def of_kind(self, kind: PartKind) -> tuple[Part, ...]:
        """The parts of one kind, in order of their ranks."""
        return tuple(part for part in self.parts if part.name.kind is kind)


def read_parts(files: CheckpointFiles) -> Parts:
    """Reads every part that lies directly in the step's directory."""
    parts: list[Part] = []
    findings: list[Finding] = []
    named = [(name, entry) for entry in files.tree.entries if (name := parse_part(entry.path))]
    named.sort(key=lambda pair: (pair[0].kind, pair[0].dp_rank or 0, pair[0].mp_rank))
    for number, (name, entry) in enumerate(named):
        part, found = _read_part(files, entry, name, number < MOST_FILES_READ)
        parts.append(part)
        findings.extend(found)
    return Parts(tuple(parts), tuple(findings), max(0, len(named) - MOST_FILES_READ))


def writer_version(parts: Parts) -> tuple[int, int] | None:
    """Major and minor version of the DeepSpeed that wrote a step, or None."""
    texts = (str(part.value.get("ds_version")) for part in parts.parts)
    found = next((match for text in texts if (match := _VERSION.match(text))), None)
    return (int(found[1]), int(found[2])) if found is not None else None


def _read_part(
    files: CheckpointFiles, entry: FileEntry, name: PartName, in_full: bool
) -> tuple[Part, tuple[Finding, ...]]:
    if entry.kind is not Kind.FILE:
        return _damaged(entry, name, unopened(entry, "DeepSpeed's loader opens it"))
    if not in_full:
        cut = look_at_end(files, entry)
        return _damaged(entry, name, cut) if cut is not None else (Part(entry, name), ())
    try:
        with files.open(entry.path) as source:
            archive = read_torch_archive(source, files.limits)
            content = archive_content(archive, source, entry.path)
            step = optimizer_step(archive.value, numbers_of(archive, source))
    except ArtifactError as error:
        return _damaged(entry, name, finding_of_error(error, entry.path))
    return Part(entry, name, content, step), content.findings


def _damaged(entry: FileEntry, name: PartName, found: Finding) -> tuple[Part, tuple[Finding, ...]]:
    return Part(entry, name, problem=shard_problem(found)), (found,)


def optimizer_step(value: object, number_of: Callable[[object], int | None]) -> int | None:
    """The optimizer's own count of steps in one rank's file, or None.

    ZeRO keeps the wrapped optimizer's state under `base_optimizer_state` (stages 1 and 2) or
    `optimizer_state_dict` (stage 3); a fused optimizer counts in its parameter groups. Without
    ZeRO an expert's optimizer is under `optimizer`, plain or wrapped by that of fp16 or bf16.

    Args:
        value: The top-level value of a file.
        number_of: Turns a number, or a tensor of one element, into an integer.
    """
    top = as_mapping(value)
    outer = as_mapping(top.get("optimizer_state_dict") or top.get("optimizer"))
    inner = outer.get("base_optimizer_state") or outer.get("optimizer_state_dict") or outer
    return highest_step(as_mapping(inner), number_of)
