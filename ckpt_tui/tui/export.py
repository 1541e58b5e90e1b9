"""The table as a file: CSV with the raw values, never inside the watched directory."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from typing import TYPE_CHECKING

from ckpt_tui.core.document import utc_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.runs import Run

COLUMNS = (
    "run", "format", "checkpoint", "step", "verdict", "commit", "resumable", "resume_point",
    "committed_at", "bytes", "save_seconds", "shards_present", "shards_expected", "roles", "why",
    "path",
)  # fmt: skip


def table_csv(runs: Sequence[Run]) -> str:
    """One line a checkpoint, in the order of the table; sizes in bytes, times in UTC."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for run in runs:
        for checkpoint in run.checkpoints:
            facts = checkpoint.facts
            writer.writerow(
                (
                    run.name,
                    run.format,
                    facts.name,
                    facts.step,
                    checkpoint.verdict.value,
                    checkpoint.commit.value,
                    checkpoint.resumable,
                    run.resume is not None and run.resume.path == checkpoint.path,
                    utc_text(checkpoint.committed_at),
                    facts.size_bytes,
                    facts.save_seconds,
                    checkpoint.present_shards,
                    None if facts.expected_ranks is None else len(facts.expected_ranks),
                    " ".join(sorted(facts.role_names())),
                    checkpoint.why,
                    facts.path,
                )
            )
    return out.getvalue()


def write_export(text: str, root: str, stamp: str, suffix: str = ".csv") -> str:
    """Writes it into the current directory, or where that is watched, into the temporary one.

    Args:
        text: What to write.
        root: The watched directory; "" where there is none.
        stamp: Goes into the file's name.
        suffix: Ends it.

    Returns:
        The file's path.

    Raises:
        OSError: It cannot be written, or is there already.
    """
    here, watched = os.path.realpath(os.curdir), os.path.realpath(root)
    inside = bool(root) and os.path.commonpath([here, watched]) == watched
    path = os.path.join(tempfile.gettempdir() if inside else here, f"ckpt-tui-{stamp}{suffix}")
    with open(path, "x", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)
    return path
