"""What the store remembers of each checkpoint, and which of them lie below which directory."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from ckpt_tui.core.vocabulary import Effect
from ckpt_tui.formats.shared.roles import synonyms_in_use
from ckpt_tui.fs.paths import directories_above
from ckpt_tui.store.assemble import Member
from ckpt_tui.store.growth import Growth

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, TensorFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.formats.shared.roles import Synonyms


class Record:
    """A checkpoint as the store remembers it.

    Args:
        claim: What it was recognised by.
        born: True where an earlier look did not show it.

    Attributes:
        tree: Its listing when it was last read.
        facts: None until it is read.
        racy: It was read so soon after a write that it is read once more.
        target: Where the checkpoint is a link that is followed: the path it leads to.
    """

    def __init__(self, claim: Claim, *, born: bool = False) -> None:
        self.claim = claim
        self.tree: Tree | None = None
        self.facts: CheckpointFacts | None = None
        self.growth = Growth(born=born)
        self.racy = False
        self.target = ""

    def take(self, claim: Claim) -> None:
        """Takes a new claim on the same path in; another one makes the facts void."""
        if claim != self.claim:
            if claim.export != self.claim.export:
                self.growth = Growth()  # other files are its own now
            self.claim = claim
            self.facts = None

    def member(self) -> Member:
        """For the judging of its run.

        Raises:
            RuntimeError: It was never read.
        """
        if self.facts is None:
            raise RuntimeError(f"{self.claim.path} was never read")
        return Member(self.facts, self.growth)

    @property
    def open(self) -> bool:
        """Whether more writes could still make it whole."""
        facts = self.facts
        if facts is None or facts.commit.met is False:
            return True
        return any(f.effect in (Effect.CORRUPT, Effect.INCOMPLETE) for f in facts.findings)


class Records(dict[str, Record]):
    """Path → record, with a count of the records below each directory.

    Attributes:
        looked: Set after a look at everything: what comes from then on was not there before.
    """

    def __init__(self) -> None:
        super().__init__()
        self.looked = False
        self._read_by = synonyms_in_use()
        self._below: Counter[str] = Counter()
        self._tensors: tuple[TensorFacts, ...] = ()

    def admit(self, claim: Claim) -> Record:
        """The record of a claim, new where its path has none."""
        record = self.get(claim.path)
        if record is None:
            record = self[claim.path] = Record(claim, born=self.looked)
            self._below.update(directories_above(claim.path))
        record.take(claim)
        return record

    def forget_facts_unless(self, read_by: Synonyms) -> bool:
        """Makes all facts void that were read by other names of roles; says whether it did."""
        if read_by == self._read_by:
            return False
        self._read_by = read_by
        for record in self.values():
            record.facts = None
        return True

    def shared(self, facts: CheckpointFacts) -> CheckpointFacts:
        """The same facts, with the last checkpoint's table of tensors where it is equal."""
        if facts.tensors == self._tensors:
            return facts._replace(tensors=self._tensors)
        self._tensors = facts.tensors
        return facts

    def forget(self, path: str) -> None:
        """Removes a record."""
        del self[path]
        self._below.subtract(directories_above(path))
        for place in directories_above(path):
            if not self._below[place]:
                del self._below[place]

    def holds_run(self, claim: Claim) -> bool:
        """Whether an export lies in a run's own directory, of which it owns the files only."""
        return claim.export and claim.path in self._below


def is_cut(tree: Tree, claim: Claim) -> bool:
    """Whether a checkpoint, or a file of it, went away since it was recognised."""
    if claim.members:
        return not tree.problems and len(tree.entries) < len(claim.members)
    return not tree.entries and not os.path.lexists(claim.path)
