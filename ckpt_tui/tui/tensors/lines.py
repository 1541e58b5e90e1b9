"""What the Tensors tab says: totals above, a row for each tensor, its whole name below, chunks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from ckpt_tui.core.tensors_words import (
    elements_text,
    is_faulty,
    note_text,
    role_text,
    rows_text,
    shape_text,
    shared_text,
    where_text,
)
from ckpt_tui.core.text import bytes_text
from ckpt_tui.tui.icons import WARNING_MARK
from ckpt_tui.tui.lines import (
    BLANK,
    Line,
    Tone,
    clean,
    cut,
    flowed,
    joined,
    line,
    pad,
    piece,
    tail,
)
from ckpt_tui.tui.rows.columns import Column, Fitted, TextTable, fit_columns
from ckpt_tui.words import later, say, say_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.core.tensors import Chunk, Note, Tensor, TensorListing
    from ckpt_tui.core.tensors_totals import Total
    from ckpt_tui.tui.tensors.model import TensorModel

_COLUMNS = (
    Column("name", later("tensor"), 0, least=40, flexible=True),
    Column("dtype", later("type"), 2, least=8, sortable=False),
    Column("shape", later("shape"), 1, right=True, least=7, most=24, sortable=False),
    Column("size", later("size"), 0, right=True, least=8),
    Column("role", later("role"), 3, least=9, sortable=False),
    Column("where", later("where"), 4, least=12, most=48, sortable=False),
)
_CHUNK_COLUMNS = (
    Column("rows", later("part of the whole"), 0, least=18, most=48, sortable=False),
    Column("rank", later("rank"), 1, right=True, least=5, sortable=False),
    Column("size", later("size"), 2, right=True, least=8, sortable=False),
    Column("file", later("file"), 0, least=20, flexible=True, sortable=False),
    Column("at", later("first byte"), 3, right=True, least=12, sortable=False),
)
_SAMPLE = 500
"""So many rows decide how wide columns are."""
_MOST_NOTES = 3
_LABEL = 6
_MOST_LINES_OF_GROUPS = 2


def columns_for(model: TensorModel, width: int) -> tuple[Fitted, ...]:
    """The columns that fit, as wide as the first rows need."""
    content: dict[str, int] = {}
    for place in range(min(_SAMPLE, len(model))):
        for key, text in _texts(model.tensor(place)).items():
            content[key] = max(content.get(key, 0), cell_len(text))
    return fit_columns(_COLUMNS, content, width)


def _texts(tensor: Tensor) -> dict[str, str]:
    return {
        "dtype": tensor.dtype,
        "shape": shape_text(tensor.shape),
        "where": where_text(tensor),
        "role": role_text(tensor.role),
    }


def tensor_cells(tensor: Tensor, fitted: Sequence[Fitted]) -> Mapping[str, Line]:
    """A row; a name that is too long loses its middle: both ends tell it from its neighbours."""
    texts = _texts(tensor)
    room = fitted[0].width
    return {
        "name": line(middle_cut(tensor.name, room)),
        "dtype": line(piece(tensor.dtype, Tone.DIM)),
        "shape": line(texts["shape"]),
        "size": line(piece(bytes_text(tensor.size_bytes), _size_tone(tensor))),
        "role": line(piece(texts["role"], Tone.DIM)),
        "where": line(piece(texts["where"], Tone.DIM)),
    }


def _size_tone(tensor: Tensor) -> Tone:
    """Bytes that are counted elsewhere stand back."""
    return Tone.DIM if tensor.shares else Tone.PLAIN


def middle_cut(text: str, width: int) -> str:
    """A text that fits, without its middle where it is too long."""
    if len(text) > 4 * width > 0:  # of a huge name only the ends count
        text = text[: 2 * width] + text[-2 * width :]
    shown = clean(text)
    if cell_len(shown) <= width:
        return shown
    left = set_cell_size(shown, max(0, width - 1) // 2).rstrip()
    return f"{left}{tail(shown, width - cell_len(left))}"


def head_lines(model: TensorModel, progress: str, width: int) -> list[Line]:
    """Totals of what is shown, by role and by data type, then what is not shown.

    Args:
        model: What is shown.
        progress: What is still being done, or "".
        width: Cells on a line.
    """
    listing, totals = model.listing, model.totals
    lines = [_sum_line(model, progress, width)]
    if totals.all.tensors:
        for label, groups in ((say("role"), totals.by_role), (say("type"), totals.by_dtype)):
            parts = [_group(total) for total in groups]
            rows = flowed(parts, width - _LABEL)[:_MOST_LINES_OF_GROUPS]
            heads = [label, *[""] * (len(rows) - 1)]
            for head, row in zip(heads, rows, strict=True):
                lines.append((*pad(line(piece(head, Tone.DIM)), _LABEL), *row))
    if totals.shared.tensors:
        lines.append(line(piece(shared_text(totals.shared), Tone.DIM)))
    lines += _notes(listing, width)
    return [cut(text, width) for text in lines]


def _sum_line(model: TensorModel, progress: str, width: int) -> Line:
    listing, whole = model.listing, model.totals.all
    if progress and not listing.tensors:
        return line(piece(progress, Tone.BUSY))
    count = f"{listing.total:,}"
    if listing.is_cut:
        count = say("at least {count}", count=count)
    if model.query.terms:
        shown = say("{found} of {count} tensors", found=f"{len(model):,}", count=count)
    else:
        shown = say_count(listing.total, "{shown} tensor", "{shown} tensors", shown=count)
    parts = [
        line(piece(shown, Tone.BOLD if len(model) else Tone.WARN)),
        line(say("{count} elements", count=elements_text(whole.elements))),
        line(bytes_text(whole.size_bytes)),
        line(piece(progress, Tone.BUSY)),
    ]
    return cut(joined(parts), width)


def _group(total: Total) -> Line:
    return line(
        piece(role_text(total.name), Tone.BOLD),
        f" {bytes_text(total.size_bytes)}",
        piece(f" {total.tensors:,}", Tone.DIM),
    )


def _notes(listing: TensorListing, width: int) -> list[Line]:
    """The faulty ones first; the rest are counted."""
    notes = sorted(listing.notes, key=lambda note: not is_faulty(note))
    lines = [cut(_note(note), width) for note in notes[:_MOST_NOTES]]
    more = len(notes) - _MOST_NOTES
    if more > 0:
        text = say_count(more, "{count} remark more", "{count} remarks more")
        lines.append(line(piece(f"  {text}", Tone.DIM)))
    return lines


def _note(note: Note) -> Line:
    if is_faulty(note):
        return line(piece(f"{WARNING_MARK} ", Tone.WARN), note_text(note))
    return line(piece(f"· {note_text(note)}", Tone.DIM))


def caption_lines(tensor: Tensor | None, width: int) -> list[Line]:
    """The whole name of the tensor under the cursor, and where it is."""
    if tensor is None:
        return [BLANK, BLANK]
    where = where_text(tensor)
    own = joined(
        [
            line(piece(role_text(tensor.role), Tone.DIM)),
            line(tensor.dtype),
            line(shape_text(tensor.shape)),
            line(bytes_text(tensor.size_bytes)),
            line(piece(where, Tone.DIM)),
        ]
    )
    return [line(piece(middle_cut(tensor.name, width), Tone.BOLD)), cut(own, width)]


def chunk_lines(tensor: Tensor, width: int) -> Sequence[Line]:
    """One line a stored piece: which part of the tensor, which rank's file, from which byte on."""
    chunks = tensor.chunks
    if not chunks:
        return [line(piece(say("nothing tells where it is stored"), Tone.DIM))]
    longest = max(cell_len(_part_text(tensor, chunk)) for chunk in chunks[:_SAMPLE])
    part, *others = _CHUNK_COLUMNS
    columns = [part._replace(least=max(part.least, min(part.most, longest))), *others]
    return TextTable(columns, len(chunks), lambda place: _chunk_cells(tensor, chunks[place]), width)


def _chunk_cells(tensor: Tensor, chunk: Chunk) -> Mapping[str, Line]:
    at = chunk.record or ("" if chunk.begin is None else f"{chunk.begin:,}")
    return {
        "rows": line(_part_text(tensor, chunk)),
        "rank": line("" if chunk.rank is None else str(chunk.rank)),
        "size": line(bytes_text(chunk.size_bytes)),
        "file": line(piece(middle_cut(chunk.path, max(20, len(chunk.path))), Tone.DIM)),
        "at": line(piece(at, Tone.DIM)),
    }


def _part_text(tensor: Tensor, chunk: Chunk) -> str:
    shape = chunk.shape or tensor.shape
    offsets = chunk.offsets or (0,) * len(shape)
    return rows_text(offsets, shape) if shape else say("scalar")
