"""Reads checkpoints of loops that write `flax.serialization.to_bytes`, or msgpack, by themselves.

Nothing marks the end of such a save: a loop opens the final name and writes in place, or renames
a temporary file. The value's own end decides.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.formats.shared.msgpack_states import read_msgpack_tree
from ckpt_tui.formats.shared.plain_groups import PlainFormat
from ckpt_tui.formats.shared.plain_looks import NOT_READ, NOTHING, Look, looked_at
from ckpt_tui.formats.shared.plain_names import plain_name_of
from ckpt_tui.formats.shared.plain_reader import PlainReader
from ckpt_tui.formats.shared.plain_states import PlainKind

_MAPS = frozenset(bytes((first,)) for first in (*range(0x80, 0x90), 0xDE, 0xDF))
"""First bytes of a map: a list is one of records, unless it is called a checkpoint."""

ENDINGS = (".msgpack", ".mpack", ".msgpk", ".mpk", ".flax")


def _is_called_checkpoint(path: str) -> bool:
    name = plain_name_of(os.path.basename(path), ENDINGS)
    return name is not None and name.of_series


def _flag(path: str) -> str:
    return f'flax.serialization.from_bytes(state, open({json.dumps(path)}, "rb").read())'


_KIND = PlainKind(
    "msgpack-file",
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


class MsgpackFileReader(PlainReader):
    """msgpack files with a model, and directories of them."""

    def __init__(self) -> None:
        super().__init__(PlainFormat(ENDINGS, _look), _KIND)
