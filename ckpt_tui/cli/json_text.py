"""The JSON documents as text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ckpt_tui import __version__
from ckpt_tui.core.document import check_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.snapshot import Snapshot
    from ckpt_tui.core.vocabulary import Level


def check_json(snapshots: Sequence[Snapshot], level: Level, exit_code: int, now: float) -> str:
    """The answer of `check --json`."""
    return json_text(
        check_document(
            roots=[snapshot.root for snapshot in snapshots],
            runs=[run for snapshot in snapshots for run in snapshot.runs],
            generated_at=now,
            tool_version=__version__,
            exit_code=int(exit_code),
            level=level.value,
            problems=[problem for snapshot in snapshots for problem in _problems(snapshot)],
            world_size=next((snapshot.world_size for snapshot in snapshots), None),
            remarks=[remark for snapshot in snapshots for remark in snapshot.remarks],
        )
    )


def _problems(snapshot: Snapshot) -> tuple[tuple[str, str], ...]:
    root = ((snapshot.root, snapshot.error),) if snapshot.error else ()
    return tuple(dict.fromkeys((*root, *snapshot.problems)))


def json_text(document: object) -> str:
    """Strict JSON: no NaN, and names that are no UTF-8 as escapes."""
    return json.dumps(document, indent=1, allow_nan=False)
