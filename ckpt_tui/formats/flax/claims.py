"""Which files of a directory are checkpoints of `flax.training.checkpoints`."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ckpt_tui.artifacts.limits import ArtifactError
from ckpt_tui.artifacts.msgpack_tokens import Cursor, Kind, read_token
from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.files import Kind as FileKind
from ckpt_tui.formats.flax.names import FlaxName, flax_name
from ckpt_tui.formats.shared.roles import role_of_file_name, role_of_key

if TYPE_CHECKING:
    from ckpt_tui.core.files import FileEntry
    from ckpt_tui.fs.listing import Directory

_USUAL = re.compile(r"(?:[^.]*[^a-z.])?(?:checkpoint|ckpt)s?[_-]?", re.IGNORECASE)
_WORDS = re.compile(r"ckpt|checkpoint|state|step|best|save|snapshot|flax|model", re.IGNORECASE)
_LONGEST_KEY = 1000


def checkpoint_files(directory: Directory) -> tuple[tuple[str, ...], ...]:
    """Each file of a series, and what a cut save left under its temporary name."""
    named = [
        (entry, name)
        for entry in directory.entries
        if entry.kind is FileKind.FILE
        and entry.link_target is None
        and (name := flax_name(entry.path)) is not None
    ]
    prefixes = {name.prefix for entry, name in named if _is_state(directory, entry, name)}
    return tuple(
        (entry.path,)
        for entry, name in named
        if name.prefix in prefixes or (not entry.size_bytes and _USUAL.fullmatch(name.prefix))
    )


def _is_state(directory: Directory, entry: FileEntry, name: FlaxName) -> bool:
    """Whether a file begins as a map of states does."""
    path = os.path.join(directory.path, entry.path)
    key = first_key(path, entry.inode, entry.size_bytes, entry.mtime_ns)
    if key is None:
        return False
    told = role_of_key(key) or role_of_file_name(key) or role_of_file_name(name.prefix)
    return told is not None or _WORDS.search(name.prefix) is not None


@lru_cache(maxsize=4096)
def first_key(path: str, inode: int, size_bytes: int, mtime_ns: int) -> str | None:
    """The first key of a msgpack map; None for any other file. Looked at once for each state."""
    if not size_bytes:
        return None
    try:
        with FileSource(path) as source:
            cursor = Cursor(source, 0, source.size)
            top = read_token(cursor)
            if top.kind is not Kind.MAP or not top.length:
                return None
            key = read_token(cursor)
            if key.kind is not Kind.STRING or not 0 < key.length <= _LONGEST_KEY:
                return None
            text = cursor.take(key.length).decode()
    except (ArtifactError, UnicodeDecodeError):
        return None
    return text if text.isprintable() else None
