"""Which pickles of a directory are checkpoints: content decides, names only where it cannot."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.shared.series import series_step

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.formats.shared.plain_looks import Look
    from ckpt_tui.fs.listing import Directory

_PLAIN_ENDINGS = (".pkl", ".pickle", ".pckl")
_OPENED_BY = {
    ".gz": "gzip.open",
    ".bz2": "bz2.open",
    ".xz": "lzma.open",
    ".lzma": "lzma.open",
    ".zst": "zstd.open",
}
_SHORT_ENDINGS = {".pklz": "gzip.open", ".pbz2": "bz2.open"}
ENDINGS = (*_PLAIN_ENDINGS, *(p + c for p in _PLAIN_ENDINGS for c in _OPENED_BY), *_SHORT_ENDINGS)
"""Endings of pickles; a torch file may have the first, too."""

NO_ENDING = ("",)
_WITHOUT_ENDING = re.compile(r"(?:ckpt|checkpoint|train_state|state|step)[_-]?\d{1,18}")
_MOST_SAMPLED = 1000
_LOOKED_AT_EACH = 4
"""Files of one shape of name that are looked into; more of a data set need not be."""


def has_pickle_ending(name: str) -> bool:
    """Whether a file's ending says pickle."""
    return name.endswith(ENDINGS)


def opener_of(path: str) -> str:
    """The call that opens a file of that name, decompressed where it is compressed."""
    known = {**_OPENED_BY, **_SHORT_ENDINGS}
    return next((call for ending, call in known.items() if path.endswith(ending)), "open")


def checkpoint_files(directory: Directory) -> tuple[tuple[str, ...], ...]:
    """Groups of files that are one checkpoint each; the first of a group names it."""
    if any(ending in entry.path for ending in ENDINGS for entry in directory.entries):
        return _with_endings(directory)
    bare = [e for e in _files(directory) if _WITHOUT_ENDING.fullmatch(e.path)]
    return tuple((entry.path,) for entry in bare if entry.size_bytes and _is_state(directory, bare))


def _with_endings(directory: Directory) -> tuple[tuple[str, ...], ...]:
    from ckpt_tui.formats.pickle_file.looks import is_torch, look_into
    from ckpt_tui.formats.shared.plain_groups import PlainFormat, checkpoint_groups

    entries = [e for e in _files(directory) if has_pickle_ending(e.path)]
    torch = {plain_name(e.path) for e in _sample(entries) if is_torch(directory, e)}
    passed = torch | _data_sets(directory, entries)
    left = directory._replace(
        entries=tuple(e for e in directory.entries if plain_name(e.path) not in passed)
    )
    return checkpoint_groups(left, PlainFormat(ENDINGS, look_into))


def _sample(entries: list[FileEntry]) -> list[FileEntry]:
    """All files; of very many a few of each shape of name, the most frequent shapes first."""
    if len(entries) <= _MOST_SAMPLED:
        return entries
    shapes: dict[str, list[FileEntry]] = {}
    for entry in entries:
        shapes.setdefault(plain_name(entry.path), []).append(entry)
    groups = sorted(shapes.values(), key=len, reverse=True)
    return [e for group in groups for e in group[:_LOOKED_AT_EACH]][:_MOST_SAMPLED]


def _files(directory: Directory) -> list[FileEntry]:
    return [e for e in directory.entries if e.kind is Kind.FILE and e.link_target is None]


def _data_sets(directory: Directory, entries: list[FileEntry]) -> set[str]:
    """Shapes of names under which there are many files, of which the first ones are no states."""
    shapes: dict[str, list[FileEntry]] = {}
    for entry in entries:
        shapes.setdefault(plain_name(entry.path), []).append(entry)
    found: set[str] = set()
    for shape, group in shapes.items():
        if len(group) <= _LOOKED_AT_EACH or series_step(group[0].path) is not None:
            continue
        looks = [_look(directory, e) for e in group[:_LOOKED_AT_EACH]]
        if all(look.readable and not look.roles for look in looks):
            found.add(shape)
    return found


def _look(directory: Directory, entry: FileEntry) -> Look:
    from ckpt_tui.formats.pickle_file.looks import look_into

    path = os.path.join(directory.path, entry.path)
    return look_into(path, entry.inode, entry.size_bytes, entry.mtime_ns)


def _is_state(directory: Directory, group: list[FileEntry]) -> bool:
    """Whether files without an ending are pickles of states: one of the newest is enough."""
    from ckpt_tui.formats.pickle_file.looks import is_pickle

    newest = sorted(group, key=lambda e: e.mtime_ns, reverse=True)[:_LOOKED_AT_EACH]
    mine = [e for e in newest if is_pickle(os.path.join(directory.path, e.path))]
    return any(_look(directory, entry).is_state for entry in mine)


def is_split(directory: Directory) -> bool:
    """Whether a directory holds one pickle for each state: `params.pkl`, `opt_state.pkl`."""
    mine = [name for name in directory.file_names() if has_pickle_ending(name)]
    if not mine:
        return False
    from ckpt_tui.formats.pickle_file.looks import is_pickle
    from ckpt_tui.formats.shared.plain_groups import is_one_checkpoint

    return is_one_checkpoint(directory, ENDINGS) and any(
        is_pickle(os.path.join(directory.path, name)) for name in mine
    )
