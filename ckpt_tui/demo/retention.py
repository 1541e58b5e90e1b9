"""Keep the last checkpoints of a run and remove the older ones, in an order that is safe to cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.demo.layout import saved_checkpoints
from ckpt_tui.demo.loader import resume_point
from ckpt_tui.manifest import remove_checkpoint

if TYPE_CHECKING:
    from pathlib import Path


def prune(run_directory: Path, keep: int) -> list[Path]:
    """Removes the oldest checkpoints beyond the last `keep`, never the resume point.

    Where nothing can be restored, nothing is removed.

    A sharded checkpoint loses its manifest first: a removal that dies half-way leaves an
    uncommitted one, which the next call removes.

    Returns:
        What was removed, the oldest first.
    """
    surplus = [saved.path for saved in saved_checkpoints(run_directory)[:-keep]]
    if not surplus:
        return []
    point = resume_point(run_directory)
    if point is None:
        return []
    removed = [path for path in surplus if path != point[0]]
    for path in removed:
        discard(path)
    return removed


def discard(path: Path) -> None:
    """Removes one checkpoint, sharded or plain; one that is not there is no error."""
    if path.is_dir():
        remove_checkpoint(path)
    else:
        path.unlink(missing_ok=True)
