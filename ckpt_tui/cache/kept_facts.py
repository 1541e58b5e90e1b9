"""The store's cache of facts: read at once at the start, written on a thread of its own.

A cache directory can hang, be full or be somebody else's: nobody waits for a write, and a failure
is one remark, after which the session goes on without.
"""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.cache.database import CacheDatabase, CacheError, Kept, Row
from ckpt_tui.cache.listing import (
    listing_digest,
    may_be_kept,
    neighbours_are_the_same,
    terms_digest,
)
from ckpt_tui.cache.values import Decoder, Encoder
from ckpt_tui.core.plain import PlainError
from ckpt_tui.formats.shared.roles import synonyms_in_use

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.formats.shared.roles import Synonyms

_DAY_SECONDS = 86_400
_USED_AGAIN_DAYS = 7
"""A row that was of use is marked so only now and then: a start writes nothing else."""
_BATCH = 500


class _New(NamedTuple):
    """Facts that wait to be written."""

    path: str
    listing: bytes
    facts: CheckpointFacts


class KeptFacts:
    """A `ckpt_tui.store.ports.FactsCache` over a database.

    Args:
        database: Where facts are kept.
        limits: Bounds of every read, which facts depend on.

    Attributes:
        problem: Why nothing is kept in this session, or "".
    """

    def __init__(self, database: CacheDatabase, limits: Limits) -> None:
        self.problem = ""
        self._database = database
        self._limits = limits
        self._read_by: Synonyms | None = None
        self._terms = b""
        self._day = 0
        self._rows: dict[str, Row] = {}
        self._decoder = Decoder({})
        self._digest: tuple[Claim, Tree, bytes] | None = None
        self._new: list[_New] = []
        self._used: list[bytes] = []
        self._writer: threading.Thread | None = None

    @property
    def remarks(self) -> tuple[tuple[str, str], ...]:
        """(path, reason) where the cache cannot be used."""
        return ((self._database.path, self.problem),) if self.problem else ()

    def load(self, root: str) -> None:
        """Reads all rows at a path and below it."""
        self._read_by = synonyms_in_use()
        self._terms = terms_digest(self._limits, self._read_by)
        self._day = int(time.time() // _DAY_SECONDS)
        try:
            kept = self._database.below(root, self._terms)
            self._rows = {os.fsdecode(row.path): row for row in kept.rows}
            self._decoder = Decoder(dict(kept.tensors))
        except (CacheError, TypeError) as error:  # another program may have put anything into it
            self.problem = str(error)

    def holds(self, path: str) -> bool:
        """Whether there is a row of that path."""
        return path in self._rows

    def get(self, claim: Claim, tree: Tree) -> CheckpointFacts | None:
        """The facts that were read under this very listing; each row answers once."""
        row = self._rows.pop(claim.path, None)
        if row is None or synonyms_in_use() != self._read_by:
            return None
        if row.listing != self._digest_of(claim, tree):
            return None
        try:
            facts = self._decoder.decode(row.facts, row.tensors)
        except PlainError:
            return None
        if facts.path != claim.path or not neighbours_are_the_same(facts):
            return None
        if self._day - row.used_day >= _USED_AGAIN_DAYS:
            self._used.append(row.path)
        return facts

    def put(
        self, claim: Claim, tree: Tree, facts: CheckpointFacts, looked_at_seconds: float
    ) -> None:
        """Takes what was read, to be written with the next `flush`."""
        if self.problem or synonyms_in_use() != self._read_by:
            return
        if not may_be_kept(claim, tree, facts, looked_at_seconds):
            return
        digest = self._digest_of(claim, tree)
        if digest:
            self._new.append(_New(claim.path, digest, facts))

    def flush(self) -> None:
        """Begins to write; what comes while a write lasts waits for the next call."""
        self._rows = {}
        self._decoder = Decoder({})
        self._digest = None
        busy = self._writer is not None and self._writer.is_alive()
        if busy or self.problem or not (self._new or self._used):
            return
        new, used = self._new, self._used
        self._new, self._used = [], []
        work = threading.Thread(target=self._write, args=(new, used), name="cache", daemon=True)
        self._writer = work
        work.start()

    def finish(self, seconds: float) -> None:
        """Writes what is left, and waits for that so long."""
        until = time.monotonic() + seconds
        for _ in range(2):  # a write that lasts, and what came meanwhile
            if self._writer is not None:
                self._writer.join(max(0.0, until - time.monotonic()))
            self.flush()
        if self._writer is not None:
            self._writer.join(max(0.0, until - time.monotonic()))

    def _digest_of(self, claim: Claim, tree: Tree) -> bytes:
        """The digest of a listing; that of the last one is known."""
        known = self._digest
        if known is None or known[0] != claim or known[1] is not tree:
            known = self._digest = (claim, tree, listing_digest(claim, tree))
        return known[2]

    def _write(self, new: list[_New], used: list[bytes]) -> None:
        day = int(time.time() // _DAY_SECONDS)
        encoder = Encoder()
        try:
            for start in range(0, len(new), _BATCH):
                batch = _encoded(new[start : start + _BATCH], encoder, day)
                self._database.keep(batch, self._terms)
            self._database.used(used, day)
            self._database.trim(day)
        except CacheError as error:
            self.problem = str(error)


def _encoded(batch: list[_New], encoder: Encoder, day: int) -> Kept:
    rows: list[Row] = []
    tensors: dict[bytes, bytes] = {}
    for path, listing, facts in batch:
        packed = encoder.encode(facts)
        rows.append(Row(os.fsencode(path), listing, packed.facts, packed.tensors_key, day))
        if packed.tensors_key:
            tensors[packed.tensors_key] = packed.tensors
    return Kept(tuple(rows), tuple(tensors.items()))
