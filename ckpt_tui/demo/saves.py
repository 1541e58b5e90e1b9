"""How a rank writes its part of a checkpoint, at the pace of a real one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import MODEL, REQUIRED_ROLES
from ckpt_tui.demo.content import ONE_RANK_ROLES, plain_pieces, shard_name, shard_pieces
from ckpt_tui.demo.orders import CommitOrder, Reply, SaveOrder
from ckpt_tui.demo.plan import MANIFEST
from ckpt_tui.demo.torch_like import rechunk
from ckpt_tui.manifest import ManifestEntry, ManifestError, ManifestWriter, write_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_CHUNKS_PER_SAVE = 24
_STALL_AT = 0.5


class RankSaver:
    """Carries out one rank's orders.

    Args:
        sleep: Waits for some seconds; a rank that is a thread may raise there to die.
        die: Ends the rank at once, half-written files and all.
    """

    def __init__(self, sleep: Callable[[float], object], die: Callable[[], object]) -> None:
        self._sleep = sleep
        self._die = die
        self._writer: ManifestWriter | None = None

    def carry_out(self, order: SaveOrder | CommitOrder) -> Reply:
        """Does what the order says; what goes wrong with files is answered, not raised."""
        try:
            if isinstance(order, CommitOrder):
                self._commit(order)
                return Reply()
            if order.checkpoint_format == MANIFEST:
                return Reply(tuple(self._save_shards(order)))
            self._save_plain(order)
        except (OSError, ManifestError) as error:
            return Reply(error=str(error))
        return Reply()

    def _save_shards(self, order: SaveOrder) -> list[ManifestEntry]:
        identity, directory = order.identity, Path(order.target)
        if identity.rank == 0:
            self._writer = ManifestWriter(
                directory,
                checkpoint_id=directory.name,
                step=identity.step,
                world_size=identity.world_size,
            )
        files = {
            role: shard_pieces(role, identity)
            for role in ((MODEL,) if order.weights_only else REQUIRED_ROLES)
            if identity.rank == 0 or role not in ONE_RANK_ROLES
        }
        pace = self._pace(order, sum(len(piece) for pieces in files.values() for piece in pieces))
        return [
            write_shard(
                directory,
                role,
                identity.rank,
                pace.spread(pieces),
                checkpoint_id=directory.name,
                path=shard_name(role, identity.rank),
            )
            for role, pieces in files.items()
        ]

    def _commit(self, order: CommitOrder) -> None:
        if self._writer is None:
            raise ManifestError("commit before any save")
        self._writer.add_entries(order.entries)
        self._writer.commit()

    def _save_plain(self, order: SaveOrder) -> None:
        target = Path(order.target)
        pieces = plain_pieces(order.identity, target.stem, weights_only=order.weights_only)
        pace = self._pace(order, sum(map(len, pieces)))
        written = target if order.in_place else target.with_name(target.name + ".tmp")
        with written.open("wb") as stream:
            for chunk in pace.spread(pieces):
                stream.write(chunk)
                stream.flush()
            if not order.in_place:
                os.fsync(stream.fileno())
        if not order.in_place:
            written.replace(target)

    def _pace(self, order: SaveOrder, total_bytes: int) -> _Pace:
        return _Pace(order, total_bytes, self._sleep, self._die)


class _Pace:
    """Spreads a save over its time, and lets it stall or die on the way."""

    def __init__(
        self,
        order: SaveOrder,
        total_bytes: int,
        sleep: Callable[[float], object],
        die: Callable[[], object],
    ) -> None:
        self._seconds_per_byte = order.seconds / total_bytes
        self._chunk_bytes = total_bytes // _CHUNKS_PER_SAVE + 1
        self._die_at_bytes = None if order.die_at is None else order.die_at * total_bytes
        self._stall_at_bytes = _STALL_AT * total_bytes
        self._stall_seconds = order.stall_seconds
        self._sleep = sleep
        self._die = die
        self._written_bytes = 0

    def spread(self, pieces: list[bytes]) -> Iterator[bytes]:
        """One file's bytes, chunk by chunk, each when its time has come."""
        for chunk in rechunk(pieces, self._chunk_bytes):
            if self._die_at_bytes is not None and self._written_bytes >= self._die_at_bytes:
                self._die()
            if self._stall_seconds and self._written_bytes >= self._stall_at_bytes:
                self._sleep(self._stall_seconds)
                self._stall_seconds = 0.0
            self._sleep(len(chunk) * self._seconds_per_byte)
            yield chunk
            self._written_bytes += len(chunk)
