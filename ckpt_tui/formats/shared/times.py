"""Times of a save, as far as files tell: an mtime marks the end of a write, not its start."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.files import FileEntry


class SaveTimes(NamedTuple):
    """Seconds since the epoch, and the span between them; None where files do not tell.

    `save_seconds` is a lower bound: the first file's write began before its mtime.
    """

    started_at: float | None
    committed_at: float | None
    save_seconds: float | None


def save_times(data: Iterable[FileEntry], marker: FileEntry | None) -> SaveTimes:
    """Times of one save.

    Args:
        data: The files of this save, those of earlier ones left out.
        marker: The file whose writing commits it; None where the newest file does.
    """
    times = [entry.mtime_ns for entry in data]
    oldest, newest = min(times, default=None), max(times, default=None)
    end = marker.mtime_ns if marker is not None else newest
    started = oldest / 1e9 if oldest is not None else None
    committed = end / 1e9 if end is not None else None
    span = None
    if oldest is not None and end is not None and end >= oldest:
        span = (end - oldest) / 1e9
    return SaveTimes(started, committed, span)
