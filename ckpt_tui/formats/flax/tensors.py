"""Lists the arrays of flax's checkpoints, those beside the file included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.msgpack import read_msgpack
from ckpt_tui.formats.flax.multiprocess import take_arrays_beside
from ckpt_tui.formats.shared.tensors_arrays import add_trees

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_tensors(gathering: Gathering) -> None:
    """Gathers the arrays of the file, and of those that it names beside it."""

    def read(source: Source, limits: Limits) -> object:
        tree = read_msgpack(source, limits)
        take_arrays_beside(tree, gathering.files.path, limits)
        return tree

    add_trees(gathering, read, ())
