"""One save of a simulated job: its files, how they come to the disk, and what can go wrong."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.demo.torch_values import Hole, Piece, size_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_SPREAD = 0.2
"""Ranks end one after the other over this share of a save."""


class Save(NamedTuple):
    """What one save writes.

    Attributes:
        name: Of the checkpoint's directory.
        step: The training step.
        first: Files that are written before the data: relative path → content.
        data: Files of the ranks, in order of rank.
        last: Files that are written when all data is there, in this order.
    """

    name: str
    step: int
    first: Mapping[str, Sequence[Piece]]
    data: Mapping[str, Sequence[Piece]]
    last: Mapping[str, Sequence[Piece]]

    @property
    def size_bytes(self) -> int:
        """All data files together."""
        return sum(length(content) for content in self.data.values())


def length(content: Sequence[Piece]) -> int:
    """The size of a file, bytes."""
    return sum(map(size_of, content))


def head(content: Sequence[Piece], size_bytes: int) -> list[Piece]:
    """The first bytes of a file."""
    kept: list[Piece] = []
    for piece in content:
        taken = min(size_of(piece), size_bytes)
        kept.append(Hole(taken) if isinstance(piece, Hole) else piece[:taken])
        size_bytes -= taken
        if not size_bytes:
            break
    return kept


def cut(save: Save, path: str, share: float) -> Save:
    """The save with only the first share of one data file."""
    content = save.data[path]
    return save._replace(data={**save.data, path: head(content, int(length(content) * share))})


def without(save: Save, *paths: str) -> Save:
    """The save without some of its files."""
    first, data, last = (
        {path: content for path, content in part.items() if path not in paths}
        for part in (save.first, save.data, save.last)
    )
    return save._replace(first=first, data=data, last=last)


def write_save(run: Path, save: Save, committed_at: float, seconds: float) -> None:
    """Writes a save that is over.

    Args:
        run: The run's directory.
        save: What it holds.
        committed_at: When its last file was written, seconds since the epoch.
        seconds: How long the save took.
    """
    directory = run / save.name
    began = committed_at - seconds
    count = max(1, len(save.data))
    for path, content in save.first.items():
        write_file(directory / path, content, began)
    for place, (path, content) in enumerate(save.data.items()):
        ended = committed_at - 1.0 - seconds * _SPREAD * ((place * 7) % count) / count
        write_file(directory / path, content, ended)
    for path, content in save.last.items():
        write_file(directory / path, content, committed_at)
    set_times(directory, committed_at)


def set_times(directory: Path, at: float) -> None:
    """Sets the times of a directory and those in it; files keep theirs."""
    for place, _, _ in os.walk(directory):
        os.utime(place, (at, at))


def write_file(path: Path, content: Sequence[Piece], at: float | None = None) -> None:
    """Writes one file with its holes; `at` is its time, seconds since the epoch."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
    try:
        put(descriptor, content, 0, length(content))
    finally:
        os.close(descriptor)
    if at is not None:
        os.utime(path, (at, at))


def put(descriptor: int, content: Sequence[Piece], start: int, end: int) -> None:
    """Writes what of a file lies from byte `start` up to byte `end`, which becomes its size."""
    offset = 0
    for piece in content:
        following = offset + size_of(piece)
        if not isinstance(piece, Hole) and following > start and offset < end:
            low, high = max(start, offset), min(end, following)
            os.pwrite(descriptor, piece[low - offset : high - offset], low)
        offset = following
    os.ftruncate(descriptor, end)
