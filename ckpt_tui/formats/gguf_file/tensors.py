"""Lists the tensors of GGUF files, with their places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.gguf_header import read_gguf_header
from ckpt_tui.core.vocabulary import MODEL
from ckpt_tui.formats.shared.tensors_arrays import add_trees

if TYPE_CHECKING:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_tensors(gathering: Gathering) -> None:
    """Gathers the tensors of every file."""
    add_trees(gathering, _tensors, (".json", ".txt"), MODEL)


def _tensors(source: Source, limits: Limits) -> object:
    return dict(read_gguf_header(source, limits).tensors)
