"""The files of prepared and registered objects.

Accelerate's loader raises where one of its job's objects has no file, and where the registered
objects are not as many as the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.weights_only import NUMPY_ARRAYS
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import (
    DATALOADER,
    MODEL,
    OPTIMIZER,
    OTHER,
    PROGRESS,
    SCHEDULER,
)
from ckpt_tui.formats.accelerate.names import (
    CUSTOM_FILE,
    DATALOADER_FILE,
    LOADER,
    OPTIMIZER_FILE,
    SAMPLER_FILE,
    SCALER_FILE,
    SCHEDULER_FILE,
    numbered,
    numbered_name,
)
from ckpt_tui.formats.shared.archive_roles import read_archive_content
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.problems import missing_file
from ckpt_tui.formats.shared.state_file import (
    StatePart,
    is_optimizer,
    is_scheduler,
    read_state_file,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Set

    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.shared.archive_step import FoundStep


class Objects(NamedTuple):
    """All files of one kind.

    Attributes:
        parts: By number, each file as it was read.
        findings: Those of the files, and of gaps in their numbers.
    """

    parts: dict[int, StatePart]
    findings: tuple[Finding, ...] = ()

    @property
    def roles(self) -> tuple[RoleFacts, ...]:
        """One entry for each file that holds its state."""
        return tuple(part.role for part in self.parts.values() if part.role is not None)

    @property
    def marks(self) -> dict[str, Mark]:
        """Role of each file, by path."""
        return {path: mark for part in self.parts.values() for path, mark in part.marks.items()}


NO_OBJECTS = Objects({})


class Custom(NamedTuple):
    """The objects that the loop registered: the only place where a step can be.

    Attributes:
        step: The training step, by the first that holds one.
        path: Its file.
        epoch: The epoch, by the first that holds one.
    """

    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    step: FoundStep | None = None
    path: str = ""
    epoch: int | None = None


def read_optimizers(files: CheckpointFiles) -> Objects:
    """`optimizer.bin`, `optimizer_1.bin` and so on."""
    return _read(files, OPTIMIZER_FILE, OPTIMIZER, is_optimizer, "optimizer")


def read_schedulers(files: CheckpointFiles) -> Objects:
    """`scheduler.bin`, `scheduler_1.bin` and so on."""
    return _read(files, SCHEDULER_FILE, SCHEDULER, is_scheduler, "scheduler")


def read_data_states(files: CheckpointFiles) -> Objects:
    """Samplers and the states of stateful data loaders; only some loaders have one."""
    # A sampler is a whole object; it is loaded only beside an iterable data set.
    samplers = _read(files, SAMPLER_FILE, DATALOADER, lambda _: True, allowed=None)
    loaders = _read(files, DATALOADER_FILE, DATALOADER, lambda _: True)
    parts = [*samplers.parts.values(), *loaders.parts.values()]
    return Objects(dict(enumerate(parts)), samplers.findings + loaders.findings)


def read_scaler(files: CheckpointFiles) -> Objects:
    """`scaler.pt` of mixed precision."""
    entry = files.tree.get(SCALER_FILE)
    if entry is None:
        return NO_OBJECTS
    part = read_state_file(
        files, entry, OTHER, lambda value: isinstance(value, Mapping), LOADER, allowed=NUMPY_ARRAYS
    )
    return Objects({0: part}, part.findings)


def read_custom(files: CheckpointFiles) -> Custom:
    """Every `custom_checkpoint_N.pkl`: roles, step and epoch by its keys."""
    entries = numbered(files.tree, CUSTOM_FILE)
    roles: list[RoleFacts] = []
    findings = _gaps(entries, "custom_checkpoint_{}.pkl".format, "a later one is there")
    findings += [
        missing_file(entry.path, "a directory has its name")
        for entry in files.tree.entries
        if entry.kind is Kind.DIRECTORY and CUSTOM_FILE.fullmatch(entry.path)
    ]
    step: tuple[FoundStep, str] | None = None
    epoch: int | None = None
    for entry in entries.values():
        content, found = read_archive_content(files, entry.path)
        findings += found
        if content is None:
            continue
        # The loader takes model and optimizer from their own files only.
        roles += [role for role in content.roles if role.role not in (MODEL, OPTIMIZER)]
        roles.append(_registered(entry))
        if content.step is not None and step is None:
            step = (content.step, entry.path)
        epoch = content.epoch if epoch is None else epoch
    marks = {entry.path: Mark(_first_role(roles, entry.path)) for entry in entries.values()}
    found_step, path = step or (None, "")
    return Custom(tuple(roles), tuple(findings), marks, found_step, path, epoch)


def _read(
    files: CheckpointFiles,
    pattern: re.Pattern[str],
    role: str,
    fits: Callable[[object], bool],
    every: str = "",
    allowed: Set[str] | None = NUMPY_ARRAYS,
) -> Objects:
    """Reads all files of one kind.

    Args:
        files: The checkpoint.
        pattern: Matches their names.
        role: What each has to hold.
        fits: Whether a top-level value can be that.
        every: The names' stem, where the loader wants each number up to the highest.
        allowed: As in `read_state_file`.
    """
    entries = numbered(files.tree, pattern)
    parts = {
        number: read_state_file(files, entry, role, fits, LOADER, allowed=allowed)
        for number, entry in entries.items()
    }
    findings = [finding for part in parts.values() for finding in part.findings]
    if every:
        why = "one with a higher number is there"
        findings += _gaps(entries, lambda number: numbered_name(every, number, ".bin"), why)
    return Objects(parts, tuple(findings))


def _gaps(entries: Iterable[int], name_of: Callable[[int], str], why: str) -> list[Finding]:
    """Numbers below the highest that have no file."""
    there = set(entries)
    absent = (number for number in range(max(there, default=0)) if number not in there)
    return [missing_file(name_of(number), why) for number in absent]


def _registered(entry: FileEntry) -> RoleFacts:
    evidence = f"a registered object in {entry.path}"
    return RoleFacts(OTHER, entry.size_bytes, 1, evidence, paths=(entry.path,))


def _first_role(roles: list[RoleFacts], path: str) -> str:
    held = [role.role for role in roles if path in role.paths]
    return PROGRESS if PROGRESS in held else next(iter(held), "")
