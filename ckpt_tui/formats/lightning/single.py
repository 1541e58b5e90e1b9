"""Reads a checkpoint that is one Lightning file.

It is written under a temporary name and renamed; where the temporary directory is on another file
system, it is copied into its final name, so the archive's own end decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, Reshard
from ckpt_tui.core.vocabulary import PROGRESS
from ckpt_tui.formats.base import HandOver
from ckpt_tui.formats.lightning.loader import loader_of
from ckpt_tui.formats.lightning.names import epoch_in_name, step_in_name
from ckpt_tui.formats.lightning.trainer_state import is_trainer_state, read_trainer_state
from ckpt_tui.formats.shared.archive_roles import read_archive_content
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import table_of_one
from ckpt_tui.formats.shared.links_and_holes import hollow_files
from ckpt_tui.formats.shared.nemo_marker import with_marker
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RoleFacts
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.lightning.trainer_state import TrainerState
    from ckpt_tui.formats.shared.archive_roles import ArchiveContent

_RULE = (
    "no commit mark: the end of the archive decides (Lightning renames it, or copies it into place)"
)
_RESHARD = Reshard(True, "the file is not sharded: every rank loads all of it")


def read_single(files: CheckpointFiles, format_name: str) -> CheckpointFacts | HandOver:
    """Reads one file; one that is whole, but not of Lightning, is handed over."""
    path = files.claim.members[0]
    content, findings = read_archive_content(files, path)
    state = None
    if content is not None:
        if not is_trainer_state(content.value):
            return HandOver("torch-file")
        state = read_trainer_state(content.value, path, optimizers_apart=False)
        findings += state.findings
    named, epoch = step_in_name(path), epoch_in_name(path)
    step = state.step if state is not None else named
    if state is not None:
        findings += tuple(name_disagrees(named, step, None, f"key `{state.key}`"))
        epoch = state.epoch if state.epoch is not None else epoch
    entry = files.tree.get(path)
    committed = entry.mtime_ns / 1e9 if entry is not None else None
    commit = with_marker(CommitFacts(_RULE, None, committed_at=committed), files)
    roles = _roles(content, state)
    return common_facts(files, format_name, commit)._replace(
        step=step,
        ordinal=epoch if step is None else None,
        roles=roles,
        files=table_of_one(entry, roles),
        findings=(*findings, *hollow_files(files.tree)),
        loader=loader_of(files, state, findings),
        reshard=_RESHARD,
        declared=content is not None,
        save_mode="sync",
        evidence=_evidence(state, step),
        tensors=content.tensors if content is not None else (),
        tensors_total=content.tensors_total if content is not None else 0,
    )


def _roles(content: ArchiveContent | None, state: TrainerState | None) -> tuple[RoleFacts, ...]:
    if content is None or state is None:
        return ()
    others = (role for role in content.roles if role.role != PROGRESS)
    return merge_roles((*others, *((state.role,) if state.role else ())))


def _evidence(state: TrainerState | None, step: int | None) -> str:
    if state is not None and state.step is not None:
        return f"step from key `{state.key}`"
    return "step from the file's name" if step is not None else ""
