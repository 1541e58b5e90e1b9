"""Reads torchsnapshot checkpoints: a directory that `.snapshot_metadata` commits and describes.

Every rank writes its data, then all meet, then rank 0 writes `.snapshot_metadata`, last but in
place (`Snapshot.take` of torchsnapshot 0.1.0): one that is cut commits nothing.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.core.facts import CheckpointFacts, CommitFacts, LoaderFacts, ShardFacts
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.vocabulary import DATALOADER, Effect, Severity
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.shared.common_facts import common_facts
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import links_and_holes
from ckpt_tui.formats.shared.names import epoch_of_name, step_of_name
from ckpt_tui.formats.shared.pointers import run_pointers
from ckpt_tui.formats.shared.problems import finding_of_error, name_disagrees
from ckpt_tui.formats.shared.shards import shard_of
from ckpt_tui.formats.shared.times import save_times
from ckpt_tui.formats.torchsnapshot.elastic import refused_shards, reshard_of
from ckpt_tui.formats.torchsnapshot.gaps import missing_entries
from ckpt_tui.formats.torchsnapshot.manifest import (
    METADATA,
    SHARED_DIRECTORIES,
    CutError,
    Snapshot,
    read_manifest,
)
from ckpt_tui.formats.torchsnapshot.roles import roles_of
from ckpt_tui.formats.torchsnapshot.stored import Stored, check_stored

if TYPE_CHECKING:
    from ckpt_tui.core.facts import RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

_RULE = f"`{METADATA}` is written last, in place, after every rank's data (torchsnapshot)"


class TorchSnapshotReader:
    """Checkpoints of `torchsnapshot.Snapshot`."""

    name = "torchsnapshot"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """By `.snapshot_metadata`, or by the directories that a save makes before it."""
        names = directory.directory_names()
        if METADATA in directory.file_names():
            return ClaimKind.CHECKPOINT
        shared = SHARED_DIRECTORIES & set(names)
        only_ours = all(n in SHARED_DIRECTORIES or n.isdecimal() for n in names)
        told = "batched" in shared or (shared and len(names) > len(shared))
        unfinished = told and only_ours and not directory.file_names()
        return ClaimKind.CHECKPOINT if unfinished else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """A snapshot is always a directory."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """The framework has none; loops keep links and texts."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        if files.tree.get(METADATA) is None:
            return _without_manifest(files, CommitFacts(_RULE, False, METADATA), ())
        try:
            snapshot = read_manifest(files)
        except CutError as error:
            commit = CommitFacts(_RULE, False, f"the rest of {METADATA}")
            return _without_manifest(files, commit, (finding_of_error(error, METADATA),))
        except ArtifactError as error:
            finding = finding_of_error(error, METADATA)
            return _without_manifest(files, CommitFacts(_RULE, True), (finding,))
        return _facts(files, snapshot)


def _without_manifest(
    files: CheckpointFiles, commit: CommitFacts, findings: tuple[Finding, ...]
) -> CheckpointFacts:
    """What can be told of a directory whose manifest is not there or cannot be read."""
    times = save_times(files.tree.files(), None)
    found = (*findings, *links_and_holes(files.tree))
    return common_facts(files, TorchSnapshotReader.name, commit)._replace(
        step=step_of_name(files.name),
        files=file_table(files.tree, {}),
        findings=found,
        loader=_loader(files),
        started_at=times.started_at,
        not_checked=(f"its content: {METADATA} alone says what belongs to it",),
    )


def _facts(files: CheckpointFiles, snapshot: Snapshot) -> CheckpointFacts:
    stored = check_stored(files, snapshot)
    told = roles_of(files, snapshot, stored.objects)
    step = told.content.step.value if told.content.step is not None else None
    named = step_of_name(files.name)
    findings = [*stored.findings, *missing_entries(snapshot), *_unknown_types(snapshot)]
    findings += [*refused_shards(snapshot), *links_and_holes(files.tree)]
    if told.content.step is not None:
        where = f"key `{told.content.step.key}`"
        findings += name_disagrees(named, step, told.content.epoch, where)
    final = step if step is not None else named
    data = [entry for entry in files.tree.files() if entry.path != METADATA]
    times = save_times(data, files.tree.get(METADATA))
    lost = tuple(role for role in (DATALOADER,) if role in told.kept_alone)
    marks = {path: Mark(role, stored.ranks.get(path)) for path, role in told.role_of_file.items()}
    commit = CommitFacts(_RULE, True)
    return common_facts(files, TorchSnapshotReader.name, commit, times)._replace(
        step=final,
        ordinal=_ordinal(told.content.epoch, files.name) if final is None else None,
        world_size=snapshot.world_size,
        expected_ranks=tuple(range(snapshot.world_size)),
        roles=told.roles,
        shards=_shards(files, snapshot, stored),
        files=file_table(files.tree, marks),
        findings=tuple(findings),
        loader=_loader(files),
        reshard=reshard_of(snapshot, lost),
        declared=True,
        not_checked=_not_checked(stored),
        evidence=f"step from key `{told.content.step.key}`" if told.content.step else "",
        tensors=told.content.tensors,
        tensors_total=told.content.tensors_total,
    )


def _loader(files: CheckpointFiles) -> LoaderFacts:
    return LoaderFacts(
        flag=f"Snapshot({json.dumps(files.path)}).restore(app_state)", tag=files.name
    )


def _ordinal(epoch: int | None, name: str) -> int | None:
    return epoch if epoch is not None else epoch_of_name(name)


def _shards(files: CheckpointFiles, snapshot: Snapshot, stored: Stored) -> tuple[ShardFacts, ...]:
    """A rank whose state is all inlined or replicated has no file of its own, and needs none."""
    owned: dict[int, list[str]] = {rank: [] for rank in sorted(snapshot.ranks)}
    for location, rank in stored.ranks.items():
        owned[rank].append(location)
    shards = []
    for rank, paths in owned.items():
        problem = next((word for path in paths if (word := stored.problem(path))), "")
        there = [entry for path in paths if (entry := files.tree.get(path)) is not None]
        shards.append(shard_of(rank, there, problem, paths=paths))
    return tuple(shards)


def _unknown_types(snapshot: Snapshot) -> list[Finding]:
    if not snapshot.unknown_types:
        return []
    kinds = ", ".join(snapshot.unknown_types[:3])
    return [
        Finding(
            "unsupported-version",
            Severity.ERROR,
            METADATA,
            f"{METADATA} has entries of a type that is not known here ({kinds}): version"
            f" {snapshot.version} wrote it",
            "Read it with a newer version of this tool.",
            Effect.UNKNOWN,
        )
    ]


def _not_checked(stored: Stored) -> tuple[str, ...]:
    unread = f"{stored.unread} archives of single objects" if stored.unread else ""
    return ("the bytes of tensors", *((unread,) if unread else ()))
