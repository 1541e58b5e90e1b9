"""Where the history lies, and whether it is kept."""

from __future__ import annotations

import os

SWITCH = "CKPT_TUI_HISTORY"
"""Environment variable: "0", "off" or "no" switches the history off."""

_OFF = frozenset({"0", "off", "no", "false"})


def history_path() -> str:
    """Absolute path of the database: below ``$XDG_STATE_HOME``, else ``~/.local/state``."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        state = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "ckpt-tui", "history.sqlite")


def is_kept() -> bool:
    """Whether a history is kept at all."""
    return os.environ.get(SWITCH, "").strip().lower() not in _OFF
