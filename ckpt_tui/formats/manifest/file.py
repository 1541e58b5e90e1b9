"""Finds `manifest.json`, finished or under its temporary name, and tells what it commits."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import CommitFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.manifest.document import Document, parse_document
from ckpt_tui.formats.shared.problems import finding_of_error, staging_leftover, unopened
from ckpt_tui.formats.shared.times import SaveTimes, save_times

if TYPE_CHECKING:
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.formats.base import CheckpointFiles

MANIFEST = "manifest.json"
MANIFEST_TMP = "manifest.json.tmp"

COMMIT_RULE = "`manifest.json` is renamed into place after every file it lists was flushed"
_PEEK_BYTES = 64 * 1024
_MARKS = (b"ckpt-tui/manifest/", b'"entries"', b'"checkpoint_id"')


class FoundManifest(NamedTuple):
    """The manifest as it was found.

    Attributes:
        path: The file that was read, "" for none.
        document: Its content; None where it is absent or wrong.
    """

    path: str
    document: Document | None
    findings: tuple[Finding, ...]


def reads_like_ours(path: str) -> bool:
    """Other tools have a `manifest.json`, too; an empty or unreadable one may be ours."""
    try:
        with FileSource(path) as source:
            start = source.read_at(0, _PEEK_BYTES)
    except ArtifactError:
        return True
    return not start or any(mark in start for mark in _MARKS)


def find_manifest(files: CheckpointFiles) -> FoundManifest:
    """The manifest, or the one that still has its temporary name."""
    findings: list[Finding] = []
    path = next((name for name in (MANIFEST, MANIFEST_TMP) if files.tree.get(name)), "")
    if files.tree.get(MANIFEST_TMP) is not None:
        findings.append(staging_leftover(MANIFEST_TMP))
    entry = files.tree.get(path) if path else None
    if entry is None:
        return FoundManifest("", None, tuple(findings))
    if entry.kind is not Kind.FILE:
        findings.append(unopened(entry, "it lists what belongs to the checkpoint"))
        return FoundManifest(path, None, tuple(findings))
    try:
        with files.open(path) as source:
            document = parse_document(read_json(source, files.limits))
    except ArtifactError as error:
        # A temporary one that is cut says no more than that the save was.
        if path == MANIFEST:
            findings.append(finding_of_error(error, path))
        return FoundManifest(path, None, tuple(findings))
    return FoundManifest(path, document, tuple(findings))


def commit_of(
    files: CheckpointFiles, found: FoundManifest, document: Document, committed_at: float | None
) -> CommitFacts:
    """Whether the rule is met, and how to finish a save whose manifest lacks only its rename."""
    if found.path == MANIFEST_TMP:
        source, target = (os.path.join(files.path, name) for name in (MANIFEST_TMP, MANIFEST))
        finish = f"mv {shlex.quote(source)} {shlex.quote(target)}" if document.committed else ""
        return CommitFacts(COMMIT_RULE, False, missing=MANIFEST, finish=finish)
    if not document.committed:
        return CommitFacts(COMMIT_RULE, False, missing=f"`committed: true` in {MANIFEST}")
    return CommitFacts(COMMIT_RULE, True, committed_at=committed_at)


def times_of(files: CheckpointFiles, path: str, document: Document) -> SaveTimes:
    """Times of the save: those that the manifest stores, else what the files show."""
    listed = {entry.path for entry in document.entries}
    data = [entry for entry in files.tree.files() if entry.path in listed]
    shown = save_times(data, files.tree.get(path))
    started = document.started_at if document.started_at is not None else shown.started_at
    committed = document.committed_at if document.committed_at is not None else shown.committed_at
    if path == MANIFEST_TMP or not document.committed:
        return SaveTimes(started, None, None)
    span = committed - started if started is not None and committed is not None else None
    return SaveTimes(started, committed, span if span is None or span >= 0 else None)
