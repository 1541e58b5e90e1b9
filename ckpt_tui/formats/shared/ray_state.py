"""The state file of Ray Train, which names the checkpoints that a restored run goes on with.

Source: `checkpoint_manager_snapshot.json` of Ray Train V2 lies beside the checkpoints. It holds
`latest_checkpoint_result.checkpoint_dir_name`, and the same for each one kept in
`checkpoint_results`; a run whose kept ones are not all there is refused.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.json_document import read_json
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.files import Kind

if TYPE_CHECKING:
    from ckpt_tui.fs.listing import Directory

STATE_FILE = "checkpoint_manager_snapshot.json"

_LIMITS = Limits()
_MOST_KEPT = 10_000
_SHOWN_CHARACTERS = 80


def ray_pointers(directory: Directory) -> tuple[RawPointer, ...]:
    """What the state file names as the latest, and the first kept one that is gone."""
    entry = directory.get(STATE_FILE)
    if entry is None or entry.kind is not Kind.FILE:
        return ()
    path = os.path.join(directory.path, STATE_FILE)
    try:
        with FileSource(path) as source:
            document = read_json(source, _LIMITS)
    except ArtifactError:
        return (RawPointer(path, "text", "", (), "unreadable"),)
    if not isinstance(document, dict):
        return (RawPointer(path, "text", "", (), "unreadable"),)
    latest = _name(document.get("latest_checkpoint_result"))
    results = document.get("checkpoint_results")
    kept = [_name(r) for r in results[:_MOST_KEPT]] if isinstance(results, list) else []
    gone = [name for name in kept if name and name != latest and directory.get(name) is None]
    return tuple(
        RawPointer(path, "text", name[:_SHOWN_CHARACTERS], (os.path.join(directory.path, name),))
        for name in (latest, *gone[:1])
        if name
    )


def _name(result: object) -> str:
    """The directory's name in a result; nothing that could lead elsewhere."""
    name = result.get("checkpoint_dir_name") if isinstance(result, dict) else None
    good = isinstance(name, str) and "/" not in name and name not in ("", ".", "..")
    return name if good and isinstance(name, str) else ""
