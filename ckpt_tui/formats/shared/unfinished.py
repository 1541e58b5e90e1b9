"""NeMo's marker of a save or removal that is under way: `NAME-unfinished` beside `NAME[.ckpt]`.

It is made before the first byte and removed after the last, so its presence means that the
checkpoint is not committed, however whole it looks.
"""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CommitFacts
    from ckpt_tui.formats.base import CheckpointFiles

_SUFFIX = "-unfinished"
_RULE = f"the marker `NAME{_SUFFIX}` beside it is removed last (NeMo)"


def with_marker(commit: CommitFacts, files: CheckpointFiles) -> CommitFacts:
    """The commit, not met where the marker lies beside the checkpoint."""
    marker = files.path.removesuffix(".ckpt") + _SUFFIX
    if not os.path.lexists(marker):
        return commit
    return commit._replace(
        rule=_RULE,
        met=False,
        missing=commit.missing or f"the removal of {os.path.basename(marker)}",
        committed_at=None,
        finish=commit.finish if commit.met is False else f"rm {shlex.quote(marker)}",
    )
