"""Formats known by name but not read: silence about them would say "no checkpoint yet"."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.formats.shared.names import has_number

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKS = (
    ("-symbol.json", "MXNet"),
    (".solverstate", "Caffe"),
    (".caffemodel", "Caffe"),
)


def unread_format(names: Iterable[str]) -> str:
    """Name of a format that these names in a directory are of and that is not read; else ""."""
    text = "\n".join(names)
    return next((label for mark, label in _MARKS if mark in text), "")


def unread_problems(unread: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """(absolute path, reason) of what is not read; all steps of a run are told once.

    Args:
        unread: (absolute path, name of the format) of each directory.
    """
    told: dict[tuple[str, str], None] = {}
    for path, label in unread:
        run = os.path.dirname(path) if has_number(os.path.basename(path)) else path
        told[run, f"looks like {label} checkpoints, which this version does not read"] = None
    return tuple(told)
