"""The Shards tab's text: the caption of a cell and the table of shards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.text import bytes_text
from ckpt_tui.tui.details.ranks import RANK_LOOKS, RankCell, RankState, group_text
from ckpt_tui.tui.lines import BLANK, Line, Tone, joined, line, piece
from ckpt_tui.tui.rows.columns import Column, TextTable
from ckpt_tui.tui.rows.notes import utc_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FEW_RANKS = 64
"""Up to so many ranks all of them are listed, beyond only those that are not done."""
_COLUMNS = (
    Column("rank", "rank", 0, right=True, least=6, sortable=False),
    Column("state", "state", 0, least=16, sortable=False),
    Column("size", "size", 1, right=True, least=8, sortable=False),
    Column("expected", "expected", 3, right=True, least=8, sortable=False),
    Column("written", "written", 4, least=23, sortable=False),
    Column("file", "file", 2, least=20, flexible=True, sortable=False),
)


def caption(cells: Sequence[RankCell]) -> Line:
    """What the cell under the cursor holds: one rank, or a group of them."""
    if not cells:
        return BLANK
    if len(cells) > 1:
        return group_text(cells)
    cell = cells[0]
    shard = cell.shard
    parts = [line(piece(f"rank {cell.rank}", Tone.BOLD)), state_text(cell)]
    if shard is not None:
        of = f" of ~{bytes_text(cell.expected_bytes)}" if cell.expected_bytes else ""
        parts.append(line(f"{bytes_text(shard.size_bytes)}{of}"))
        if shard.paths:
            parts.append(line(_paths(shard.paths)))
        if shard.mtime_ns:
            parts.append(line(piece(utc_text(shard.mtime_ns / 1e9), Tone.DIM)))
    return joined(parts)


def state_text(cell: RankCell) -> Line:
    """Icon and word; the word is the reader's where it saw a fault."""
    icon, tone = RANK_LOOKS[cell.state]
    word = cell.state.value
    if cell.state is RankState.BROKEN and cell.shard is not None:
        word = cell.shard.problem
    return line(piece(f"{icon} {word}", tone))


def _paths(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{paths[0]}{more}"


def shards_table(cells: Sequence[RankCell], width: int) -> Sequence[Line]:
    """All shards where they are few; else those that are not done, the loudest first."""
    listed = list(cells)
    if len(cells) > FEW_RANKS:
        loudness = list(RankState).index
        listed = [cell for cell in cells if cell.state is not RankState.DONE]
        listed.sort(key=lambda cell: loudness(cell.state))
        if not listed:
            return []
    saving = any(cell.expected_bytes is not None for cell in listed)
    columns = [c for c in _COLUMNS if c.key != "expected" or saving]

    def row(index: int) -> Mapping[str, Line]:
        cell = listed[index]
        shard = cell.shard
        none = line(piece("–", Tone.DIM))
        time = utc_text(shard.mtime_ns / 1e9) if shard and shard.mtime_ns else "–"
        return {
            "rank": line(str(cell.rank)),
            "state": state_text(cell),
            "size": line(bytes_text(shard.size_bytes)) if shard else none,
            "expected": line(piece(bytes_text(cell.expected_bytes), Tone.DIM)),
            "written": line(piece(time, Tone.DIM)),
            "file": line(_paths(shard.paths)) if shard and shard.paths else none,
        }

    return TextTable(columns, len(listed), row, width)
