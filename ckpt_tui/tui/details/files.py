"""The Files tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.tui.lines import Line, Tone, line, piece
from ckpt_tui.tui.rows.columns import Column, TextTable
from ckpt_tui.tui.rows.notes import utc_text
from ckpt_tui.words import later, say, say_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint

_FILE_COLUMNS = (
    Column("path", later("file"), 0, least=20, flexible=True, sortable=False),
    Column("role", later("role"), 2, least=10, sortable=False),
    Column("rank", later("rank"), 3, right=True, least=5, sortable=False),
    Column("size", later("size"), 1, right=True, least=8, sortable=False),
    Column("written", later("written"), 5, least=23, sortable=False),
    Column("note", later("note"), 4, least=16, sortable=False),
)


def files_lines(checkpoint: Checkpoint, width: int) -> Sequence[Line]:
    """One line a file; made only when it is looked at."""
    files = checkpoint.facts.files
    if not files:
        return [line(piece(say("no files were listed"), Tone.DIM))]
    noted = any(file.note for file in files)
    columns = [c for c in _FILE_COLUMNS if c.key != "note" or noted]

    def cells(index: int) -> Mapping[str, Line]:
        file = files[index]
        empty = file.size_bytes == 0 and not file.note
        return {
            "path": line(file.path),
            "role": line(piece(say(file.role), Tone.DIM)),
            "rank": line("" if file.rank is None else str(file.rank)),
            "size": line(piece(bytes_text(file.size_bytes), Tone.WARN if empty else Tone.PLAIN)),
            "written": line(piece(utc_text(file.mtime_ns / 1e9), Tone.DIM)),
            "note": line(piece(say_sentence(file.note), Tone.WARN)),
        }

    return TextTable(columns, len(files), cells, width)
