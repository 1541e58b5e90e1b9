"""Reads checkpoints of loops that write `flax.serialization.to_bytes`, or msgpack, by themselves.

Nothing marks the end of such a save: a loop opens the final name and writes in place, or renames
a temporary file. The value's own end decides.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.shared.msgpack_states import read_msgpack_tree
from ckpt_tui.formats.shared.plain_groups import (
    PlainFormat,
    checkpoint_groups,
    is_one_checkpoint,
)
from ckpt_tui.formats.shared.plain_looks import NOT_READ, NOTHING, Look, looked_at
from ckpt_tui.formats.shared.plain_names import plain_name_of
from ckpt_tui.formats.shared.plain_states import PlainKind, read_plain
from ckpt_tui.formats.shared.pointers import run_pointers

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, RawPointer
    from ckpt_tui.formats.base import CheckpointFiles
    from ckpt_tui.fs.listing import Directory

_MAPS = frozenset(bytes((first,)) for first in (*range(0x80, 0x90), 0xDE, 0xDF))
"""First bytes of a map: a list is one of records, unless it is called a checkpoint."""

ENDINGS = (".msgpack", ".mpack", ".msgpk", ".mpk", ".flax")


class MsgpackFileReader:
    """msgpack files with a model, and directories of them."""

    name = "msgpack-file"

    def claims_directory(self, directory: Directory) -> ClaimKind:
        """A directory with a file for each state."""
        return ClaimKind.CHECKPOINT if is_one_checkpoint(directory, ENDINGS) else ClaimKind.NO

    def claims_files(self, directory: Directory) -> tuple[tuple[str, ...], ...]:
        """Each file that is a checkpoint, with what belongs to it."""
        return checkpoint_groups(directory, PlainFormat(ENDINGS, _look))

    def pointers(self, directory: Directory) -> tuple[RawPointer, ...]:
        """Links, and texts with a name or a step."""
        return run_pointers(directory)

    def read(self, files: CheckpointFiles) -> CheckpointFacts:
        """Reads one checkpoint."""
        return read_plain(files, _KIND)


def _is_called_checkpoint(path: str) -> bool:
    name = plain_name_of(os.path.basename(path), ENDINGS)
    return name is not None and name.of_series


def _flag(path: str) -> str:
    return f'flax.serialization.from_bytes(state, open({json.dumps(path)}, "rb").read())'


_KIND = PlainKind(
    MsgpackFileReader.name,
    ENDINGS,
    "no commit mark: each file's value has to end where the file does (msgpack)",
    read_msgpack_tree,
    _flag,
)


@lru_cache(maxsize=4096)
def _look(path: str, inode: int, size_bytes: int, mtime_ns: int) -> Look:
    """What one file holds; read once for each state of the file."""
    try:
        with FileSource(path) as source:
            start = source.read_at(0, 1)
            if start and start not in _MAPS and not _is_called_checkpoint(path):
                return NOTHING
            return looked_at(read_msgpack(source, Limits()))
    except ArtifactError:
        return NOT_READ
