"""Lists and reads one checkpoint: what a process ahead does, and nothing that needs the records."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.shared.roles import NO_SYNONYMS, Synonyms
from ckpt_tui.fs.listing import list_tree

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.core.facts import CheckpointFacts
    from ckpt_tui.core.files import Tree
    from ckpt_tui.formats.base import Claim
    from ckpt_tui.store.moment import Moment


class Terms(NamedTuple):
    """How all checkpoints of a look are read.

    Attributes:
        root: The searched directory, out of which no link is followed.
        limits: Bounds of every read.
        synonyms: Further names of roles.
    """

    root: str
    limits: Limits
    synonyms: Synonyms = NO_SYNONYMS


class Examined(NamedTuple):
    """A checkpoint as it was listed and then read; `facts` is None where it was only listed."""

    tree: Tree
    facts: CheckpointFacts | None


Turn = tuple["Claim", "Moment", Examined | None]
"""A claim, a moment before its listing began, and what was examined of it ahead, if anything."""


def list_only(claim: Claim, terms: Terms) -> Examined:
    """Lists a checkpoint that was read before, which is no export that holds its run."""
    return Examined(list_tree(claim.path, claim.members, boundary=terms.root), None)


def examine(claim: Claim, terms: Terms) -> Examined:
    """Lists and reads a checkpoint, which is no export that holds its run."""
    tree = list_tree(claim.path, claim.members, boundary=terms.root)
    return Examined(tree, read_checkpoint(claim, tree, terms.limits))
