"""Our own format: `manifest.json` lists every file, and is renamed into place last."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import (
    CheckpointFacts,
    CommitFacts,
    LoaderFacts,
    RawPointer,
    Reshard,
    RoleFacts,
)
from ckpt_tui.core.files import Kind
from ckpt_tui.core.text import plural
from ckpt_tui.core.vocabulary import ALL_ROLES, CONFIG, MODEL, OPTIMIZER
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.manifest.check import (
    check_entries,
    check_ranks,
    compare,
    expected_ranks,
    shards_of,
    waiting_shards,
)
from ckpt_tui.formats.manifest.file import (
    COMMIT_RULE,
    MANIFEST,
    MANIFEST_TMP,
    FoundManifest,
    commit_of,
    find_manifest,
    reads_like_ours,
    times_of,
)
from ckpt_tui.formats.shared.bounds import bounded_world_size
from ckpt_tui.formats.shared.file_table import Mark, file_table
from ckpt_tui.formats.shared.links_and_holes import hollow_files, links_out
from ckpt_tui.formats.shared.names import step_of_name
from ckpt_tui.formats.shared.pointers import is_alias_name, run_pointers
from ckpt_tui.formats.shared.problems import extra_shard, name_disagrees, staging_leftover
from ckpt_tui.formats.shared.role_merge import merge_roles
from ckpt_tui.formats.shared.roles import role_of_file_name
from ckpt_tui.formats.shared.times import save_times

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.manifest.document import Document, Entry
    from ckpt_tui.fs.listing import Directory

NAME = "manifest"

_SHARD = re.compile(rf"(?:{'|'.join(ALL_ROLES)})-rank\d{{1,9}}\.bin(?:\.tmp)?")
_RANK = re.compile(r"-rank(\d{1,9})\b")


class ManifestReader:
    """Reads checkpoints that `ckpt_tui.manifest`, or a loop of its kind, wrote."""

    name = NAME

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with `manifest.json`, finished or not, that reads like one of ours.

        Before the manifest there are only shards, by the names that our writer gives them.
        """
        for name in (MANIFEST, MANIFEST_TMP):
            entry = directory.get(name)
            if entry is not None and entry.kind in (Kind.FILE, Kind.LINK):
                ours = reads_like_ours(os.path.join(directory.path, name))
                return ClaimKind.CHECKPOINT if ours else ClaimKind.NO
        names = directory.file_names()
        begun = bool(names) and all(_SHARD.fullmatch(name) for name in names)
        return ClaimKind.CHECKPOINT if begun else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """A checkpoint of this format is always a directory."""
        return ()

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """`latest`, a text or a link."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint, or what there is of one without a manifest."""
        found = find_manifest(files)
        document = found.document
        if document is None:
            return _without_document(files, found)
        document = document._replace(checkpoint_id=document.checkpoint_id or files.name)
        compared = compare(files.tree, document)
        findings = (
            *found.findings,
            *check_entries(compared, document),
            *check_ranks(document),
            *_unlisted(files, document),
            *links_out(files.tree),
            *hollow_files(files.tree),
            *name_disagrees(step_of_name(files.name), document.step, None, f"`{found.path}`"),
        )
        times = times_of(files, found.path, document)
        return CheckpointFacts(
            path=files.path,
            name=files.name,
            format=NAME,
            commit=commit_of(files, found, document, times.committed_at),
            checkpoint_id=document.checkpoint_id,
            step=_step(files, document),
            world_size=document.world_size,
            expected_ranks=expected_ranks(document),
            roles=_roles(files, document, found.path),
            shards=shards_of(compared, document),
            files=file_table(files.tree, _marks(document)),
            findings=findings,
            loader=_loader(files),
            reshard=_reshard(document),
            alias=is_alias_name(files.name),
            save_mode=_save_mode(document),
            started_at=times.started_at,
            save_seconds=times.save_seconds,
            save_seconds_is_lower_bound=document.started_at is None,
            declared=True,
            size_bytes=files.tree.total_bytes(),
            not_checked=_not_checked(document),
        )


