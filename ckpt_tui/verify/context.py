"""What is known of the checkpoint that a file belongs to: indexes, checksums, names of tensors."""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from ckpt_tui.core.files import Kind
from ckpt_tui.core.tensors_reading import TensorsReading
from ckpt_tui.core.vocabulary import Effect, Severity
from ckpt_tui.formats.base import CheckpointFiles
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.registry import tensor_lister
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS, Gathering
from ckpt_tui.verify.indexes import Indexes
from ckpt_tui.verify.listed import Listed, listed_by_manifest, no_checksums
from ckpt_tui.verify.tensor_places import TensorPlaces

if TYPE_CHECKING:
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.core.findings import Finding
    from ckpt_tui.core.tensors import TensorListing
    from ckpt_tui.formats.base import Claim

MISSING = "missing-shard"
"""Code of a finding about a file that an index or a layout demands and that is not there."""


class Context:
    """One checkpoint, or files that belong to none; its parts are read when they are first asked.

    Attributes:
        claim: What it is taken for; its reader is "" for files of no known checkpoint.
        tree: Its listing.
        files: Opens its files by their relative paths.
        indexes: What its indexes say of its files.
        seal: The checksums that were written beside it.
    """

    def __init__(self, claim: Claim, tree: Tree, seal: Listed | None = None) -> None:
        self.claim = claim
        self.tree = tree
        self.files = CheckpointFiles(claim, tree, LISTING_LIMITS)
        self.indexes = Indexes(self.files)
        self.seal = seal or no_checksums()
        self._lock = threading.RLock()

    @property
    def path(self) -> str:
        """Absolute path of the checkpoint; "" for files of none."""
        return self.claim.path if self.format else ""

    @property
    def format(self) -> str:
        """Name of the format; "" for files of no checkpoint."""
        return self.claim.reader

    @property
    def manifest(self) -> Listed:
        """The checksums of its own manifest, by relative path."""
        with self._lock:
            return self._manifest

    @property
    def uncommitted(self) -> bool:
        """Whether its format has a commit rule that is not met: files may be cut by right."""
        with self._lock:
            facts = self._facts
        return facts is not None and facts.commit.met is False

    def damage_of(self, path: str) -> tuple[Finding, ...]:
        """What its reader finds that makes a file's bytes wrong.

        A file of zeros is known to no method: nothing in it says what it was.
        """
        with self._lock:
            facts = self._facts
        found = facts.findings if facts is not None else ()
        return tuple(f for f in found if f.path == path and f.effect is Effect.CORRUPT)

    @property
    def absent(self) -> tuple[Finding, ...]:
        """What its reader finds of files that it cannot do without and that are not there.

        Nothing where its commit rule is not met, or not all of it could be listed.
        """
        if self.uncommitted or self.tree.problems or self.tree.truncated:
            return ()
        with self._lock:
            facts = self._facts
        found = facts.findings if facts is not None else ()
        return tuple(f for f in found if _is_of_a_file(f) and not self._has_file(f.path))

    def _has_file(self, path: str) -> bool:
        entry = self.tree.get(path)
        return entry is not None and entry.kind is not Kind.DIRECTORY

    @property
    def tensors(self) -> TensorPlaces:
        """Which tensor lies where."""
        with self._lock:
            return self._tensors

    @cached_property
    def _manifest(self) -> Listed:
        return listed_by_manifest(self.files)

    @cached_property
    def _facts(self) -> CheckpointFacts | None:
        if self.format:
            with suppress(Exception):  # a bug of a reader must not cost what the bytes say
                return read_checkpoint(self.claim, self.tree, LISTING_LIMITS)
        return None

    @cached_property
    def _tensors(self) -> TensorPlaces:
        return TensorPlaces(self._listing().tensors)

    def _listing(self) -> TensorListing:
        gathering = Gathering(self.files, (), TensorsReading())
        with suppress(Exception):  # a name is worth less than the fault that it is wanted for
            tensor_lister(self.format)(gathering)
        return gathering.listing()


def _is_of_a_file(finding: Finding) -> bool:
    """Whether it says that a file is missing, and that this stops its loader."""
    stops = finding.effect in (Effect.INCOMPLETE, Effect.CORRUPT)
    sure = stops and finding.severity is Severity.ERROR
    return sure and finding.code == MISSING and bool(finding.path)
