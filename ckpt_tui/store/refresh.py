"""Looks at one checkpoint again: lists it, and reads it where it differs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.core.findings import has_effect
from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.claiming import claim_directory
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.shared.roles import synonyms_in_use
from ckpt_tui.fs import calls
from ckpt_tui.fs.listing import list_tree
from ckpt_tui.fs.paths import link_target
from ckpt_tui.store.ahead.examine import Examined, Terms, Turn
from ckpt_tui.store.ahead.turns import in_turn
from ckpt_tui.store.record import Record, Records, is_cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.store.moment import Moment
    from ckpt_tui.store.ports import FactsCache
    from ckpt_tui.store.verified import Verifications

# Two writes within one tick of a file server's clock can leave the same time and size, so facts
# read that soon after a write are read once more.
RACY_SECONDS = 2.0


class Refresher:
    """Brings records up to date, one at a time.

    Args:
        root: The searched directory, out of which no link is followed.
        records: All records.
        limits: Bounds of every read.
        cache: Facts that were read before.
        verifications: What `verify` found.

    Attributes:
        doubtful: Paths of checkpoints that are no longer what they were taken for; the search has
            to say what they are.
    """

    def __init__(
        self,
        root: str,
        records: Records,
        limits: Limits,
        cache: FactsCache,
        verifications: Verifications,
    ) -> None:
        self.doubtful: set[str] = set()
        self._root = root
        self._records = records
        self._limits = limits
        self._cache = cache
        self._verifications = verifications

    def refresh(
        self,
        record: Record,
        now: Moment,
        claimed: bool = False,
        examined: Examined | None = None,
    ) -> set[str]:
        """Lists a checkpoint and reads it where it differs; returns the directories that changed.

        Args:
            record: The checkpoint.
            now: When; not after the listing began.
            claimed: Whether its claim was made in this look.
            examined: What was listed and read of it ahead.
        """
        claim = record.claim
        tree = examined.tree if examined is not None else self._list(claim)
        if is_cut(tree, claim):
            self.doubtful.add(claim.path)
            return set()
        changed = tree != record.tree
        if changed and not claimed and not self._is_same_kind(record, tree):
            self.doubtful.add(claim.path)
            return set()
        record.growth.observe(record.tree, tree, now)
        record.second_look.looked(now, tree.newest_mtime_ns())
        doubted = record.second_look.pending
        if changed or doubted or record.racy or record.unread:
            facts = examined.facts if examined is not None else None
            changed |= self._take(record, tree, self._facts_of(claim, tree, now, facts))
            record.racy = now.wall - tree.newest_mtime_ns() / 1e9 < RACY_SECONDS
        if changed or doubted or record.open:
            return {os.path.dirname(claim.path), claim.path}
        return set()

    def in_turn(self, claims: Sequence[Claim], clock: Callable[[], Moment]) -> Iterator[Turn]:
        """Each claim with the moment, and with what was examined of it ahead where that pays."""
        unread = {
            claim for claim in claims
            if not claim.export
            and self._records[claim.path].facts is None
            and not self._cache.holds(claim.path)
        }  # fmt: skip
        return in_turn(claims, unread, Terms(self._root, self._limits, synonyms_in_use()), clock)

    def _facts_of(
        self, claim: Claim, tree: Tree, now: Moment, examined: CheckpointFacts | None
    ) -> CheckpointFacts:
        """Facts that were kept, were examined ahead, or are read now."""
        facts = self._cache.get(claim, tree) if examined is None else None
        if facts is None:
            facts = examined or read_checkpoint(claim, tree, self._limits)
            self._cache.put(claim, tree, facts, now.wall)
        return facts

    def _is_same_kind(self, record: Record, tree: Tree) -> bool:
        """False where the search has to say what the directory is now."""
        claim = record.claim
        if claim.members or tree.link_target:
            return True
        return claim_directory(claim.path, claim) == claim

    def _list(self, claim: Claim) -> Tree:
        """An export in a run's own directory has only those entries that are no checkpoints.

        What goes on in the directories beside its files is no growth of its own.
        """
        deep = not self._records.holds_run(claim)
        tree = list_tree(claim.path, claim.members, deep=deep, boundary=self._root)
        if deep:
            return tree
        own = (e for e in tree.entries if os.path.join(claim.path, e.path) not in self._records)
        entries = (e._replace(mtime_ns=0) if e.kind is Kind.DIRECTORY else e for e in own)
        return tree._replace(entries=tuple(entries))

    def _take(self, record: Record, tree: Tree, facts: CheckpointFacts) -> bool:
        """Takes in what was read under a listing; says whether the facts differ."""
        claim = record.claim
        facts = self._records.shared(facts)
        if not calls.lexists(claim.path) or (
            has_effect(facts.findings, Effect.UNKNOWN) and tree != self._list(claim)
        ):  # what was read was no longer what had been listed
            self.doubtful.add(claim.path)
        changed = record.facts != facts
        if changed:
            record.facts = facts
            self._records.neighbours.note(claim.path, facts.neighbours)
        record.tree = tree
        self._records.aim(record, "" if tree.link_target else link_target(claim.path, self._root))
        self._verifications.apply(record)
        return changed
