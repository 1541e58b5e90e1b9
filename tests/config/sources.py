"""Settings as tests write them, without origins."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ckpt_tui.config.settings import Settings, Value


def held(settings: Settings) -> dict[str, Value]:
    """What is set, by table and key with a dot between."""
    return {
        f"{entry.table}.{entry.key}" if entry.table else entry.key: entry.value
        for entry in settings.entries
    }
