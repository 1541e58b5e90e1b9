"""What a file of a loop of its own holds, as far as it takes to say whether it is a checkpoint."""

from __future__ import annotations

from typing import NamedTuple

from ckpt_tui.core.vocabulary import MODEL, OPTIMIZER, PROGRESS
from ckpt_tui.formats.shared.array_states import parts_of
from ckpt_tui.formats.shared.array_tree import has_array


class Look(NamedTuple):
    """What a file holds, as far as claiming needs it.

    Attributes:
        readable: Whether it could be read.
        roles: Roles that its keys tell; empty for a tree of arrays without telling keys.
        has_arrays: Whether it holds any array.
    """

    readable: bool
    roles: frozenset[str] = frozenset()
    has_arrays: bool = False

    @property
    def is_state(self) -> bool:
        """Whether it is a checkpoint by its content alone."""
        return MODEL in self.roles and bool(self.roles & {OPTIMIZER, PROGRESS})


NOT_READ = Look(False)
NOTHING = Look(True)


def looked_at(tree: object) -> Look:
    """What a tree holds."""
    return Look(True, frozenset(parts_of(tree)), has_array(tree))
