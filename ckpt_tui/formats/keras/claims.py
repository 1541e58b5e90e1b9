"""Which files and directories are checkpoints of Keras."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.hdf5.contents import read_root
from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.files import Kind
from ckpt_tui.core.siblings import plain_name
from ckpt_tui.formats.keras.names import (
    ARCHIVE,
    BACKUP_STATE,
    BACKUP_WEIGHTS,
    CONFIG,
    INNER_NUMPY,
    INNER_WEIGHTS,
    METADATA,
    PREVIOUS,
    SHARD_INDEX,
    WEIGHTS,
    WHOLE_MODEL,
    shard_base,
)

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.fs.listing import Directory

_MEMBERS = frozenset(
    {"model_weights", "optimizer_weights", "layers", "_layer_checkpoint_dependencies"}
)
_ATTRIBUTES = frozenset({"keras_version", "model_config", "layer_names"})
_MODEL = re.compile(r"model|weights|checkpoint|ckpt|epoch|snapshot|(?:^|\W)cp\W", re.IGNORECASE)
_BACKUP = frozenset({BACKUP_WEIGHTS, BACKUP_STATE})


def is_backup(names: frozenset[str]) -> bool:
    """Whether these files are what `BackupAndRestore` keeps in a directory of its own.

    Weights of that name alone are a file like any other: its JSON, or a pair before, tells.
    """
    own = {name for name in names if name.removesuffix(PREVIOUS) in _BACKUP}
    others = [name for name in names if name.endswith((ARCHIVE, *WHOLE_MODEL)) and name not in own]
    return not others and bool(own - {BACKUP_WEIGHTS}) and (own == names or BACKUP_WEIGHTS in own)


def is_unzipped(names: frozenset[str]) -> bool:
    """Whether these files are what `model.save(directory, zipped=False)` writes."""
    weights = names & {INNER_WEIGHTS, INNER_NUMPY}
    return bool(weights) and (CONFIG in names or METADATA in names)


def checkpoint_files(directory: Directory) -> tuple[tuple[str, ...], ...]:
    """Groups of files that are one checkpoint each; the first of a group names it.

    Where others of the run have an index, shards without one are parts of a save that never had
    its first shard full, and no checkpoints.
    """
    entries = [
        entry
        for entry in directory.entries
        if entry.kind is Kind.FILE and entry.link_target is None and entry.path[:1] != "."
    ]
    names = [entry.path for entry in entries]
    shards: dict[str, list[str]] = {}
    for name in names:
        base = shard_base(name)
        if base is not None:
            shards.setdefault(base, []).append(name)
    bases = [name.removesuffix(SHARD_INDEX) for name in names if name.endswith(SHARD_INDEX)]
    groups = [(f"{base}{SHARD_INDEX}", *shards.pop(base, ())) for base in bases]
    taken = {part for group in groups for part in group}
    if groups:
        taken.update(part for parts in shards.values() for part in parts)
    single = [n for n in names if n.endswith((ARCHIVE, WEIGHTS)) and n not in taken]
    return (*groups, *((name,) for name in sorted([*single, *_whole_models(directory, entries)])))


class _Kind(StrEnum):
    """What an HDF5 file that could be anybody's is by its root group."""

    KERAS = "keras"
    FOREIGN = "foreign"
    UNREADABLE = "unreadable"


def _whole_models(directory: Directory, entries: list[FileEntry]) -> list[str]:
    """Other HDF5 files: Keras's own by what their root group holds, and those named alike.

    One that cannot be read is taken for a model where its name says so.
    """
    others = [e for e in entries if e.path.endswith(WHOLE_MODEL) and not e.path.endswith(WEIGHTS)]
    kinds = {entry.path: _kind_of(directory, entry) for entry in others}
    shapes = {plain_name(name) for name, kind in kinds.items() if kind is _Kind.KERAS}
    return [
        name
        for name, kind in kinds.items()
        if kind is _Kind.KERAS
        or (kind is _Kind.UNREADABLE and (plain_name(name) in shapes or _MODEL.search(name)))
    ]


def _kind_of(directory: Directory, entry: FileEntry) -> _Kind:
    path = os.path.join(directory.path, entry.path)
    return _looked_into(path, entry.inode, entry.size_bytes, entry.mtime_ns)


@lru_cache(maxsize=4096)
def _looked_into(path: str, inode: int, size_bytes: int, mtime_ns: int) -> _Kind:
    """Looks at a file's root group once for each state of the file."""
    if not size_bytes:
        return _Kind.UNREADABLE
    try:
        with FileSource(path) as source:
            root = read_root(source, Limits())
    except ArtifactError:
        return _Kind.UNREADABLE
    mine = root.members & _MEMBERS or root.attributes & _ATTRIBUTES
    return _Kind.KERAS if mine else _Kind.FOREIGN
