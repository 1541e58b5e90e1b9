"""What is sent to the terminal's clipboard: a path as a shell word, a row as JSON."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

from ckpt_tui.core.document import checkpoint_document

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

MOST_BYTES = 74_000
"""Longer sequences are dropped by common terminals (xterm, tmux)."""


def path_word(path: str) -> str:
    r"""The path itself; where it holds characters that are no text, as a shell's `$'…'`."""
    if path.isprintable():
        return path
    return "$'" + "".join(_quoted(char) for char in path) + "'"


def _quoted(char: str) -> str:
    if char in "\\'":
        return "\\" + char
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(char))


def row_json(checkpoint: Checkpoint) -> str:
    """The checkpoint as one JSON object, as `check --json` lists it."""
    return json.dumps(checkpoint_document(checkpoint), indent=1)
