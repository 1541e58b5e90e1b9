"""Paths that name a checkpoint and are not the one by which it is known."""

from __future__ import annotations

from ckpt_tui.formats.discovery import discover
from ckpt_tui.fs import calls

_INDEX = ".index"


def file_of(path: str) -> str:
    """The file that stands for what a framework calls by a prefix; else the path itself.

    Args:
        path: Absolute, such as TensorFlow's `/run/ckpt-3`, of which only `/run/ckpt-3.index` is
            there.
    """
    index = path + _INDEX
    return index if calls.is_file(index) and not calls.lexists(path) else path


def checkpoint_of(path: str) -> str:
    """The path by which a checkpoint is known that is named by a prefix, or by one of its files.

    Args:
        path: Absolute; returned as it is where it is no file, or no part of one checkpoint.
    """
    path = file_of(path)
    claims = discover(path).claims if calls.is_file(path) else ()
    return claims[0].path if len(claims) == 1 else path
