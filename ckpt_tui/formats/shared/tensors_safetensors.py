"""Lists the tensors of one safetensors file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.artifacts.safetensors_header import read_safetensors_header
from ckpt_tui.core.tensors import Chunk
from ckpt_tui.core.vocabulary import MODEL

if TYPE_CHECKING:
    from ckpt_tui.artifacts.source import Source
    from ckpt_tui.formats.shared.tensors_gathering import Gathering


def add_safetensors_file(gathering: Gathering, path: str, source: Source) -> None:
    """Adds the tensors of one file; one whose reader names no role holds weights.

    Args:
        gathering: Where they go.
        path: Relative path of the file.
        source: The file, open.

    Raises:
        ArtifactError: It cannot be read.
    """
    header = read_safetensors_header(source, gathering.files.limits)
    marked = gathering.marked(path)
    data = source.size - header.data_bytes_expected
    role = marked.role or MODEL
    for name, (dtype, shape, begin, end) in header.tensors.items():
        chunk = Chunk(path, marked.rank, (), (), end - begin, data + begin)
        gathering.add(name, dtype, shape, end - begin, role, (chunk,))
