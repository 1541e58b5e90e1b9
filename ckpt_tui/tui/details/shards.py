"""The Shards tab's text: legend, what is unlike the rest, the cell under the cursor, the table."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

from ckpt_tui.core.coordinates import coordinates_text
from ckpt_tui.core.text import bytes_text, ranks_text
from ckpt_tui.tui.details.ranks import CODES, RANK_LOOKS, TROUBLE, RankCell, RankCells, RankState
from ckpt_tui.tui.lines import BLANK, Line, Tone, cut, joined, line, piece, spread, width_of
from ckpt_tui.tui.rows.columns import Column, TextTable
from ckpt_tui.tui.rows.notes import utc_text
from ckpt_tui.words import later, say, say_count, say_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ckpt_tui.tui.details.grid_model import GridModel

FEW_RANKS = 64
"""Up to so many ranks all of them are listed, beyond only those that are not done."""
CAPTION_LINES = 2
_MOST_OUTLIERS = 8
_JOINT = "   "
_ONLY = {
    code: bytes(other == code for other in range(256))
    for state, code in CODES.items()
    if state is not RankState.DONE
}
"""For each state, loudest first: what makes 1 of its code and 0 of any other."""
_COLUMNS = (
    Column("rank", later("rank"), 0, right=True, least=6, sortable=False),
    Column("state", later("state"), 0, least=16, sortable=False),
    Column("where", later("where"), 2, least=4, most=36, sortable=False),
    Column("size", later("size"), 1, right=True, least=8, sortable=False),
    Column("expected", later("expected"), 4, right=True, least=8, sortable=False),
    Column("written", later("written"), 5, least=23, sortable=False),
    Column("file", later("file"), 3, least=20, flexible=True, sortable=False),
)


def head_lines(cells: RankCells, notes: Sequence[str], width: int) -> tuple[Line, ...]:
    """Legend, outliers where there are any, and at the end how the grid is laid out.

    Args:
        cells: All ranks.
        notes: As `layout_notes` makes them.
        width: Terminal cells.
    """
    legend = legend_line(cells)
    told = joined([line(piece(note, Tone.DIM)) for note in notes])
    if not cells.outliers:
        return (spread(legend, told, width),)
    room = width - width_of(told) - len(_JOINT)
    return cut(legend, width), spread(outliers_line(cells, room), told, width)


def legend_line(cells: RankCells) -> Line:
    """Each state that occurs, with its count."""
    parts = [
        line(piece(icon, tone), f" {say(state.value)} {cells.how_many(state)}")
        for state, (icon, tone) in RANK_LOOKS.items()
        if cells.how_many(state)
    ]
    return joined(parts, _JOINT)


def layout_notes(model: GridModel) -> list[str]:
    """How the ranks are laid out, as far as the grid does not show it by itself."""
    notes = []
    if model.layout.group > 1:
        notes.append(say("{count} ranks a cell", count=model.layout.group))
    if model.axis is not None:
        notes.append(say("rows by {axis}", axis=model.axis.name))
    if model.overflows:
        row, rows = model.cursor[0] + 1, len(model.layout.rows)
        notes.append(say("row {row} of {rows}", row=row, rows=rows))
    return notes


def outliers_line(cells: RankCells, width: int) -> Line:
    """The ranks that are unlike the others, as many as fit; nothing where there are none."""
    outliers = cells.outliers
    if not outliers:
        return BLANK
    count_text = say_count(len(outliers), "{count} outlier: ", "{count} outliers: ")
    head = line(piece(count_text, Tone.BOLD))
    shown = BLANK
    for count in range(1, min(len(outliers), _MOST_OUTLIERS) + 1):
        text = say(", ").join(say_sentence(outlier.text) for outlier in outliers[:count])
        longer = line(piece(text + ("" if count == len(outliers) else " …"), Tone.WARN))
        if shown and width_of(head) + width_of(longer) > width:
            break
        shown = longer
    return cut((*head, *shown), width)


def caption(cells: RankCells, places: Sequence[int]) -> tuple[Line, Line]:
    """What the cell under the cursor holds: one rank, or a group of them.

    Args:
        cells: All ranks.
        places: Places of the cell's ranks among them.
    """
    if not places:
        return BLANK, BLANK
    if len(places) > 1:
        return _group_caption(cells, places)
    cell = cells.cell(places[0])
    shard = cell.shard
    parts = [_rank_text(cells, cell.rank), state_text(cell)]
    if cell.outlier is not None:
        told = say_sentence(cell.outlier.text).removeprefix(f"rank {cell.rank} ")
        parts.append(line(piece(told, Tone.WARN)))
    if shard is None:
        return joined(parts), BLANK
    parts.append(line(_size_text(shard.size_bytes, cell.expected_bytes)))
    when = line(piece(_time(cell), Tone.DIM)) if shard.mtime_ns else BLANK
    return joined(parts), joined([line(_paths(shard.paths)), when])


def _size_text(size_bytes: int, expected_bytes: int | None) -> str:
    if not expected_bytes:
        return bytes_text(size_bytes)
    return say(
        "{size} of ~{expected}", size=bytes_text(size_bytes), expected=bytes_text(expected_bytes)
    )


def _group_caption(cells: RankCells, places: Sequence[int]) -> tuple[Line, Line]:
    """The ranks of a cell with their states, and those in trouble by name."""
    own = [cells.cell(place) for place in places]
    counts = {state: sum(cell.state is state for cell in own) for state in RankState}
    loud = [cell.rank for cell in own if cell.state in TROUBLE]
    parts = [line(piece(say_sentence(ranks_text([cell.rank for cell in own])), Tone.BOLD))]
    parts += [line(f"{count} {say(state.value)}") for state, count in counts.items() if count]
    size_bytes = sum(cell.shard.size_bytes for cell in own if cell.shard is not None)
    told = [line(bytes_text(size_bytes))]
    if loud:
        text = say("in trouble: {ranks}", ranks=say_sentence(ranks_text(loud)))
        told.insert(0, line(piece(text, Tone.WARN)))
    return joined(parts), joined(told)


def _rank_text(cells: RankCells, rank: int) -> Line:
    where = coordinates_text(cells.axes, rank)
    return joined([line(piece(f"rank {rank}", Tone.BOLD)), line(where)])


def state_text(cell: RankCell) -> Line:
    """Icon and word; the word is the reader's where it saw a fault."""
    icon, tone = RANK_LOOKS[cell.state]
    word = say(cell.state.value)
    if cell.state is RankState.BROKEN and cell.shard is not None:
        word = say(cell.shard.problem)
    return line(piece(f"{icon} {word}", tone))