def _without_document(files: CheckpointFiles, found: FoundManifest) -> CheckpointFacts:
    """A save whose manifest is not there (yet), or cannot be read: names are all there is."""
    there = found.path == MANIFEST
    times = save_times(files.tree.files(), None)
    marks = {
        entry.path: Mark(role_of_file_name(entry.path.rpartition("/")[2]) or "", _rank(entry.path))
        for entry in files.tree.files()
        if not entry.path.startswith(MANIFEST)
    }
    shards = waiting_shards(files.tree, _rank)
    ranks = [rank for entry in files.tree.files() if (rank := _rank(entry.path)) is not None]
    highest = max(ranks) + 1 if ranks else None
    world_size, absurd = bounded_world_size(highest, "the names of the shards")
    return CheckpointFacts(
        path=files.path,
        name=files.name,
        format=NAME,
        commit=CommitFacts(
            COMMIT_RULE,
            there,
            missing="" if there else MANIFEST,
            committed_at=times.committed_at if there else None,
            # A loop that writes it in place may be at it still.
            rewritten=there,
        ),
        checkpoint_id=files.name,
        step=step_of_name(files.name),
        expected_ranks=tuple(range(world_size)) if world_size is not None else None,
        shards=shards,
        files=file_table(files.tree, marks),
        findings=(*found.findings, *absurd, *links_out(files.tree)),
        loader=_loader(files),
        alias=is_alias_name(files.name),
        started_at=times.started_at,
        size_bytes=files.tree.total_bytes(),
    )


def _step(files: CheckpointFiles, document: Document) -> int | None:
    if document.step is not None:
        return document.step
    named = step_of_name(document.checkpoint_id)
    return step_of_name(files.name) if named is None else named


def _roles(files: CheckpointFiles, document: Document, path: str) -> tuple[RoleFacts, ...]:
    there = {entry.path for entry in files.tree.files()}
    present: dict[str, list[Entry]] = {}
    for entry in document.entries:
        if entry.path in there:
            present.setdefault(entry.role, []).append(entry)
    return merge_roles(_role(role, entries, path) for role, entries in present.items())


def _role(role: str, entries: list[Entry], path: str) -> RoleFacts:
    paths = tuple(dict.fromkeys([entry.path for entry in entries]))
    size_bytes = sum([entry.size_bytes for entry in entries])
    evidence = f"role `{role}` in {path}"
    identity = entries[0].checkpoint_id or ""
    return RoleFacts(role, size_bytes, len(paths), evidence, identity=identity, paths=paths)


def _unlisted(files: CheckpointFiles, document: Document) -> tuple[Finding, ...]:
    """Shards that lie beside the listed ones, and files that never got their final name."""
    listed = {entry.path for entry in document.entries}
    others = [entry.path for entry in files.tree.files() if entry.path not in listed]
    cut = [path for path in others if path.endswith(".tmp") and path != MANIFEST_TMP]
    extra = [path for path in others if _rank(path) is not None and path not in cut]
    found = [staging_leftover(path) for path in cut[:1]]
    if extra and document.entries:
        found.append(extra_shard(extra, f"`{MANIFEST}`"))
    return tuple(found)


def _marks(document: Document) -> dict[str, Mark]:
    marks = {entry.path: Mark(entry.role, entry.rank) for entry in document.entries}
    return {MANIFEST: Mark(CONFIG), MANIFEST_TMP: Mark(CONFIG)} | marks


def _rank(path: str) -> int | None:
    found = _RANK.search(path.rpartition("/")[2])
    return int(found[1]) if found else None


def _loader(files: CheckpointFiles) -> LoaderFacts:
    return LoaderFacts(needs=frozenset({MODEL, OPTIMIZER}), flag=files.path, tag=files.name)


def _reshard(document: Document) -> Reshard | None:
    if document.reshard is None:
        return None
    return Reshard(document.reshard, "as the manifest says")


def _save_mode(document: Document) -> str | None:
    if document.asynchronous is None:
        return None
    return "async" if document.asynchronous else "sync"


def _not_checked(document: Document) -> tuple[str, ...]:
    summed = sum(entry.crc32 is not None for entry in document.entries)
    sums = f" (the manifest has CRC-32 sums of {plural(summed, 'file')})" if summed else ""
    return (f"the bytes of the shards{sums}",)
