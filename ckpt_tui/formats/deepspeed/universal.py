"""What a universal DeepSpeed checkpoint holds: one directory per parameter, for any world size.

`ds_to_universal` writes `zero/PARAMETER/{fp32,exp_avg,exp_avg_sq,step}.pt` first, then
`zero/optimizer_state.pt`, copies the model files, and names it in `latest_universal` last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_archive import read_torch_archive
from ckpt_tui.core.facts import NeighbourFacts, RoleFacts
from ckpt_tui.core.files import FileEntry, Kind
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER
from ckpt_tui.formats.deepspeed.content import CONVERT_AGAIN
from ckpt_tui.formats.deepspeed.layers import parameter_names
from ckpt_tui.formats.deepspeed.names import PartKind
from ckpt_tui.formats.shared.end_mark import look_at_end
from ckpt_tui.formats.shared.file_table import Mark
from ckpt_tui.formats.shared.problems import (
    capped,
    finding_of_error,
    missing_file,
    staging_leftover,
    unopened,
)
from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.deepspeed.parts import Parts

ZERO_DIRECTORY = "zero"
_OPTIMIZER_STATE = "zero/optimizer_state.pt"
_WEIGHTS = "fp32"
_MOMENTS = frozenset({"exp_avg", "exp_avg_sq"})
_MOST_FILES_READ = 4096


class UniversalContent(NamedTuple):
    """The parameters of a universal checkpoint.

    Attributes:
        roles: Model and optimizer, as far as the parameter directories hold them.
        findings: What is missing or damaged.
        marks: Role of every file, by relative path.
        finished: The files that the converter writes last are there.
    """

    roles: tuple[RoleFacts, ...]
    findings: tuple[Finding, ...]
    marks: dict[str, Mark]
    finished: bool


def is_universal(files: CheckpointFiles) -> bool:
    """Whether the directory is a converted checkpoint, finished or not."""
    entry = files.tree.get(ZERO_DIRECTORY)
    there = entry is not None and entry.kind is Kind.DIRECTORY
    return there or files.name.endswith("_universal")


def read_universal(files: CheckpointFiles, parts: Parts) -> UniversalContent:
    """Reads the parameter directories.

    Args:
        files: The checkpoint.
        parts: Its model files, read before: they name the parameters.
    """
    by_parameter = _states(files)
    wanted = {name for part in parts.of_kind(PartKind.MODEL) for name in parameter_names(part)}
    gaps = _gaps(files, by_parameter, wanted)
    entries = [entry for states in by_parameter.values() for entry in states.values()]
    state = files.tree.get(_OPTIMIZER_STATE)
    damage = _damage(files, [*entries, *([state] if state else [])])
    marks = {entry.path: Mark(_role_of_state(entry.path)) for entry in entries}
    marks[_OPTIMIZER_STATE] = Mark(OPTIMIZER)
    finished = state is not None and bool(parts.of_kind(PartKind.MODEL))
    findings = (*capped(gaps), *capped(damage), *_leftovers(files))
    return UniversalContent(_roles(by_parameter), findings, marks, finished)


def source_of_copy(
    files: CheckpointFiles, content: UniversalContent | None
) -> tuple[NeighbourFacts, ...]:
    """What a conversion that was cut was made from: while that is there, it is no attempt."""
    source = files.path.removesuffix("_universal")
    if content is None or content.finished or source == files.path:
        return ()
    return (NeighbourFacts(source, calls.lexists(source)),)


def _states(files: CheckpointFiles) -> dict[str, dict[str, FileEntry]]:
    """Parameter → state name → file; a parameter's directory may be empty."""
    found: dict[str, dict[str, FileEntry]] = {}
    for entry in files.tree.entries:
        path = entry.path.split("/")
        if path[0] != ZERO_DIRECTORY or len(path) < 2:
            continue
        if len(path) == 2 and entry.kind is Kind.DIRECTORY:
            found.setdefault(path[1], {})
        if len(path) == 3 and path[2].endswith(".pt"):
            found.setdefault(path[1], {})[path[2].removesuffix(".pt")] = entry
    return found


def _gaps(
    files: CheckpointFiles,
    by_parameter: dict[str, dict[str, FileEntry]],
    wanted: set[str],
) -> list[Finding]:
    usual = {state for states in by_parameter.values() for state in states} | {_WEIGHTS}
    if usual & _MOMENTS:
        usual |= _MOMENTS
    found = [
        missing_file(f"zero/{name}/{state}.pt", "other parameters have that state")
        for name, states in sorted(by_parameter.items())
        for state in sorted(usual - set(states))
        # A buffer has no optimizer state.
        if name in wanted or set(states) != {_WEIGHTS}
    ]
    found += [
        missing_file(f"zero/{name}", "the model file names that parameter")
        for name in sorted(wanted - set(by_parameter))
    ]
    if files.tree.get(_OPTIMIZER_STATE) is None:
        why = "the loader stops without it, and the conversion writes it after all parameters"
        found.append(missing_file(_OPTIMIZER_STATE, why))
    return [finding._replace(remedy=CONVERT_AGAIN) for finding in found]


def _damage(files: CheckpointFiles, entries: list[FileEntry]) -> list[Finding]:
    found = []
    for number, entry in enumerate(entries):
        if entry.kind is not Kind.FILE:
            found.append(unopened(entry, "DeepSpeed's loader opens it"))
            continue
        if number >= _MOST_FILES_READ:
            cut = look_at_end(files, entry)
            found += [cut] if cut is not None else []
            continue
        try:
            with files.open(entry.path) as source:
                read_torch_archive(source, files.limits)
        except ArtifactError as error:
            found.append(finding_of_error(error, entry.path))
    return found


def _leftovers(files: CheckpointFiles) -> tuple[Finding, ...]:
    """The converter removes `tmp/` when it has merged the slices, unless it was told to keep it."""
    entry = files.tree.get("tmp")
    if entry is None or entry.kind is not Kind.DIRECTORY:
        return ()
    return (staging_leftover("tmp", "slices that the conversion merges"),)


def _roles(by_parameter: dict[str, dict[str, FileEntry]]) -> tuple[RoleFacts, ...]:
    roles = []
    for role in (MODEL, OPTIMIZER):
        mine = [
            entry
            for states in by_parameter.values()
            for entry in states.values()
            if _role_of_state(entry.path) == role and not entry.path.endswith("/step.pt")
        ]
        if mine:
            states = sorted({entry.path.rpartition("/")[2] for entry in mine})
            evidence = f"{', '.join(states)} of {plural(len(by_parameter), 'parameter')} in zero/"
            paths = tuple(entry.path for entry in mine)
            size_bytes = sum(entry.size_bytes for entry in mine)
            roles.append(RoleFacts(role, size_bytes, len(mine), evidence, paths=paths))
    return tuple(roles)


def _role_of_state(path: str) -> str:
    return MODEL if path.endswith(f"/{_WEIGHTS}.pt") else OPTIMIZER
