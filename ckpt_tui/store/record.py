"""What the store remembers of each checkpoint, and which of them lie below which directory."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.core.verified_findings import with_verified
from ckpt_tui.core.vocabulary import MODEL, Effect
from ckpt_tui.formats.shared.roles import synonyms_in_use
from ckpt_tui.fs import calls
from ckpt_tui.fs.paths import directories_above
from ckpt_tui.store.growth import Growth
from ckpt_tui.store.members import Member
from ckpt_tui.store.neighbours import Neighbours
from ckpt_tui.store.second_look import SecondLook

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts, TensorFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.core.verified import VerifiedFacts
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.formats.shared.roles import Synonyms

_TRANSIENT = ("io-error", "permission-denied")
"""Codes of what a listing does not show: an answer that failed, a permission that was given."""


class Record:
    """A checkpoint as the store remembers it.

    Args:
        claim: What it was recognised by.
        born: True where an earlier look did not show it.

    Attributes:
        directory: The one that it lies in.
        tree: Its listing when it was last read.
        facts: None until it is read.
        racy: It was read so soon after a write that it is read once more.
        target: Where the checkpoint is a link that is followed: the path it leads to.
        verified: What `verify` found of its files as they are listed in `tree`.
    """

    def __init__(self, claim: Claim, *, born: bool = False) -> None:
        self.claim = claim
        self.directory = os.path.dirname(claim.path)
        self.tree: Tree | None = None
        self.facts: CheckpointFacts | None = None
        self.growth = Growth(born=born)
        self.second_look = SecondLook()
        self.racy = False
        self.target = ""
        self.verified: VerifiedFacts | None = None
        self._told: tuple[CheckpointFacts, VerifiedFacts, CheckpointFacts] | None = None

    def take(self, claim: Claim) -> None:
        """Takes a new claim on the same path in; another one makes the facts void."""
        if claim != self.claim:
            if claim.export != self.claim.export:
                self.growth = Growth()  # other files are its own now
                self.second_look = SecondLook()
            self.claim = claim
            self.facts = None

    def member(self) -> Member:
        """For the judging of its run.

        Raises:
            RuntimeError: It was never read.
        """
        if self.facts is None:
            raise RuntimeError(f"{self.claim.path} was never read")
        return Member(self._with_verified(self.facts), self.growth, self.second_look)

    def _with_verified(self, facts: CheckpointFacts) -> CheckpointFacts:
        """Facts with what was verified; the same object as long as both are as they were."""
        verified, told = self.verified, self._told
        if verified is None:
            return facts
        if told is None or told[0] is not facts or told[1] is not verified:
            told = self._told = (facts, verified, with_verified(facts, verified))
        return told[2]

    @property
    def unread(self) -> bool:
        """Whether it has to be read though its listing is the same: what failed may work by now."""
        findings = self.facts.findings if self.facts is not None else ()
        failed = any(f.effect is Effect.UNKNOWN and f.code in _TRANSIENT for f in findings)
        return self.facts is None or failed

    @property
    def open(self) -> bool:
        """Whether more writes could still make it whole."""
        facts = self.facts
        if facts is None or facts.commit.met is False or facts.role(MODEL) is None:
            return True
        return any(f.effect in (Effect.CORRUPT, Effect.INCOMPLETE) for f in facts.findings)


class Records(dict[str, Record]):
    """Path → record, by the directories that hold them and by the runs that they belong to.

    Args:
        root: The searched directory, which may be a checkpoint itself.

    Attributes:
        looked: Set after a look at everything: what comes from then on was not there before.
        neighbours: What facts depend on outside their checkpoint.
    """

    def __init__(self, root: str) -> None:
        super().__init__()
        self.looked = False
        self.neighbours = Neighbours()
        self._root = root
        self._in: dict[str, dict[str, Record]] = {}
        self._targets: Counter[str] = Counter()
        self._read_by = synonyms_in_use()
        self._below: Counter[str] = Counter()
        self._tensors: tuple[TensorFacts, ...] = ()

    def admit(self, claim: Claim) -> Record:
        """The record of a claim, new where its path has none."""
        record = self.get(claim.path)
        if record is None:
            record = self[claim.path] = Record(claim, born=self.looked)
            self._below.update(directories_above(claim.path))
            self._in.setdefault(record.directory, {})[claim.path] = record
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
        record = self.pop(path)
        self.neighbours.forget(path)
        self.aim(record, "")
        beside = self._in[record.directory]
        del beside[path]
        if not beside:
            del self._in[record.directory]
        self._below.subtract(directories_above(path))
        for place in directories_above(path):
            if not self._below[place]:
                del self._below[place]

    def holds_run(self, claim: Claim) -> bool:
        """Whether an export lies in a run's own directory, of which it owns the files only."""
        return claim.export and claim.path in self._below

    def aim(self, record: Record, target: str) -> None:
        """Notes where a checkpoint that is a link leads; "" for one that is none."""
        if target != record.target:
            self._targets.subtract([record.target])
            self._targets[target] += 1
            record.target = target
            self._targets = +self._targets

    @property
    def linked(self) -> frozenset[str]:
        """What links lead to: counted where it is linked, not where it lies."""
        return frozenset(self._targets) - {""}

    def run_path(self, record: Record) -> str:
        """The directory of a checkpoint's run: its own where it is the root or holds the run."""
        path = record.claim.path
        if path == self._root or self.holds_run(record.claim):
            return path
        return record.directory

    def run_paths(self) -> set[str]:
        """The directories of all runs."""
        return {self.run_path(record) for record in self.values()}

    def of_run(self, run_path: str) -> list[Record]:
        """The checkpoints whose run's directory that is."""
        own = self.get(run_path)
        inside = self._in.get(run_path, {})
        there = [*inside.values(), *((own,) if own is not None else ())]
        return [record for record in there if self.run_path(record) == run_path]


def is_cut(tree: Tree, claim: Claim) -> bool:
    """Whether a checkpoint, or a file of it, went away or became something else."""
    if claim.members:
        files = [e for e in tree.entries if e.kind in (Kind.FILE, Kind.LINK)]
        return not tree.problems and len(files) < len(claim.members)
    return not tree.entries and (not calls.lexists(claim.path) or calls.is_file(claim.path))
