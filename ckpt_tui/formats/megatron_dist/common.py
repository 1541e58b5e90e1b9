"""The common state of a Megatron checkpoint: `common.pt`, or an object inside the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.inert import as_mapping
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.vocabulary import CONFIG, OPTIMIZER, PROGRESS, SCHEDULER
from ckpt_tui.formats.dcp.content import read_object
from ckpt_tui.formats.dcp.files import METADATA, data_entries
from ckpt_tui.formats.lightning.trainer_state import is_trainer_state
from ckpt_tui.formats.megatron.arguments import Arguments, arguments_of
from ckpt_tui.formats.shared.archive_roles import read_archive_content
from ckpt_tui.formats.shared.archive_step import find_step, whole_number
from ckpt_tui.formats.shared.problems import finding_of_error
from ckpt_tui.formats.shared.roles import roles_of_keys
from ckpt_tui.formats.shared.saves_apart import mixed_saves, stands_apart

if TYPE_CHECKING:
    from ckpt_tui.artifacts.dcp_metadata import DcpMetadata
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.dcp.content import DcpContent

COMMON_FILE = "common.pt"
_COMMON_KEY = "common_state"
_HELD = (PROGRESS, OPTIMIZER, SCHEDULER, CONFIG)


class CommonState(NamedTuple):
    """What is the same on all ranks.

    Attributes:
        there: It is there, whether readable or not.
        inside: It is kept inside the data, as newer versions do.
        step: The iteration and where it was read.
        arguments: Megatron-LM's launch arguments, where it holds them.
        sharding: How a distributed optimizer is laid out, by the content metadata; "" unknown.
        lightning: Whether NeMo wrote it, through Lightning.
    """

    there: bool
    inside: bool = False
    roles: tuple[RoleFacts, ...] = ()
    step: tuple[int, str] | None = None
    findings: tuple[Finding, ...] = ()
    arguments: Arguments = Arguments()
    sharding: str = ""
    lightning: bool = False


def _key_inside(metadata: DcpMetadata | None) -> str:
    """The key of the common state inside the data, or ""."""
    if metadata is None:
        return ""
    keys = (entry.key for entry in metadata.entries)
    return next((key for key in keys if key.split("/")[0].split(".")[0] == _COMMON_KEY), "")


def read_common(files: CheckpointFiles, content: DcpContent) -> CommonState:
    """Reads the common state from where this version keeps it."""
    if files.tree.get(COMMON_FILE) is not None:
        return _of_file(files)
    key = _key_inside(content.metadata)
    if not key or content.metadata is None:
        return CommonState(False)
    return _of_object(files, content.metadata, key)


def foreign_common(files: CheckpointFiles, common: CommonState, named: int | None) -> list[Finding]:
    """A common state of another iteration than the name, written at another time than the data.

    The name alone may have been changed by hand; the times alone may be those of a copy.
    """
    entry = files.tree.get(COMMON_FILE)
    step = common.step[0] if common.step is not None else None
    if entry is None or step is None or named in (None, step):
        return []
    data, index = data_entries(files), files.tree.get(METADATA)
    if not data or index is None or not stands_apart(entry, [*data, index]):
        return []
    return [mixed_saves("the iteration", {COMMON_FILE: step, files.name: named or 0})]


def _of_file(files: CheckpointFiles) -> CommonState:
    found, findings = read_archive_content(files, COMMON_FILE)
    if found is None:
        return CommonState(True, findings=findings)
    step = (found.step.value, f"key `{found.step.key}` in {COMMON_FILE}") if found.step else None
    roles = tuple(role for role in found.roles if role.role in _HELD)
    return _told_by(found.value, CommonState(True, False, roles, step, findings))


def _of_object(files: CheckpointFiles, metadata: DcpMetadata, key: str) -> CommonState:
    try:
        value = read_object(files, metadata, key)
    except ArtifactError as error:
        return CommonState(True, True, findings=(finding_of_error(error, ""),))
    if isinstance(value, list) and value:  # the object of every shard is stored in a list
        value = value[0]
    if not isinstance(value, dict):
        return CommonState(True, True)
    roles = tuple(
        RoleFacts(role, None, 1, f"key `{keys[0]}` in `{key}`")
        for role, keys in roles_of_keys(k for k, part in value.items() if part is not None).items()
        if role in _HELD
    )
    step = find_step(value, whole_number)
    found = (step.value, f"key `{step.key}` in `{key}`") if step else None
    return _told_by(value, CommonState(True, True, roles, found))


def _told_by(value: object, common: CommonState) -> CommonState:
    """Adds what only Megatron's loader asks of the common state."""
    held = as_mapping(value)
    sharding = as_mapping(held.get("content_metadata")).get("distrib_optim_sharding_type")
    return common._replace(
        arguments=arguments_of(held.get("args")),
        sharding=sharding if isinstance(sharding, str) else "",
        lightning=is_trainer_state(held),
    )
