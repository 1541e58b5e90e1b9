"""Reads Megatron-Core's distributed checkpoints: a torch DCP with `common.pt` and `metadata.json`.

`common.pt` is written first, then the data, `.metadata` by rename, and `metadata.json` last. Newer
versions keep the common state inside the data, and then have no `common.pt`.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    FileFacts,
    LoaderFacts,
    OwnChoice,
    Reshard,
)
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import OPTIMIZER, PROGRESS, RNG, SCHEDULER, Effect, Severity
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.dcp.content import DcpContent, read_dcp
from ckpt_tui.formats.dcp.files import METADATA, METADATA_TMP, rank_of_data_file
from ckpt_tui.formats.megatron_dist.common import (
    COMMON_FILE,
    CommonState,
    foreign_common,
    read_common,
)
from ckpt_tui.formats.shared.json_files import read_json_object
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.pointers import is_alias_name, link_pointers, text_pointer
from ckpt_tui.formats.shared.problems import (
    finding_of_error,
    hollow_files,
    links_out,
    missing_file,
    name_disagrees,
)
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.saves_apart import step_to_show
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.shared.unfinished import with_marker

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer, RoleFacts
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

INDEX = "metadata.json"
TRACKER = "latest_checkpointed_iteration.txt"

_LOOKED_AT_BYTES = 4 * 1024 * 1024
_NAME = re.compile(r"iter_0*(\d{1,18})|release")
_RULE = "`metadata.json` is written after `.metadata` and all data (Megatron dist_checkpointing)"
_WRITTEN_BY_TORCH_DIST = (
    '{"sharded_backend": "torch_dist", "sharded_backend_version": 1,'
    ' "common_backend": "torch", "common_backend_version": 1}'
)


class _Index(NamedTuple):
    """`metadata.json`: whether it is whole, and the backend that it names."""

    whole: bool
    backend: str
    findings: tuple[Finding, ...] = ()


class MegatronDistReader:
    """Checkpoints that `megatron.core.dist_checkpointing.save` wrote."""

    name = "megatron-dist"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A DCP directory with Megatron's files or name, or a save cut after `common.pt`."""
        names = directory.file_names()
        has_data = METADATA in names or any(rank_of_data_file(name) is not None for name in names)
        named = _NAME.fullmatch(directory.name) is not None
        if COMMON_FILE in names:
            ours = has_data or named or INDEX in names
        elif INDEX in names:
            ours = has_data and _holds(directory, INDEX, b'"sharded_backend"')
        else:  # other loops use such names for a plain DCP checkpoint
            ours = has_data and named and _may_be_cut(directory)
        return ClaimKind.CHECKPOINT if ours else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """No checkpoint of this format is a bare file."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """The tracker file holds an iteration, or the word `release`."""
        tracker = text_pointer(directory, TRACKER, lambda text: _names_of(directory, text))
        return tracker + link_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        content = read_dcp(files)
        common = read_common(files, content)
        index = _read_index(files)
        findings = [*content.findings, *common.findings, *index.findings, *links_out(files.tree)]
        findings += hollow_files(files.tree)
        findings += _absent(content, common, index)
        step, where = common.step if common.step is not None else (None, "")
        named = step_of_name(files.name)
        findings += foreign_common(files, common, named)
        shown = step_to_show(step, named, findings)
        findings += name_disagrees(named, shown, None, where)
        roles = merge_roles((*content.keyed.roles, *_roles_of_common(content, common)))
        marker = files.tree.get(INDEX) or files.tree.get(METADATA)
        times = save_times([entry for entry in files.tree.files() if _is_data(entry.path)], marker)
        commit = with_marker(_commit(files, content, common, index), files)
        return CheckpointFacts(
            path=files.path,
            name=files.name,
            format=self.name,
            commit=commit._replace(committed_at=times.committed_at if commit.met else None),
            checkpoint_id=files.name,
            step=shown,
            world_size=content.data.world_size,
            expected_ranks=content.data.expected_ranks,
            roles=roles,
            shards=content.data.shards,
            files=content.data.files + _other_files(files),
            findings=tuple(dict.fromkeys(findings)),
            loader=_loader(files, named),
            reshard=Reshard(
                True,
                "natively: dist_checkpointing reshards tensors to any parallelism",
                (RNG,) if RNG in content.keyed.per_rank else (),
            ),
            alias=is_alias_name(files.name),
            started_at=times.started_at,
            save_seconds=times.save_seconds if commit.met else None,
            declared=commit.met is True,
            size_bytes=files.tree.total_bytes(),
            not_checked=content.not_checked,
            evidence=f"step from {where}" if shown == step else "step from the directory's name",
            tensors=content.tensors,
            tensors_total=content.tensors_total,
        )


def _may_be_cut(directory: Directory) -> bool:
    """A save of ours that ended before `metadata.json`, as far as `.metadata` is there to tell."""
    if METADATA not in directory.file_names():
        return True
    return any(_holds(directory, METADATA, mark) for mark in (b"common_state", b"/shard_"))


def _holds(directory: Directory, name: str, mark: bytes) -> bool:
    """Whether the first part of a file holds the mark; an unreadable file does not."""
    try:
        with FileSource(os.path.join(directory.path, name)) as source:
            return mark in source.read_at(0, _LOOKED_AT_BYTES)
    except ArtifactError:
        return False


def _names_of(directory: Directory, text: str) -> tuple[str, ...]:
    if not text.isdigit():
        return (text,) if text == "release" else ()
    step = int(text)
    named = [n for n in directory.directory_names() if _NAME.fullmatch(n)]
    return (*(n for n in named if step_of_name(n) == step), f"iter_{step:07d}")


def _read_index(files: CheckpointFiles) -> _Index:
    if files.tree.get(INDEX) is None:
        return _Index(False, "")
    try:
        backend = read_json_object(files, INDEX).get("sharded_backend")
    except ArtifactError as error:
        return _Index(False, "", (finding_of_error(error, INDEX),))
    if backend == "torch_dist":
        return _Index(True, "torch_dist")
    unread = Finding(
        "unsupported-version",
        Severity.ERROR,
        INDEX,
        f"{INDEX} names the backend {str(backend)[:40]!r}; only torch_dist is read",
        "Convert the checkpoint to torch_dist, or judge it by hand.",
        Effect.UNKNOWN,
    )
    return _Index(True, str(backend), (unread,))


def _absent(content: DcpContent, common: CommonState, index: _Index) -> list[Finding]:
    """Parts that a committed checkpoint must have."""
    if not index.whole:
        return []
    found = []
    if not content.committed:
        found.append(missing_file(METADATA, f"{INDEX} says that the save was finished"))
    elif not common.there and content.metadata is not None:
        found.append(
            missing_file(COMMON_FILE, "no `common_state` is in `.metadata` in its stead either")
        )
    return found


def _commit(
    files: CheckpointFiles, content: DcpContent, common: CommonState, index: _Index
) -> CommitFacts:
    rewritten = content.data.rewritten
    if index.whole:
        return CommitFacts(_RULE, True, rewritten=rewritten)
    missing = INDEX if content.committed else METADATA
    if files.tree.get(INDEX) is not None:
        missing = f"a whole {INDEX}"
    finish = ""
    if content.whole and common.there and not common.inside:
        finish = _finish(files, content)
    return CommitFacts(_RULE, False, missing, rewritten=rewritten, finish=finish)


def _finish(files: CheckpointFiles, content: DcpContent) -> str:
    def quoted(name: str) -> str:
        return shlex.quote(f"{files.path}/{name}")

    rename = "" if content.committed else f"mv {quoted(METADATA_TMP)} {quoted(METADATA)} && "
    return f"{rename}printf %s {shlex.quote(_WRITTEN_BY_TORCH_DIST)} > {quoted(INDEX)}"


def _roles_of_common(content: DcpContent, common: CommonState) -> list[RoleFacts]:
    """The optimizer's moments are in the data; parameter groups alone restore nothing."""
    return [role for role in common.roles if role.role != OPTIMIZER or content.keyed.has(OPTIMIZER)]


def _is_data(path: str) -> bool:
    return path == COMMON_FILE or rank_of_data_file(path) is not None


def _other_files(files: CheckpointFiles) -> tuple[FileFacts, ...]:
    notes = {
        COMMON_FILE: (PROGRESS, "step, arguments, schedule and parameter groups"),
        METADATA: ("", "names every stored item"),
        INDEX: ("", "commit mark"),
    }
    return tuple(
        FileFacts(entry.path, entry.size_bytes, entry.mtime_ns, role=role, note=note)
        for entry in files.tree.files()
        if rank_of_data_file(entry.path) is None
        for role, note in [notes.get(entry.path, ("", ""))]
    )


def _loader(files: CheckpointFiles, step: int | None) -> LoaderFacts:
    """Megatron stops when the schedule is not in a checkpoint that has an optimizer."""
    run = os.path.dirname(files.path)
    flag = f"--load {shlex.quote(run)}"
    if step is not None and files.name != "release":
        flag += f" --ckpt-step {step}"
    return LoaderFacts(
        needs=frozenset({SCHEDULER}), flag=flag, tag=files.name, own_choice=OwnChoice.POINTER
    )
