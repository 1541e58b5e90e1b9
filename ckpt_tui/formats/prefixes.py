"""Paths that frameworks take and that are no files: TensorFlow's prefixes."""

from __future__ import annotations

from ckpt_tui.fs import calls

_INDEX = ".index"


def file_of(path: str) -> str:
    """The file by which we know what a framework calls by a prefix; else the path itself.

    Args:
        path: Absolute, such as `/run/ckpt-3`, of which only `/run/ckpt-3.index` is there.
    """
    index = path + _INDEX
    return index if calls.is_file(index) and not calls.lexists(path) else path
