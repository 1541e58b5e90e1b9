"""`last.ckpt` in its three forms: a link, a full copy, a second save of the same step.

Told `ckpt_path="last"`, Lightning takes the newest by file time of all that begin with `last`, and
starts from step 0 with no more than a warning where there is none.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.files import Kind
from ckpt_tui.formats.lightning.names import is_last_name
from ckpt_tui.formats.shared.pointers import link_pointers
from ckpt_tui.fs import calls

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.fs.listing import Directory


def last_pointers(directory: Directory) -> tuple[RawPointer, ...]:
    """Links, and the copies that are checkpoints by themselves."""
    last = [entry for entry in directory.entries if is_last_name(entry.path)]
    newest = max((_time(directory, entry) for entry in last), default=0)
    followed = {entry.path for entry in last if _time(directory, entry) == newest}
    copies = [
        RawPointer(os.path.join(directory.path, e.path), "copy", e.path, (_path(directory, e),))
        for e in last
        if e.link_target is None and e.kind in (Kind.FILE, Kind.DIRECTORY)
    ]
    return tuple(
        pointer._replace(default=os.path.basename(pointer.path) in followed)
        for pointer in (*link_pointers(directory), *copies)
    )


def _path(directory: Directory, entry: FileEntry) -> str:
    return os.path.join(directory.path, entry.path)


def _time(directory: Directory, entry: FileEntry) -> int:
    """The time of the link itself, as Lightning compares it; 0 for one that leads nowhere."""
    path = _path(directory, entry)
    try:
        return calls.lstat(path).st_mtime_ns if calls.exists(path) else 0
    except OSError:
        return 0
