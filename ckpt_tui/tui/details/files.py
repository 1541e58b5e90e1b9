"""The Files and Tensors tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text, plural
from ckpt_tui.tui.lines import BLANK, Line, Tone, line, piece
from ckpt_tui.tui.rows.columns import Column, TextTable
from ckpt_tui.tui.rows.notes import utc_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint

_FILE_COLUMNS = (
    Column("path", "file", 0, least=20, flexible=True, sortable=False),
    Column("role", "role", 2, least=10, sortable=False),
    Column("rank", "rank", 3, right=True, least=5, sortable=False),
    Column("size", "size", 1, right=True, least=8, sortable=False),
    Column("written", "written", 5, least=23, sortable=False),
    Column("note", "note", 4, least=16, sortable=False),
)
_TENSOR_COLUMNS = (
    Column("name", "tensor", 0, least=20, flexible=True, sortable=False),
    Column("dtype", "type", 1, least=8, sortable=False),
    Column("shape", "shape", 2, right=True, least=16, sortable=False),
    Column("size", "size", 1, right=True, least=8, sortable=False),
    Column("role", "role", 3, least=10, sortable=False),
)


def files_lines(checkpoint: Checkpoint, width: int) -> Sequence[Line]:
    """One line a file; made only when it is looked at."""
    files = checkpoint.facts.files
    if not files:
        return [line(piece("no files were listed", Tone.DIM))]
    noted = any(file.note for file in files)
    columns = [c for c in _FILE_COLUMNS if c.key != "note" or noted]

    def cells(index: int) -> Mapping[str, Line]:
        file = files[index]
        empty = file.size_bytes == 0 and not file.note
        return {
            "path": line(file.path),
            "role": line(piece(file.role, Tone.DIM)),
            "rank": line("" if file.rank is None else str(file.rank)),
            "size": line(piece(bytes_text(file.size_bytes), Tone.WARN if empty else Tone.PLAIN)),
            "written": line(piece(utc_text(file.mtime_ns / 1e9), Tone.DIM)),
            "note": line(piece(file.note, Tone.WARN)),
        }

    return TextTable(columns, len(files), cells, width)


def tensors_lines(checkpoint: Checkpoint, width: int) -> Sequence[Line]:
    """One line a tensor, as its header describes it."""
    tensors = checkpoint.facts.tensors

    def cells(index: int) -> Mapping[str, Line]:
        tensor = tensors[index]
        shape = "×".join(str(length) for length in tensor.shape) or "scalar"
        return {
            "name": line(tensor.name),
            "dtype": line(piece(tensor.dtype, Tone.DIM)),
            "shape": line(shape),
            "size": line(bytes_text(tensor.size_bytes)),
            "role": line(piece(tensor.role, Tone.DIM)),
        }

    table = TextTable(_TENSOR_COLUMNS, len(tensors), cells, width)
    left = checkpoint.facts.tensors_total - len(tensors)
    if left <= 0:
        return table
    return [*table, BLANK, line(piece(f"{plural(left, 'more tensor')} not listed", Tone.DIM))]
