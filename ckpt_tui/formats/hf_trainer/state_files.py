"""The state files that the Hugging Face Trainer keeps beside the model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.inert import Instance
from ckpt_tui.artifacts.weights_only import NUMPY_ARRAYS
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import OPTIMIZER, RNG, SCHEDULER
from ckpt_tui.formats.dcp.content import read_dcp
from ckpt_tui.formats.dcp.files import METADATA
from ckpt_tui.formats.dcp.saves_apart import optimizer_step
from ckpt_tui.formats.shared.archive_counts import Counts
from ckpt_tui.formats.shared.archive_roles import read_archive_content
from ckpt_tui.formats.shared.archive_step import whole_number
from ckpt_tui.formats.shared.bounds import MOST_RANKS, bounded_world_size
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.nested import nested_files, outer_findings
from ckpt_tui.formats.shared.problems import missing_file
from ckpt_tui.formats.shared.state_file import (
    NO_STATE,
    StatePart,
    is_optimizer,
    is_scheduler,
    read_state_file,
)

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles

OPTIMIZER_FILES = ("optimizer.pt", "optimizer.bin")
SCHEDULER_FILE = "scheduler.pt"
TRAINING_ARGS = "training_args.bin"
RNG_FILE = re.compile(r"rng_state(?:_(\d{1,9}))?\.pth")
_LOADER = "the Trainer"


def read_optimizer(files: CheckpointFiles) -> StatePart:
    """`optimizer.pt`, or with FSDP `optimizer.bin` or a DCP directory `optimizer_0/`."""
    directories = dcp_directories(files, "optimizer")
    if directories:
        return read_dcp_part(files, directories[0], OPTIMIZER)
    for path in OPTIMIZER_FILES:
        entry = files.tree.get(path)
        if entry is not None and entry.kind in (Kind.FILE, Kind.LINK):
            return read_state_file(files, entry, OPTIMIZER, is_optimizer, _LOADER)
    return NO_STATE


def read_scheduler(files: CheckpointFiles) -> StatePart:
    """`scheduler.pt`."""
    entry = files.tree.get(SCHEDULER_FILE)
    if entry is None or entry.kind not in (Kind.FILE, Kind.LINK):
        return NO_STATE
    return read_state_file(files, entry, SCHEDULER, is_scheduler, _LOADER)


def read_rng(files: CheckpointFiles, world_size: int | None) -> StatePart:
    """`rng_state.pth` of one process, or `rng_state_R.pth` of each.

    Args:
        files: The checkpoint.
        world_size: Number of processes that other files tell; None where none does.
    """
    found = {
        entry: match[1]
        for entry in files.tree.entries
        if (match := RNG_FILE.fullmatch(entry.path)) and entry.kind in (Kind.FILE, Kind.LINK)
    }
    parts = {
        e.path: read_state_file(files, e, RNG, _is_rng, _LOADER, _rank(number), NUMPY_ARRAYS)
        for e, number in found.items()
    }
    ranks = {int(number) for number in found.values() if number is not None}
    most = max([world_size or 1, *(rank + 1 for rank in ranks)])
    processes, absurd = bounded_world_size(most, "the names of the random states")
    held = [path for path, part in parts.items() if part.role is not None]
    role = None
    if held:
        job = range(processes) if processes is not None and processes > 1 else ()
        missing = [rank for rank in job if rank not in ranks]
        size_bytes = sum(entry.size_bytes for entry in found if entry.path in held)
        evidence = f"keys `python`, `numpy`, `cpu` in {held[0]}"
        evidence += f" and {len(held) - 1} more" if len(held) > 1 else ""
        role = RoleFacts(RNG, size_bytes, len(held), evidence, tuple(missing), "", tuple(held))
    return StatePart(
        role,
        (*(finding for part in parts.values() for finding in part.findings), *absurd),
        {path: mark for part in parts.values() for path, mark in part.marks.items()},
        processes if ranks else None,
    )


def processes_of_arguments(files: CheckpointFiles) -> int | None:
    """The number of processes that the pickled arguments name; they are never executed."""
    if (entry := files.tree.get(TRAINING_ARGS)) is None or entry.kind is not Kind.FILE:
        return None
    content, _ = read_archive_content(files, TRAINING_ARGS)
    arguments = content.value if content is not None else None
    state = arguments.attributes.get("distributed_state") if isinstance(arguments, Instance) else 0
    number = state.attributes.get("num_processes") if isinstance(state, Instance) else None
    count = whole_number(number)
    return count if count and count <= MOST_RANKS else None


def dcp_directories(files: CheckpointFiles, word: str) -> list[str]:
    """Subdirectories whose name has the word, as Trainer and accelerate look for them."""
    return [
        entry.path
        for entry in files.tree.entries
        if entry.kind is Kind.DIRECTORY and "/" not in entry.path and word in entry.path
    ]


def read_dcp_part(files: CheckpointFiles, directory: str, role: str) -> StatePart:
    """A torch DCP directory inside the checkpoint that holds one role."""
    inner = nested_files(files, directory)
    content = read_dcp(inner)
    findings = outer_findings(directory, content.findings)
    if not content.committed:
        why = f"the {role} in {directory}/ was never committed"
        findings = (missing_file(f"{directory}/{METADATA}", why), *findings)
    marks = {f"{directory}/{f.path}": Mark(role, f.rank, f.note) for f in content.data.files}
    marks[f"{directory}/{METADATA}"] = Mark(role)
    found, counts = None, Counts()
    if content.metadata is not None:
        step = optimizer_step(inner, content.metadata, content.keyed.role_by_key)
        counts = Counts(optimizer=step)
        entries = content.metadata.entries
        size_bytes = sum(entry.size_bytes or 0 for entry in entries)
        evidence = f"{len(entries)} keys in {directory}/{METADATA}"
        found = RoleFacts(role, size_bytes, len(marks), evidence, paths=tuple(marks))
    return StatePart(found, findings, marks, content.data.world_size, counts)


def _is_rng(value: object) -> bool:
    return isinstance(value, Mapping) and {"python", "numpy", "cpu"} <= set(value)


def _rank(number: str | None) -> int:
    return int(number) if number is not None else 0
