"""Collect the shards of one save, and commit them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ckpt_tui.manifest.entry import ManifestEntry, ManifestError, check_crc32, check_role
from ckpt_tui.manifest.files import (
    MANIFEST_NAME,
    flush_listed,
    fsync_directory,
    plain_size,
    refuse_committed,
    shard_target,
    write_durably,
    write_shard,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from ckpt_tui.manifest.files import Piece

SCHEMA = "ckpt-tui/manifest/1"


class ManifestWriter:
    """Collects a checkpoint's entries and commits them; made by rank 0 when the save starts.

    Args:
        directory: The checkpoint's directory, one per step; made if it is not there.
        checkpoint_id: The checkpoint's identity; every shard must carry the same.
        step: The training iteration, at least 0.
        world_size: How many ranks write; each must have written something by the commit.
        asynchronous: Whether training goes on while the shards are written.

    Raises:
        ManifestError: An argument is out of range, or the directory already holds a committed
            checkpoint (call `remove_checkpoint` first: its manifest would describe
            shards that are being replaced).
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        checkpoint_id: str,
        step: int,
        world_size: int,
        asynchronous: bool = False,
    ) -> None:
        if not checkpoint_id:
            raise ManifestError("checkpoint_id is empty: give each checkpoint a name of its own")
        if step < 0:
            raise ManifestError(f"step is {step}: it must be 0 or more")
        if world_size < 1:
            raise ManifestError(f"world_size is {world_size}: it must be 1 or more")
        self._directory = Path(directory)
        refuse_committed(self._directory)
        self._directory.mkdir(parents=True, exist_ok=True)
        self._checkpoint_id = checkpoint_id
        self._step = step
        self._world_size = world_size
        self._asynchronous = asynchronous
        self._started_at = _now_utc()
        self._entries: dict[str, ManifestEntry] = {}
        self._committed = False

    def write_shard(
        self,
        role: str,
        rank: int,
        data: Piece | Iterable[Piece],
        *,
        path: str | None = None,
    ) -> ManifestEntry:
        """Writes one shard as `write_shard` does, and lists it.

        Raises:
            ManifestError: As `write_shard`; or the rank is outside the world size, or the
                path is listed already.
            OSError: The file could not be written.
        """
        self._check_rank(rank, f"the {role} shard")
        name = f"{role}-rank{rank}.bin" if path is None else path
        self._refuse_listed(name)
        entry = write_shard(
            self._directory, role, rank, data, checkpoint_id=self._checkpoint_id, path=name
        )
        self.add_entries([entry])
        return entry

    def add(
        self,
        role: str,
        path: str,
        rank: int,
        checkpoint_id: str | None = None,
        crc32: int | None = None,
    ) -> ManifestEntry:
        """Lists a file that is already written; its size is taken from the disk.

        Args:
            role: What the state is, such as `model` or `optimizer`.
            path: The file, relative to the checkpoint's directory, with forward slashes.
            rank: Who wrote it.
            checkpoint_id: The checkpoint that its writer meant it for; by default this one.
            crc32: The CRC-32 of its bytes, as `zlib.crc32` returns it, if known.

        Raises:
            ManifestError: The path leaves the directory, is no plain file or is listed already;
                or role, rank or checkpoint ID do not fit.
        """
        target = shard_target(self._directory, path)
        size_bytes = plain_size(self._directory, target)
        identity = self._checkpoint_id if checkpoint_id is None else checkpoint_id
        text = None if crc32 is None else f"{crc32 & 0xFFFFFFFF:08x}"
        entry = ManifestEntry(role, path, rank, identity, size_bytes, text)
        self.add_entries([entry])
        return entry

    def add_entries(self, entries: Iterable[ManifestEntry]) -> None:
        """Lists shards that other ranks wrote with `write_shard`.

        Raises:
            ManifestError: An entry's role, rank, path, checksum or checkpoint ID does not fit,
                or its path is listed already.
        """
        for entry in entries:
            self._check_entry(entry)
            self._entries[entry.path] = entry

    def commit(self) -> Path:
        """Commits: checks and flushes every listed file, then lets `manifest.json` appear.

        Returns:
            The manifest's path.

        Raises:
            ManifestError: A listed file is missing, empty or of another size, a rank has
                written nothing, or the checkpoint is committed already. Nothing is committed.
            OSError: Something could not be written or flushed. Nothing is committed, unless it
                was the directory's own flush, the last one, that failed.
        """
        refuse_committed(self._directory)
        if self._committed:
            raise ManifestError(f"{self._directory}: was committed by this writer, then removed")
        silent = set(range(self._world_size)) - {entry.rank for entry in self._entries.values()}
        if silent:
            raise ManifestError(
                f"{self._directory}: no entry from rank {', '.join(map(str, sorted(silent)))} of "
                f"world size {self._world_size}: add the shards of every rank before the commit"
            )
        for entry in self._entries.values():
            flush_listed(self._directory, entry)
        for parent in self._shard_directories():
            fsync_directory(parent)
        manifest = self._directory / MANIFEST_NAME
        write_durably(manifest, [self._document()])
        self._committed = True
        fsync_directory(self._directory)
        fsync_directory(self._directory.absolute().parent)
        return manifest

    def _check_entry(self, entry: ManifestEntry) -> None:
        if self._committed:
            raise ManifestError(f"{entry.path}: the checkpoint is committed; nothing can be added")
        check_role(entry.role)
        shard_target(self._directory, entry.path)
        self._check_rank(entry.rank, entry.path)
        self._refuse_listed(entry.path)
        if entry.checkpoint_id != self._checkpoint_id:
            raise ManifestError(
                f"{entry.path}: written for checkpoint {entry.checkpoint_id!r}, not for "
                f"{self._checkpoint_id!r}: shards of two saves must not be mixed"
            )
        check_crc32(entry)

    def _check_rank(self, rank: int, what: str) -> None:
        if not 0 <= rank < self._world_size:
            raise ManifestError(f"{what}: rank {rank} is outside world size {self._world_size}")

    def _refuse_listed(self, path: str) -> None:
        if path in self._entries:
            raise ManifestError(f"{path}: listed already: each shard needs a path of its own")

    def _shard_directories(self) -> list[Path]:
        """Every directory between a shard and the checkpoint, the deepest first."""
        found = {
            self._directory / parent
            for path in self._entries
            for parent in PurePosixPath(path).parents
        }
        return sorted(found, key=lambda directory: len(directory.parts), reverse=True)

    def _document(self) -> bytes:
        document = {
            "schema": SCHEMA,
            "checkpoint_id": self._checkpoint_id,
            "step": self._step,
            "world_size": self._world_size,
            "committed": True,
            "async": self._asynchronous,
            "started_at": self._started_at,
            "committed_at": _now_utc(),
            "entries": [_entry_document(entry) for entry in self._entries.values()],
        }
        return (json.dumps(document, indent=2) + "\n").encode()


def _entry_document(entry: ManifestEntry) -> dict[str, str | int]:
    return {key: value for key, value in entry._asdict().items() if value is not None}


def _now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
