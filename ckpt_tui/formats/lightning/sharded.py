"""Reads Lightning's directory form: DCP data of all ranks, and `meta.pt` with the Trainer's state.

Every rank writes its `.distcp`, rank 0 renames `.metadata` into place, then writes `meta.pt` in
place: its loader takes a directory without `meta.pt` for no checkpoint at all.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, FileFacts, Reshard
from ckpt_tui.core.files import Kind
from ckpt_tui.core.vocabulary import PROGRESS, Effect
from ckpt_tui.formats.base import HandOver
from ckpt_tui.formats.dcp.content import DcpContent, read_dcp
from ckpt_tui.formats.dcp.files import METADATA, METADATA_TMP
from ckpt_tui.formats.dcp.steps_apart import optimizer_step
from ckpt_tui.formats.lightning.loader import loader_of
from ckpt_tui.formats.lightning.names import META, epoch_in_name, step_in_name
from ckpt_tui.formats.lightning.trainer_state import is_trainer_state, read_trainer_state
from ckpt_tui.formats.shared.archive_roles import ArchiveContent, read_archive_content
from ckpt_tui.formats.shared.pointers import is_alias_name
from ckpt_tui.formats.shared.problems import hollow_files, links_out, name_disagrees
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.saves_apart import mixed_saves, step_to_show, steps_differ
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.shared.unfinished import with_marker

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.lightning.trainer_state import TrainerState

_RULE = "`meta.pt` is written last, after `.metadata` (Lightning's directory form)"
_RESHARD = Reshard(True, "natively: Lightning reshards DCP's tensors to any world size")
_SECOND_OPTIMIZER = "optimizer_1."


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
    found += _steps_apart(files, content, state)
    findings = [*content.findings, *found]
    findings += [*links_out(files.tree), *hollow_files(files.tree)]
    named = step_in_name(files.name)
    step = step_to_show(state.step if state else None, named, findings)
    if state is not None:
        findings += name_disagrees(named, step, None, f"`{META}`")
    torn = any(finding.effect is not Effect.NONE for finding in found)
    commit = with_marker(_commit(files, content, torn), files)
    times = save_times(_data(files, content), files.tree.get(META))
    return CheckpointFacts(
        path=files.path,
        name=files.name,
        format=format_name,
        commit=commit._replace(committed_at=times.committed_at if commit.met else None),
        checkpoint_id=files.name,
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
        loader=loader_of(files, state),
        reshard=_RESHARD,
        alias=is_alias_name(files.name),
        declared=commit.met is True,
        save_mode="sync",
        started_at=times.started_at,
        save_seconds=times.save_seconds if commit.met else None,
        size_bytes=files.tree.total_bytes(),
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
        staged, final = f"{files.path}/{METADATA_TMP}", f"{files.path}/{METADATA}"
        finish = f"mv {shlex.quote(staged)} {shlex.quote(final)}"
        return CommitFacts(_RULE, False, METADATA, finish=finish)
    return CommitFacts(_RULE, False, META if content.committed else METADATA)


def _steps_apart(
    files: CheckpointFiles, content: DcpContent, state: TrainerState | None
) -> tuple[Finding, ...]:
    """The optimizer's count of steps against the Trainer's.

    A save into an existing directory that dies before `meta.pt` leaves that of the earlier save:
    it is then older than the data. The count alone proves nothing, as it may lag.
    """
    several = any(key.startswith(_SECOND_OPTIMIZER) for key in content.keyed.role_by_key)
    if content.metadata is None or state is None or state.step is None or several:
        return ()
    steps = optimizer_step(files, content.metadata, content.keyed.role_by_key)
    if steps is None or steps == state.step:
        return ()
    counted = {META: state.step, METADATA: steps}
    if _older_than_data(files, content):
        return (mixed_saves("the step", counted),)
    return (steps_differ("the step", counted, "a gradient scaler skipped some"),)


def _older_than_data(files: CheckpointFiles, content: DcpContent) -> bool:
    meta, index = files.tree.get(META), files.tree.get(METADATA)
    times = [entry.mtime_ns for entry in (*_data(files, content), index) if entry is not None]
    return meta is not None and meta.mtime_ns < max(times, default=0)


def _data(files: CheckpointFiles, content: DcpContent) -> list[FileEntry]:
    mine = {path for shard in content.data.shards for path in shard.paths}
    return [entry for entry in files.tree.files() if entry.path in mine]


def _other_files(files: CheckpointFiles) -> tuple[FileFacts, ...]:
    known = {
        METADATA: FileFacts("", 0, 0, note="names every stored item"),
        METADATA_TMP: FileFacts("", 0, 0, note="names every stored item"),
        META: FileFacts("", 0, 0, PROGRESS, note="the Trainer's state"),
    }
    entries = [(known[name], files.tree.get(name)) for name in known]
    return tuple(
        facts._replace(path=entry.path, size_bytes=entry.size_bytes, mtime_ns=entry.mtime_ns)
        for facts, entry in entries
        if entry is not None
    )


def _evidence(state: TrainerState | None, step: int | None) -> str:
    if state is not None and step is not None and step == state.step:
        return f"step from key `{state.key}` in {META}"
    return "step from the directory's name" if step is not None else ""
