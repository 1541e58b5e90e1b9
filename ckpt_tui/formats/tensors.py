"""The tensors of one checkpoint of any format, read from its headers when somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.collector import collector_rare, let_stay
from ckpt_tui.core.files import Kind
from ckpt_tui.core.tensors import (
    Note,
    NoteKind,
    TensorListing,
    is_listable,
    listing_of_facts,
)
from ckpt_tui.core.tensors_reading import TensorsReading
from ckpt_tui.formats.base import CheckpointFiles, Claim
from ckpt_tui.formats.registry import tensor_lister
from ckpt_tui.formats.shared.tensors_gathering import LISTING_LIMITS, Gathering
from ckpt_tui.fs.listing import list_tree

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import CheckpointFacts

_MANY = 20_000
"""So many tensors are felt at the keys when the cyclic collector visits them."""


def tensors_of(checkpoint: Checkpoint, reading: TensorsReading | None = None) -> TensorListing:
    """Lists the tensors of a checkpoint: no look needs them, so no look reads all of them.

    It never raises for what a file holds: that becomes a note. Where no header tells a tensor,
    the listing is what the look itself saw.

    Args:
        checkpoint: As a look judged it; its directory is listed anew.
        reading: Says when to stop, and is told how far it is; None for the usual bounds.
    """
    if not is_listable(checkpoint):
        return TensorListing(notes=(Note(NoteKind.SAVING),))
    facts = checkpoint.facts
    if not facts.files:
        return listing_of_facts(facts)
    gathering = Gathering(_files(facts), facts.files, reading or TensorsReading())
    with collector_rare():
        tensor_lister(facts.format)(gathering)
    listing = gathering.listing()
    if len(listing.tensors) >= _MANY:
        let_stay()
    if listing.total or not facts.tensors:
        return listing
    known = listing_of_facts(facts)
    only = Note(NoteKind.ONLY_FACTS, how_many=known.total)
    return known._replace(notes=(only, *listing.notes, *known.notes))


def _files(facts: CheckpointFacts) -> CheckpointFiles:
    """The checkpoint as it is listed now, without what its reader left to others.

    Weights in a run's own directory have the run's checkpoints below them.
    """
    members = tuple(file.path for file in facts.files) if facts.is_made_of_files() else ()
    deep = any("/" in file.path for file in facts.files)
    tree = list_tree(facts.path, members, deep=deep)
    known = {file.path for file in facts.files}
    own = tuple(e for e in tree.entries if e.path in known or e.kind is Kind.LINK)
    claim = Claim(facts.format, facts.path, members)
    return CheckpointFiles(claim, tree._replace(entries=own), LISTING_LIMITS)
