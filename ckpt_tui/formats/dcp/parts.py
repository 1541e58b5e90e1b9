"""DCP directories inside a checkpoint: accelerate's `pytorch_model_fsdp_0/` and `optimizer_0/`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER
from ckpt_tui.formats.dcp.content import read_dcp
from ckpt_tui.formats.dcp.files import METADATA, METADATA_TMP, rank_of_data_file
from ckpt_tui.formats.shared.nested import nested_files, outer_findings, outer_roles
from ckpt_tui.formats.shared.roles import role_of_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.facts import RoleFacts
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.dcp.content import DcpContent
    from ckpt_tui.fs.listing import Directory

_PART = re.compile(r"(?:pytorch_model_fsdp|optimizer|model|optim)(?:_\d{1,4})?")


class DcpParts(NamedTuple):
    """What the DCP directories hold together.

    Attributes:
        directories: Their relative paths.
        world_size: Number of writers; None where no part tells.
        missing: The `.metadata` that a part still lacks, or "".
        findings: Problems, with paths relative to the outer checkpoint.
    """

    directories: tuple[str, ...] = ()
    roles: tuple[RoleFacts, ...] = ()
    world_size: int | None = None
    missing: str = ""
    findings: tuple[Finding, ...] = ()


def part_names(directory: Directory) -> tuple[str, ...]:
    """Subdirectories that are named as a part and hold DCP's files."""
    return tuple(
        name
        for name in directory.directory_names()
        if _PART.fullmatch(name) and holds_dcp(directory.sub(name).file_names())
    )


def holds_dcp(names: Iterable[str]) -> bool:
    """Whether names in a directory are those of DCP."""
    return any(
        name in (METADATA, METADATA_TMP) or rank_of_data_file(name) is not None for name in names
    )


def read_dcp_parts(files: CheckpointFiles) -> DcpParts:
    """Reads every DCP directory that lies directly in a checkpoint."""
    inside: dict[str, list[str]] = {}
    for entry in files.tree.entries:
        first, _, rest = entry.path.partition("/")
        if rest and "/" not in rest:
            inside.setdefault(first, []).append(rest)
    directories = tuple(name for name in sorted(inside) if holds_dcp(inside[name]))
    roles: list[RoleFacts] = []
    findings: list[Finding] = []
    world_sizes: list[int] = []
    missing = ""
    for name in directories:
        content = read_dcp(nested_files(files, name))
        roles += outer_roles(name, _roles(name, content))
        findings += outer_findings(name, content.findings)
        world_sizes += [content.data.world_size] if content.data.world_size else []
        if not content.committed:
            missing = missing or f"{name}/{METADATA}"
    world_size = max(world_sizes, default=None)
    return DcpParts(directories, tuple(roles), world_size, missing, tuple(findings))


def _roles(name: str, content: DcpContent) -> list[RoleFacts]:
    """Bare keys are the model's, but not in a directory that is named for the optimizer."""
    roles = list(content.keyed.roles)
    if role_of_key(name) == OPTIMIZER and not content.keyed.has(OPTIMIZER):
        return [role._replace(role=OPTIMIZER) if role.role == MODEL else role for role in roles]
    return roles
