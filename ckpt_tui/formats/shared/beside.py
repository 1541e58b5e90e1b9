"""Small files beside the sharded data: torch archives and JSON that hold more roles or the step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.torch_archive import sniff_torch
from ckpt_tui.core.facts import FileFacts, RoleFacts
from ckpt_tui.core.vocabulary import DATALOADER, PROGRESS, RNG
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, read_archive_content
from ckpt_tui.formats.shared.archive_step import FoundStep, find_step, whole_number
from ckpt_tui.formats.shared.problems import finding_of_error
from ckpt_tui.formats.shared.roles import role_of_file_name

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

MOST_FILES = 1024

# These names promise a torch archive; under the others anything may be kept.
_TORCH_NAMES = (".pt", ".pth", ".ckpt")
_PERHAPS_TORCH = (".bin", ".pkl", ".tar")
_RANK = re.compile(r"(?:rank|rng_state|random_states)[_-]?(\d{1,9})(?=\D|$)")


class Beside(NamedTuple):
    """What the files beside the data hold.

    Attributes:
        contents: By relative path, of the torch archives that could be read.
        roles: One entry per file and role.
        findings: What is wrong with them.
        step: The step that one of them holds.
        epoch: The epoch, where one holds it.
        files: The files with the role they hold.
    """

    contents: dict[str, ArchiveContent]
    roles: tuple[RoleFacts, ...] = ()
    findings: tuple[Finding, ...] = ()
    step: FoundStep | None = None
    step_path: str = ""
    epoch: int | None = None
    files: tuple[FileFacts, ...] = ()


def _rank_in_name(path: str) -> int | None:
    """The rank that the name of a per-rank file carries: `dataloader_rank3.pt`."""
    found = _RANK.search(path.rpartition("/")[2])
    return int(found.group(1)) if found else None


def read_beside(files: CheckpointFiles, entries: list[FileEntry], world_size: int | None) -> Beside:
    """Reads the given files as torch archives or JSON, as their names promise.

    Args:
        files: The checkpoint.
        entries: Files that are no sharded data; others than torch archives and JSON are passed
            over.
        world_size: Number of ranks, for states that are kept in one file per rank.
    """
    contents: dict[str, ArchiveContent] = {}
    roles: list[RoleFacts] = []
    findings: list[Finding] = []
    step: tuple[FoundStep, str] | None = None
    epoch: int | None = None
    for entry in entries[:MOST_FILES]:
        if entry.path.endswith(".json"):
            found = _step_of_json(files, entry, findings)
            if found is not None:
                step = step or (found, entry.path)
                roles.append(_progress_of_json(found, entry.path))
            continue
        content = _read_archive(files, entry, findings)
        if content is None:
            continue
        contents[entry.path] = content
        roles.extend(content.roles or _role_by_name(entry))
        if content.step is not None and step is None:
            step = (content.step, entry.path)
        epoch = content.epoch if epoch is None else epoch
    return Beside(
        contents,
        tuple(_with_rank_gaps(roles, world_size)),
        tuple(findings),
        step[0] if step else None,
        step[1] if step else "",
        epoch,
        tuple(_file_facts(entry, roles) for entry in entries),
    )


def _read_archive(
    files: CheckpointFiles, entry: FileEntry, findings: list[Finding]
) -> ArchiveContent | None:
    if not entry.path.endswith(_TORCH_NAMES + _PERHAPS_TORCH):
        return None
    if entry.path.endswith(_PERHAPS_TORCH) and entry.size_bytes and not _is_torch(files, entry):
        return None
    content, found = read_archive_content(files, entry.path)
    findings.extend(found)
    return content


def _is_torch(files: CheckpointFiles, entry: FileEntry) -> bool:
    try:
        with files.open(entry.path) as source:
            return sniff_torch(source) is not None
    except ArtifactError:
        return True  # reading it will say what is wrong


def _step_of_json(
    files: CheckpointFiles, entry: FileEntry, findings: list[Finding]
) -> FoundStep | None:
    """A step is taken only from a file whose name says that it keeps progress."""
    if role_of_file_name(entry.path) != PROGRESS:
        return None
    try:
        with files.open(entry.path) as source:
            document = read_json(source, files.limits)
    except ArtifactError as error:
        findings.append(finding_of_error(error, entry.path, role=PROGRESS))
        return None
    return find_step(document, whole_number)


def _progress_of_json(found: FoundStep, path: str) -> RoleFacts:
    return RoleFacts(PROGRESS, None, 1, f"key `{found.key}` in {path}", paths=(path,))


def _role_by_name(entry: FileEntry) -> tuple[RoleFacts, ...]:
    """A readable archive without a telling key: its name is all there is to go by."""
    role = role_of_file_name(entry.path.rpartition("/")[2])
    if role not in (DATALOADER, RNG):
        return ()
    evidence = f"the name of {entry.path} (its keys name no role)"
    return (RoleFacts(role, entry.size_bytes, 1, evidence, paths=(entry.path,)),)


def _with_rank_gaps(roles: list[RoleFacts], world_size: int | None) -> list[RoleFacts]:
    """Marks per-rank states (rng, data loader) of which some ranks' files are absent."""
    for role in (RNG, DATALOADER):
        mine = [r for r in roles if r.role == role and r.paths]
        ranks = {rank for r in mine if (rank := _rank_in_name(r.paths[0])) is not None}
        if not ranks or world_size is None:
            continue
        missing = tuple(rank for rank in range(world_size) if rank not in ranks)
        roles = [r._replace(missing_ranks=missing) if r.role == role else r for r in roles]
    return roles


def _file_facts(entry: FileEntry, roles: list[RoleFacts]) -> FileFacts:
    held = [role.role for role in roles if entry.path in role.paths]
    note = f"holds {', '.join(held)}" if len(held) > 1 else ""
    return FileFacts(
        entry.path,
        entry.size_bytes,
        entry.mtime_ns,
        held[0] if held else "",
        _rank_in_name(entry.path),
        note,
    )
