"""What the dashboard shows, as `check --json` would tell it: for its export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.cli.exit_codes import exit_code_of, worst_level
from ckpt_tui.cli.json_text import check_json
from ckpt_tui.core.thresholds import Thresholds, levels_of

if TYPE_CHECKING:
    from ckpt_tui.core.snapshot import Snapshot


def picture_json(picture: Snapshot, now: float) -> str:
    """The document of a check without limits of age or number.

    Args:
        picture: What was seen.
        now: Seconds since the epoch.
    """
    level = worst_level(levels_of(picture, Thresholds()))
    return check_json((picture,), level, exit_code_of(level), now)
