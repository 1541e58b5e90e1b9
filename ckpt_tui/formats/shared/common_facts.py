"""What every reader says of a checkpoint in the same way: where it is, how large, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import CheckpointFacts, CommitFacts
from ckpt_tui.formats.shared.pointers import is_alias_name

if TYPE_CHECKING:
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.formats.shared.times import SaveTimes


def common_facts(
    files: CheckpointFiles, format_name: str, commit: CommitFacts, times: SaveTimes | None = None
) -> CheckpointFacts:
    """Facts to which a reader adds what it alone knows.

    Args:
        files: The checkpoint.
        format_name: Name of the reader.
        commit: The commit rule and whether it is met.
        times: Times of the save, which tell when it was committed unless it was not.
    """
    save_seconds = None
    if times is not None and commit.met is not False:
        commit = commit._replace(committed_at=times.committed_at)
        save_seconds = times.save_seconds
    return CheckpointFacts(
        path=files.path,
        name=files.name,
        format=format_name,
        commit=commit,
        checkpoint_id=files.name,
        alias=is_alias_name(files.name),
        started_at=times.started_at if times is not None else None,
        save_seconds=save_seconds,
        size_bytes=files.tree.total_bytes(),
    )
