"""Lists the arrays of numpy files: by member of the archive, or by their place in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.formats.npz_file.trees import plain_tree
from ckpt_tui.formats.shared.tensors_arrays import add_trees

if TYPE_CHECKING:
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_tensors(gathering: Gathering) -> None:
    """Gathers the arrays of every file of a checkpoint."""
    add_trees(gathering, plain_tree, (".json", ".txt"))
