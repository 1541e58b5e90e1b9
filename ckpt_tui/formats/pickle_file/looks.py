"""Looks into a file to see whether it is a pickle, and what it holds."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.compression import compression_of
from ckpt_tui.artifacts.limits import MIB, ArtifactError, Limits
from ckpt_tui.artifacts.pickle_arrays import sniff_pickle
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.artifacts.torch_archive import sniff_torch
from ckpt_tui.formats.pickle_file.content import content_of_pickle
from ckpt_tui.formats.shared.pickled import read_pickle_source
from ckpt_tui.formats.shared.plain_looks import NOT_READ, Look

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.fs.listing import Directory

_LIMITS = Limits(metadata_bytes=8 * MIB, pickle_opcodes=1_000_000, seconds=0.5)


@lru_cache(maxsize=4096)
def look_into(path: str, inode: int, size_bytes: int, mtime_ns: int) -> Look:
    """What one file holds; read once for each state of the file."""
    name = os.path.basename(path)
    try:
        with FileSource(path) as source:
            if not source.size:
                return NOT_READ
            if sniff_torch(source) is not None:
                return Look(True)
            pickle = read_pickle_source(source, _LIMITS)
    except ArtifactError:
        return NOT_READ
    content = content_of_pickle(pickle, name)
    return Look(True, frozenset(role.role for role in content.roles), bool(pickle.stored))


def is_torch(directory: Directory, entry: FileEntry) -> bool:
    """Whether it is a file of torch.save, whatever its ending says."""
    try:
        with FileSource(os.path.join(directory.path, entry.path)) as source:
            return sniff_torch(source) is not None
    except ArtifactError:
        return False


def is_pickle(path: str) -> bool:
    """Whether a file begins as a pickle, or as one that was compressed."""
    try:
        with FileSource(path) as source:
            return sniff_pickle(source) or compression_of(source) is not None
    except ArtifactError:
        return False
