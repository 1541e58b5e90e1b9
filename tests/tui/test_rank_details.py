"""The Shards tab's text: states of ranks, legend, outliers, caption, table."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import ShardFacts
from ckpt_tui.core.verdict import judge
from ckpt_tui.tui.details.grid_states import group_code, grouped, next_trouble, run_lengths
from ckpt_tui.tui.details.ranks import (
    CODES,
    RANK_LOOKS,
    STATES,
    TROUBLE,
    RankState,
    rank_cells,
)
from ckpt_tui.tui.details.shards import (
    caption,
    head_lines,
    legend_line,
    outliers_line,
    shards_table,
)
from ckpt_tui.tui.icons import to_ascii
from ckpt_tui.tui.lines import text_of, width_of
from tests.tui import rank_situations as large
from tests.tui import situations
from tests.tui.builders import facts, run_of, saving

MIXED = {checkpoint.step: checkpoint for checkpoint in situations.mixed().checkpoints}
CODE_LISTS = st.lists(st.sampled_from(list(CODES.values())), min_size=1, max_size=70).map(bytes)


def test_ranks_of_a_save_in_flight() -> None:
    cells = rank_cells(MIXED[12500], MIXED[12400])
    states = [STATES[code] for code in cells.codes]
    assert len(states) == situations.RANKS
    assert states[0] is RankState.DONE
    assert states[890] is RankState.WRITING
    assert states[1000] is RankState.WAITING
    assert states[1187] is RankState.SILENT
    assert cells.cell(0).expected_bytes is not None
    legend = text_of(legend_line(cells))
    assert legend == "? silent 1   ▪ writing 23   · waiting 376   █ done 880"


@pytest.mark.parametrize(
    ("problem", "size", "usual", "state"),
    [
        ("waiting", 0, None, RankState.WAITING),
        ("waiting", 1, None, RankState.WRITING),
        ("waiting", 1, 9, RankState.WRITING),
        ("waiting", 9, 9, RankState.DONE),
        ("missing", 0, 9, RankState.WAITING),
        ("short", 9, 9, RankState.WRITING),
        ("", 8, 9, RankState.WRITING),
        ("", 8, None, RankState.DONE),
    ],
)
def test_a_rank_with_a_byte_on_disk_is_writing(
    problem: str, size: int, usual: int | None, state: RankState
) -> None:
    shard = ShardFacts(0, None, size, ("x",), problem, 1)
    made = facts(2, ranks=1, met=False, took=None)._replace(shards=(shard,))
    before = facts(1, ranks=1)
    whole = before._replace(shards=(before.shards[0]._replace(size_bytes=usual or 0),))
    cells = rank_cells(saving(made), None if usual is None else judge(whole))
    assert cells.cell(0).state is state


def test_a_shard_that_is_smaller_than_last_time_is_still_written() -> None:
    flying = MIXED[12500]
    small = flying.facts._replace(
        shards=tuple(s._replace(size_bytes=s.size_bytes // 2) for s in flying.facts.shards)
    )
    cells = rank_cells(flying._replace(facts=small), MIXED[12400])
    assert cells.cell(0).state is RankState.WRITING
    other = MIXED[12400]
    other = other._replace(facts=other.facts._replace(world_size=8))
    assert rank_cells(flying._replace(facts=small), other).cell(0).state is RankState.DONE


def test_ranks_of_a_settled_checkpoint() -> None:
    cells = rank_cells(judge(facts(1, absent=(1,), broken=(2,))), None)
    assert [STATES[code] for code in cells.codes] == [
        RankState.DONE,
        RankState.MISSING,
        RankState.BROKEN,
        RankState.DONE,
    ]
    assert [text_of(row) for row in caption(cells, [1])] == ["rank 1 · ✗ missing", ""]
    assert [text_of(row) for row in caption(cells, [2])] == [
        "rank 2 · ! short · 341 MiB",
        "distcp/__2_0.distcp · 2026-01-01 10:50:00 UTC",
    ]
    assert [text_of(row) for row in caption(cells, range(4))] == [
        "ranks 0–3 · 1 missing · 1 short or empty · 2 done",
        "in trouble: ranks 1–2 · 2.33 GiB",
    ]
    assert len(shards_table(cells, 118)) == 5


def test_many_ranks_list_only_those_that_are_not_done() -> None:
    table = shards_table(rank_cells(MIXED[12200], None), 118)
    assert len(table) == 2
    assert text_of(table[1]).split()[:3] == ["640", "✗", "missing"]
    assert list(shards_table(rank_cells(MIXED[12400], None), 118)) == []


def test_outliers_are_marked_named_and_listed() -> None:
    run = run_of([large.settled(200), large.odd(100)])
    cells = rank_cells(run.checkpoints[1], run.resume)
    assert cells.cell(large.SHORT).state is RankState.SMALL
    assert cells.cell(large.LATE).state is RankState.LATE
    text = text_of(outliers_line(cells, 78))
    assert text == "2 outliers: rank 640 short by 12 %, rank 1187 late by 1m 34s"
    assert text_of(outliers_line(cells, 50)) == "2 outliers: rank 640 short by 12 % …"
    assert text_of(caption(cells, [large.LATE])[0]) == (
        "rank 1187 · PP 1 DP 20 TP 3 · » late · late by 1m 34s · 1.00 GiB"
    )
    listed = [text_of(row).split()[0] for row in shards_table(cells, 118)]
    assert listed == ["rank", "9000", "9001", "640", "1187"]


def test_a_fault_that_the_reader_named_is_no_outlier_too() -> None:
    made = large.odd(100)
    shards = tuple(s._replace(problem="short") if s.rank == 640 else s for s in made.shards)
    cells = rank_cells(judge(made._replace(shards=shards)), None)
    assert [outlier.rank for outlier in cells.outliers] == [large.LATE]
    assert cells.cell(640).state is RankState.BROKEN


def test_a_rank_behind_the_others_of_a_save_in_flight() -> None:
    made = facts(300, ranks=64, met=False, shard_bytes=900)
    slow = [s._replace(size_bytes=90 if s.rank == 7 else 850) for s in made.shards]
    whole = run_of([facts(200, ranks=64, shard_bytes=1000)]).resume
    cells = rank_cells(saving(made._replace(shards=tuple(slow))), whole)
    assert [outlier.text for outlier in cells.outliers] == ["rank 7 behind by 76 %"]
    assert cells.cell(7).state is RankState.SMALL
    assert cells.cell(8).state is RankState.WRITING


def test_the_head_never_hides_how_many_ranks_are_in_a_cell() -> None:
    for picture in (large.large(), large.large_in_flight()):
        run = picture.runs[0]
        for checkpoint in run.checkpoints:
            cells = rank_cells(checkpoint, run.resume)
            for width in (40, 78, 118):
                rows = head_lines(cells, ["32 ranks a cell"], width)
                assert len(rows) == (2 if cells.outliers else 1)
                assert all(width_of(row) <= width for row in rows)
                assert "32 ranks a cell" in text_of(rows[-1])


def test_every_state_is_told_apart_without_colour_and_in_ascii() -> None:
    icons = [icon for icon, _tone in RANK_LOOKS.values()]
    assert len(set(icons)) == len(icons)
    loud = [to_ascii(RANK_LOOKS[state][0]) for state in (*TROUBLE, RankState.DONE)]
    assert len(set(loud)) == len(loud)


@given(CODE_LISTS, st.integers(1, 9))
def test_groups_hide_no_trouble(codes: bytes, group: int) -> None:
    made = grouped(codes, group)
    assert len(made) == -(-len(codes) // group)
    for place, code in enumerate(made):
        part = {STATES[c] for c in codes[place * group : (place + 1) * group]}
        loud = [state for state in TROUBLE if state in part]
        expected = loud[0] if loud else part.pop() if len(part) == 1 else RankState.WRITING
        assert STATES[code] is expected


@given(CODE_LISTS, st.integers(1, 2))
def test_run_lengths_draw_one_cell_a_state(codes: bytes, cell_width: int) -> None:
    pieces = run_lengths(codes, cell_width)
    text = "".join(part.text for part in pieces)
    assert text[::cell_width] == "".join(RANK_LOOKS[STATES[code]][0] for code in codes)
    assert len(text) == len(codes) * cell_width
    assert all(a.text[0] != b.text[0] for a, b in pairwise(pieces))


def test_a_mixed_group_is_half_way() -> None:
    mixed = bytes([CODES[RankState.DONE], CODES[RankState.WAITING]])
    assert STATES[group_code(mixed)] is RankState.WRITING


@given(CODE_LISTS, st.sampled_from([1, -1]))
def test_the_next_trouble_leads_round_all_of_them(codes: bytes, direction: int) -> None:
    quiet = len(TROUBLE)
    begins = [
        place
        for place, code in enumerate(codes)
        if code < quiet and (place == 0 or codes[place - 1] != code)
    ]
    seen: list[int] = []
    place = next_trouble(codes, -1 if direction > 0 else len(codes), direction)
    while place is not None and place not in seen:
        seen.append(place)
        place = next_trouble(codes, place, direction)
    assert seen == begins[::direction]
