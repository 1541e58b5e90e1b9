"""Reads Lightning's directory form: DCP data of all ranks, and `meta.pt` with the Trainer's state.

Every rank writes its `.distcp`, rank 0 renames `.metadata` into place, then writes `meta.pt` in
place: its loader takes a directory without `meta.pt` for no checkpoint at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, FileFacts, Reshard
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import PROGRESS, Effect
from ckpt_tui.formats.base import HandOver
from ckpt_tui.formats.dcp.content import DcpContent, read_dcp
from ckpt_tui.formats.dcp.files import (
    METADATA,
    files_of_save,
    finish_command,
    index_facts,
)
from ckpt_tui.formats.lightning.loader import loader_of
from ckpt_tui.formats.lightning.names import META, epoch_in_name, step_in_name
from ckpt_tui.formats.lightning.saves_apart import files_apart
from ckpt_tui.formats.lightning.trainer_state import is_trainer_state, read_trainer_state
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, read_archive_content
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.nemo_marker import with_marker
from ckpt_tui.formats.shared.problems import name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.lightning.trainer_state import TrainerState

_RULE = "`meta.pt` is written last, after `.metadata` (Lightning's directory form)"
_RESHARD = Reshard(True, "natively: Lightning reshards DCP's tensors to any world size")


def read_sharded(files: CheckpointFiles, format_name: str) -> CheckpointFacts | HandOver:
    """Reads one directory; one whose `meta.pt` is of another loop is handed over."""
    meta, found = _read_meta(files)
    if meta is not None and not is_trainer_state(meta.value):
        return HandOver("torch-dcp")
    content = read_dcp(files)
    state = None
    if meta is not None:
        state = read_trainer_state(meta.value, META, optimizers_apart=_has_optimizer(content))
        found += state.findings
    found += files_apart(files, content, state)
    findings = [*content.findings, *found]
    findings += links_and_holes(files.tree)
    named = step_in_name(files.name)
    step = step_to_show(state.step if state else None, named, findings)
    if state is not None:
        findings += name_disagrees(named, step, None, f"`{META}`")
    torn = any(finding.effect is not Effect.NONE for finding in found)
    commit = with_marker(_commit(files, content, torn), files)
    times = save_times(files_of_save(files, content.data), files.tree.get(META))
    return common_facts(files, format_name, commit, times)._replace(
        step=step,
        ordinal=epoch_in_name(files.name) if step is None else None,
        world_size=content.data.world_size,
        expected_ranks=content.data.expected_ranks,
        roles=merge_roles(
            (
                *(role for role in content.keyed.roles if role.role != PROGRESS),
                *(role for role in (meta.roles if meta else ()) if role.role != PROGRESS),
                *((state.role,) if state is not None and state.role else ()),
            )
        ),
        shards=content.data.shards,
        files=content.data.files + _other_files(files),
        findings=tuple(dict.fromkeys(findings)),
        loader=loader_of(files, state, findings),
        reshard=_RESHARD,
        declared=commit.met is True,
        save_mode="sync",
        not_checked=content.not_checked,
        evidence=_evidence(state, step),
        tensors=content.tensors,
        tensors_total=content.tensors_total,
    )


def _read_meta(files: CheckpointFiles) -> tuple[ArchiveContent | None, tuple[Finding, ...]]:
    if files.tree.get(META) is None:
        return None, ()
    return read_archive_content(files, META)


def _has_optimizer(content: DcpContent) -> bool:
    return any(key.startswith("optimizer_") for key in content.keyed.role_by_key)


def _commit(files: CheckpointFiles, content: DcpContent, torn: bool) -> CommitFacts:
    """A marker that is cut, or older than the data, is of a save that goes on or died."""
    meta = files.tree.get(META)
    there = meta is not None and meta.kind is not Kind.DIRECTORY
    if content.committed and there:
        return CommitFacts(_RULE, True, rewritten=content.data.rewritten or torn)
    if there and content.whole:
        return CommitFacts(_RULE, False, METADATA, finish=finish_command(files.path))
    return CommitFacts(_RULE, False, META if content.committed else METADATA)


def _other_files(files: CheckpointFiles) -> tuple[FileFacts, ...]:
    meta = files.tree.get(META)
    if meta is None:
        return index_facts(files)
    note = "the Trainer's state"
    own = FileFacts(META, meta.size_bytes, meta.mtime_ns, PROGRESS, note=note)
    return (*index_facts(files), own)


def _evidence(state: TrainerState | None, step: int | None) -> str:
    if state is not None and step is not None and step == state.step:
        return f"step from key `{state.key}` in {META}"
    return "step from the directory's name" if step is not None else ""
