"""NeMo's marker of a save or removal that is under way: `NAME-unfinished` beside `NAME[.ckpt]`.

It is made before the first byte and removed after the last, so its presence means that the
checkpoint is not committed, however whole it looks.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ckpt_tui.core.facts import CommitFacts
    from ckpt_tui.formats.base import CheckpointFiles

_SUFFIX = "-unfinished"
_RULE = f"the marker `NAME{_SUFFIX}` beside it is removed last (NeMo)"


def marker_of(path: str) -> str:
    """The name or path that the marker of a checkpoint has."""
    return path.removesuffix(".ckpt") + _SUFFIX


def markers_among(names: Iterable[str]) -> frozenset[str]:
    """The names in a directory that are markers."""
    return frozenset(name for name in names if name.endswith(_SUFFIX))


def with_marker(commit: CommitFacts, files: CheckpointFiles) -> CommitFacts:
    """The commit, not met where the marker lay beside the checkpoint when it was found."""
    if not files.claim.marker:
        return commit
    marker = marker_of(files.path)
    return commit._replace(
        rule=_RULE,
        met=False,
        missing=commit.missing or f"the removal of {os.path.basename(marker)}",
        committed_at=None,
        finish=commit.finish if commit.met is False else f"rm {shlex.quote(marker)}",
        skipped=True,
    )
