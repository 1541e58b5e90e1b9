"""The Shards tab's values: the state of each rank, and how the ranks become a grid of cells."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ckpt_tui.core.text import ranks_text
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.lines import Line, Piece, Tone, joined, line, piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.facts import ShardFacts


class RankState(StrEnum):
    """How far a rank's shard is; the first is the loudest."""

    MISSING = "missing"
    BROKEN = "short or empty"
    SILENT = "silent"
    WRITING = "writing"
    WAITING = "waiting"
    DONE = "done"


TROUBLE = (RankState.MISSING, RankState.BROKEN, RankState.SILENT)
RANK_LOOKS = {
    RankState.MISSING: ("✗", Tone.BAD),
    RankState.BROKEN: ("!", Tone.BAD),
    RankState.SILENT: ("?", Tone.WARN),
    RankState.WRITING: ("▪", Tone.BUSY),
    RankState.WAITING: ("·", Tone.DIM),
    RankState.DONE: ("█", Tone.DONE),
}

_ROW_LENGTHS = (64, 96, 128, 32, 16, 8)


class RankCell(NamedTuple):
    """What a rank's shard is like.

    Attributes:
        shard: None where nothing of it is there.
        expected_bytes: Its size in the last whole checkpoint; None where unknown.
    """

    rank: int
    state: RankState
    shard: ShardFacts | None
    expected_bytes: int | None


def rank_cells(checkpoint: Checkpoint, last_whole: Checkpoint | None) -> tuple[RankCell, ...]:
    """The state of every rank, in rank order.

    A shard in flight counts as done when it is as large as the same rank's shard in the last
    whole checkpoint of as many ranks; without one, when its reader sees no fault in it.
    """
    facts = checkpoint.facts
    shards = {shard.rank: shard for shard in facts.shards}
    alike = last_whole is not None and last_whole.facts.world_size == facts.world_size
    sizes = {s.rank: s.size_bytes for s in last_whole.facts.shards} if last_whole and alike else {}
    silent = set(checkpoint.progress.silent_ranks) if checkpoint.progress else set()
    saving = checkpoint.verdict is Verdict.SAVING
    cells = []
    for rank in sorted({*shards, *(facts.expected_ranks or ())}):
        shard, size = shards.get(rank), sizes.get(rank)
        state = _saving_state(shard, size) if saving else _settled_state(shard)
        if rank in silent and state is not RankState.DONE:
            state = RankState.SILENT
        cells.append(RankCell(rank, state, shard, size if saving else None))
    return tuple(cells)


def _saving_state(shard: ShardFacts | None, size: int | None) -> RankState:
    if shard is None or shard.problem in ("missing", "waiting"):
        return RankState.WAITING
    if shard.problem or (size is not None and shard.size_bytes < size):
        return RankState.WRITING
    return RankState.DONE


def _settled_state(shard: ShardFacts | None) -> RankState:
    if shard is None or shard.problem in ("missing", "waiting"):
        return RankState.MISSING
    return RankState.BROKEN if shard.problem else RankState.DONE


class GridLayout(NamedTuple):
    """How ranks are put into a grid.

    Attributes:
        columns: Cells in a row.
        rows: Rows of cells.
        group: Ranks in one cell.
        cell_width: Terminal cells of one grid cell, its space included.
    """

    columns: int
    rows: int
    group: int
    cell_width: int


def grid_layout(count: int, width: int, most_rows: int) -> GridLayout:
    """One cell a rank where that fits; else 2, 4, 8 … ranks a cell.

    Args:
        count: Ranks.
        width: Terminal cells for the grid alone.
        most_rows: Rows there is room for, at least 1.
    """
    lengths = [length for length in _ROW_LENGTHS if length <= width] or [max(1, width)]
    group = 1
    while True:
        cells = -(-count // group)
        for length in lengths:
            rows = -(-cells // length)
            if rows <= max(1, most_rows):
                columns = min(length, max(1, cells))
                return GridLayout(columns, rows, group, 2 if columns * 2 <= min(width, 64) else 1)
        group *= 2


def group_state(states: Iterable[RankState]) -> RankState:
    """The state of a cell: the loudest trouble, else the common state, else half-way."""
    seen = set(states)
    for trouble in TROUBLE:
        if trouble in seen:
            return trouble
    return seen.pop() if len(seen) == 1 else RankState.WRITING


def grouped(cells: Sequence[RankCell], group: int) -> tuple[RankState, ...]:
    """The states of the grid's cells."""
    if group == 1:
        return tuple(cell.state for cell in cells)
    return tuple(
        group_state(cell.state for cell in cells[start : start + group])
        for start in range(0, len(cells), group)
    )


def run_lengths(states: Sequence[RankState], cell_width: int) -> list[Piece]:
    """Equal neighbours as one piece: a row of thousands of cells stays cheap to draw."""
    pieces: list[Piece] = []
    start = 0
    for end in range(1, len(states) + 1):
        if end == len(states) or states[end] is not states[start]:
            icon, tone = RANK_LOOKS[states[start]]
            pieces.append(Piece(icon.ljust(cell_width) * (end - start), tone))
            start = end
    return pieces


def legend_line(cells: Sequence[RankCell], group: int) -> Line:
    """Each state that occurs, with its count."""
    counts: Mapping[RankState, int] = Counter(cell.state for cell in cells)
    parts = [
        line(piece(RANK_LOOKS[state][0], RANK_LOOKS[state][1]), f" {state.value} {counts[state]}")
        for state in RankState
        if counts.get(state)
    ]
    if group > 1:
        parts.append(line(piece(f"{group} ranks a cell", Tone.DIM)))
    return joined(parts, "   ")


def group_text(cells: Sequence[RankCell]) -> Line:
    """What a cell of several ranks holds."""
    counts: Mapping[RankState, int] = Counter(cell.state for cell in cells)
    loud = [cell.rank for cell in cells if cell.state in TROUBLE]
    parts = [line(piece(f"ranks {cells[0].rank}–{cells[-1].rank}", Tone.BOLD))]
    parts += [line(f"{counts[state]} {state.value}") for state in RankState if counts.get(state)]
    if loud:
        parts.append(line(piece(ranks_text(loud), Tone.WARN)))
    return joined(parts)