def _paths(paths: tuple[str, ...]) -> str:
    if not paths:
        return ""
    if len(paths) == 1:
        return paths[0]
    return say("{path} and {count} more", path=paths[0], count=len(paths) - 1)


def _time(cell: RankCell) -> str:
    shard = cell.shard
    return utc_text(shard.mtime_ns / 1e9) if shard is not None and shard.mtime_ns else "–"


def listed_places(cells: RankCells) -> Sequence[int]:
    """Which ranks the table lists: all where they are few, else those not done, loudest first."""
    if len(cells.ranks) <= FEW_RANKS:
        return range(len(cells.ranks))
    if cells.how_many(RankState.DONE) == len(cells.ranks):
        return ()
    places: list[int] = []
    for code, only in _ONLY.items():
        if code in cells.codes:
            places += compress(range(len(cells.codes)), cells.codes.translate(only))
    return places


def shards_table(cells: RankCells, width: int) -> Sequence[Line]:
    """The table of shards; empty where there is nothing to list."""
    listed = listed_places(cells)
    if not listed:
        return []
    left_out = {"expected"} if not (cells.saving and cells.usual_bytes) else set()
    left_out |= set() if cells.axes else {"where"}
    columns = [column for column in _COLUMNS if column.key not in left_out]

    def row(index: int) -> Mapping[str, Line]:
        cell = cells.cell(listed[index])
        shard = cell.shard
        none = line(piece("–", Tone.DIM))
        return {
            "rank": line(str(cell.rank)),
            "state": state_text(cell),
            "where": line(coordinates_text(cells.axes, cell.rank)),
            "size": line(bytes_text(shard.size_bytes)) if shard else none,
            "expected": line(piece(bytes_text(cell.expected_bytes), Tone.DIM)),
            "written": line(piece(_time(cell), Tone.DIM)),
            "file": line(_paths(shard.paths)) if shard and shard.paths else none,
        }

    return TextTable(_sized(columns, cells), len(listed), row, width)


def _sized(columns: Sequence[Column], cells: RankCells) -> list[Column]:
    """The columns with room for the longest coordinates: those of the last rank on each axis."""
    longest = len(" ".join(f"{axis.name} {axis.size - 1}" for axis in cells.axes))
    return [c._replace(least=max(5, longest)) if c.key == "where" else c for c in columns]
