"""How a step was committed: renamed to its final name, or marked by a file that is written last.

Rename protocol (local file systems): everything is written under `N.orbax-checkpoint-tmp`; the
rename commits. Readers look at nothing but the name. Since 0.12 markers are written inside before
the rename, those of the items with the temporary path in their text; earlier versions wrote none.
Commit-file protocol (object stores, or chosen): everything is written under its final name, and
`commit_success.txt` in the step, written last, commits. (`path/temporary_paths.py`,
`path/atomicity.py`.) A manager for local files takes a step without the marker for committed.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.artifacts.json_document import read_text
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import CommitFacts, NeighbourFacts
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.orbax.names import (
    MARKER,
    STEP_METADATA,
    TEMPORARY,
    final_name,
    is_step_name,
    is_temporary,
)
from ckpt_tui.fs import calls
from ckpt_tui.fs.paths import is_there

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.orbax.items import Item
    from ckpt_tui.formats.orbax.step_metadata import StepMetadata

RENAME = f"the directory is renamed from `*{TEMPORARY}` to its final name last (Orbax)"
COMMIT_FILE = f"`{MARKER}` is written last, under the final name (Orbax's commit-file protocol)"
_EITHER = f"renamed to its final name last, with `{MARKER}` inside (Orbax)"
_MOST_MARKERS = 64
_SIBLINGS_COMPARED = 4


class Protocol(NamedTuple):
    """How a step was, or would be, committed.

    Attributes:
        facts: The rule and whether it is met.
        evidence: What shows which of the two protocols it is.
        neighbours: What was asked about the steps beside it.
    """

    facts: CommitFacts
    evidence: str = ""
    neighbours: tuple[NeighbourFacts, ...] = ()


def commit_of(
    files: CheckpointFiles, metadata: StepMetadata, items: list[Item], *, marks: bool
) -> Protocol:
    """The commit rule of one step; for a temporary name also how to finish it by hand.

    Args:
        files: The checkpoint.
        metadata: What the step says of itself.
        items: Its items.
        marks: Whether the version that wrote it leaves markers on any file system.
    """
    if is_temporary(files.name):
        finish = _renames(files, items)
        missing = "rename to its final name"
        return Protocol(CommitFacts(RENAME, False, missing, finish=finish, skipped=True))
    committed_at = metadata.committed_at
    by_items = _protocol_of_markers(files, items)
    if files.tree.get(MARKER) is not None:
        rule = by_items or _EITHER
        return Protocol(CommitFacts(rule, True, committed_at=committed_at), f"{MARKER} is there")
    if by_items == RENAME:
        evidence = f"the items' {MARKER} name the temporary directory: it was renamed"
        return Protocol(CommitFacts(RENAME, True, committed_at=committed_at), evidence)
    if by_items == COMMIT_FILE:
        evidence = f"the items' {MARKER} name the final directory: nothing was renamed"
        return Protocol(_unmarked(files), evidence)
    if metadata.tells_commit and committed_at is None:
        evidence = f"{STEP_METADATA} has no time of a commit, which a renamed step has"
        return Protocol(_unmarked(files), evidence)
    if committed_at is not None and not marks:
        evidence = f"{STEP_METADATA} has the time of the commit"
        return Protocol(CommitFacts(RENAME, True, committed_at=committed_at), evidence)
    return _by_siblings(files)


def _unmarked(files: CheckpointFiles) -> CommitFacts:
    marker = shlex.quote(os.path.join(files.path, MARKER))
    return CommitFacts(COMMIT_FILE, False, MARKER, finish=f"touch {marker}")


def _renames(files: CheckpointFiles, items: list[Item]) -> str:
    """The renames that were still to come: items first, the step last."""
    steps = [
        (os.path.join(files.path, d), os.path.join(files.path, final_name(d)))
        for d in (item.directory.rstrip("/") for item in items if item.there)
        if is_temporary(d)
    ]
    place = os.path.dirname(files.path)
    steps.append((files.path, os.path.join(place, final_name(files.name))))
    return " && ".join(f"mv {shlex.quote(old)} {shlex.quote(new)}" for old, new in steps)


def _protocol_of_markers(files: CheckpointFiles, items: list[Item]) -> str:
    """The protocol by the paths that the items' markers name; "" where there are none."""
    for item in items[:_MOST_MARKERS]:
        path = item.directory + MARKER
        entry = files.tree.get(path) if item.directory else None
        if entry is None or entry.kind is not Kind.FILE or not entry.size_bytes:
            continue
        try:
            with files.open(path) as source:
                text = read_text(source, files.limits)
        except ArtifactError:
            continue
        if TEMPORARY in text:
            return RENAME
        if text.startswith("Checkpoint commit was successful to"):
            return COMMIT_FILE
    return ""


def _by_siblings(files: CheckpointFiles) -> Protocol:
    """Nothing in it tells: the steps beside it may; else it is as old versions renamed it."""
    asked = _beside(files)
    marked = [place for place in asked if place.there]
    if not marked:
        evidence = f"no {MARKER} here or beside it: versions before 0.12 renamed without one"
        return Protocol(CommitFacts(RENAME, True), evidence, asked)
    protocol = next(filter(None, (_of_sibling(os.path.dirname(p.path)) for p in marked)), "")
    name = os.path.basename(os.path.dirname(marked[0].path))
    if protocol == COMMIT_FILE:
        evidence = f"{name} beside it was committed by its {MARKER}"
        return Protocol(_unmarked(files), evidence, asked)
    evidence = f"{name} beside it has a {MARKER} and was renamed, as this one was"
    return Protocol(CommitFacts(RENAME, True), evidence, asked)


def _beside(files: CheckpointFiles) -> tuple[NeighbourFacts, ...]:
    """Whether the first steps beside it have a marker."""
    place = os.path.dirname(files.path)
    names = [name for name in _listed(place) if is_step_name(name) and name != files.name]
    paths = [os.path.join(place, name, MARKER) for name in sorted(names)[-_SIBLINGS_COMPARED:]]
    return tuple(NeighbourFacts(path, is_there(path)) for path in paths)


def _of_sibling(path: str) -> str:
    """The protocol that the markers of another step's items tell; "" for none."""
    for name in sorted(_listed(path))[:_MOST_MARKERS]:
        marker = os.path.join(path, name, MARKER)
        if name != MARKER and is_there(marker):
            return RENAME if TEMPORARY in _text(marker) else COMMIT_FILE
    return ""


def _listed(path: str) -> list[str]:
    try:
        with calls.scandir(path) as scan:
            return [entry.name for entry in scan]
    except OSError:
        return []


def _text(path: str) -> str:
    try:
        with FileSource(path) as source:
            return read_text(source, Limits())
    except ArtifactError:
        return ""
