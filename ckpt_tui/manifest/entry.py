"""One line of the manifest: which shard, whose, of what size."""

from __future__ import annotations

import re
from typing import NamedTuple

from ckpt_tui.core.vocabulary import ALL_ROLES

_CRC32 = re.compile(r"[0-9a-f]{8}")


class ManifestError(ValueError):
    """A manifest that no reader could trust was asked for; the message names file and remedy."""


class ManifestEntry(NamedTuple):
    """One shard of a checkpoint.

    Attributes:
        role: What the state is, one of the known roles.
        path: The file, relative to the checkpoint's directory, with forward slashes.
        rank: The writer's index, from 0.
        checkpoint_id: The checkpoint that the writer meant the shard for.
        size_bytes: The file's size.
        crc32: The CRC-32 of the file's bytes as eight hexadecimal digits, or None if unknown.
    """

    role: str
    path: str
    rank: int
    checkpoint_id: str
    size_bytes: int
    crc32: str | None = None


def check_role(role: str) -> None:
    """Refuses a role that no reader knows; a misspelt one would be missing on resume."""
    if role not in ALL_ROLES:
        raise ManifestError(f"role {role!r} is unknown: use one of {', '.join(ALL_ROLES)}")


def check_crc32(entry: ManifestEntry) -> None:
    """Refuses a checksum in another form than the manifest's."""
    if entry.crc32 is not None and not _CRC32.fullmatch(entry.crc32):
        raise ManifestError(f"{entry.path}: crc32 {entry.crc32!r} is not 8 hex digits")
