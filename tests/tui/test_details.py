"""The pane's texts, without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import LoaderFacts, Reshard
from ckpt_tui.core.verdict import judge
from ckpt_tui.tui.details.facts import facts_lines
from ckpt_tui.tui.details.files import files_lines, tensors_lines
from ckpt_tui.tui.details.findings import findings_lines
from ckpt_tui.tui.details.ranks import (
    RankCell,
    RankState,
    grid_layout,
    group_state,
    grouped,
    legend_line,
    rank_cells,
    run_lengths,
)
from ckpt_tui.tui.details.roles import roles_lines
from ckpt_tui.tui.details.shards import caption, shards_table
from ckpt_tui.tui.lines import text_of, width_of
from ckpt_tui.tui.widgets.tab_line import Tab, tabs_of, telling_tab
from tests.tui import situations
from tests.tui.builders import NOW, facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.tui.lines import Line


def shown(lines: Sequence[Line]) -> str:
    return "\n".join(text_of(text) for text in lines)


def by_step(step: int) -> Checkpoint:
    return next(c for c in situations.mixed().checkpoints if c.step == step)


@pytest.mark.parametrize("name", situations.ALL)
@pytest.mark.parametrize("width", [30, 78, 118])
def test_no_line_of_facts_and_tables_is_too_wide(name: str, width: int) -> None:
    picture = situations.ALL[name]()
    for run in picture.runs:
        for checkpoint in run.checkpoints:
            lines = [
                *facts_lines(checkpoint, True, NOW, width),
                *findings_lines(checkpoint, run, width),
            ]
            if width >= 78:
                lines += [*files_lines(checkpoint, width), *roles_lines(checkpoint, width)]
            for text in lines:
                assert width_of(text) <= width


def test_facts_of_a_resume_point() -> None:
    text = shown(facts_lines(by_step(12400), True, NOW, 118))
    assert "✔ exact   resume point   committed 2026-01-01 10:45:58 UTC (14m)" in text
    assert "took at least 2m 11s   async save   1.25 TiB" in text
    assert "1280 ranks   other world sizes: yes, natively (loses rng)" in text
    assert "resume with  --load /mnt/checkpoints/llama-70b --ckpt-step 12400" in text
    assert text.endswith("/mnt/checkpoints/llama-70b/iter_0012400")


def test_nothing_is_offered_to_load_that_cannot_be_resumed() -> None:
    assert "resume with" not in shown(facts_lines(by_step(12200), False, NOW, 118))


@pytest.mark.parametrize(
    ("reshard", "says"),
    [
        (Reshard(False, "convert it first"), "other world sizes: no, convert it first"),
        (Reshard(True, ""), "other world sizes: yes"),
        (Reshard(None, "?"), ""),
    ],
)
def test_other_world_sizes(reshard: Reshard, says: str) -> None:
    text = shown(facts_lines(judge(facts(1)._replace(reshard=reshard)), False, NOW, 118))
    assert says in text
    assert says or "other world sizes" not in text


def test_a_tag_is_offered_where_there_is_no_flag() -> None:
    made = facts(1)._replace(loader=LoaderFacts(tag="global_step1"))
    assert "resume with  tag global_step1" in shown(facts_lines(judge(made), True, NOW, 118))


def test_roles_that_are_missing_are_named() -> None:
    text = shown(roles_lines(by_step(12100), 118))
    assert "rng         ✗ missing" in text
    assert "4 of 5 required roles" in text
    assert "key `model` in .metadata" in text


def test_roles_that_are_not_yet_written_are_no_fault() -> None:
    text = shown(roles_lines(by_step(12500), 118))
    assert "rng         · not yet" in text
    assert "missing" not in text


def test_findings_come_with_path_remedy_rule_and_what_was_not_checked() -> None:
    picture = situations.nothing_resumable()
    corrupt = next(c for c in picture.checkpoints if c.step == 200)
    text = shown(findings_lines(corrupt, picture.runs[0], 118))
    assert "✗ truncated-file   distcp/__1_0.distcp" in text
    assert "→ Resume from another checkpoint; this file cannot be read." in text
    assert "judged by" in text
    assert "rule: metadata.json is written last" in text
    assert "not checked  the bytes of tensors" in text


def test_findings_of_the_run_are_shown_too() -> None:
    picture = situations.mixed()
    text = shown(findings_lines(by_step(12400), picture.runs[0], 118))
    assert "✔ no findings" in text
    assert "about the run\n⚠ pointer-stale" in text


def test_files_and_tensors() -> None:
    checkpoint = situations.with_tensors().checkpoints[0]
    files = shown(files_lines(checkpoint, 118))
    assert "distcp/__3_0.distcp" in files
    assert "progress" in files
    tensors = shown(tensors_lines(checkpoint, 118))
    assert "layers.11.attention.wq[0]" in tensors
    assert "4096×4096  32.0 MiB" in tensors
    more = checkpoint._replace(facts=checkpoint.facts._replace(tensors_total=20))
    assert "8 more tensors not listed" in shown(tensors_lines(more, 118))


def test_the_telling_tab() -> None:
    assert telling_tab(by_step(12500)) is Tab.SHARDS
    assert telling_tab(by_step(12200)) is Tab.FINDINGS
    assert telling_tab(by_step(12400)) is Tab.ROLES
    assert Tab.TENSORS not in tabs_of(by_step(12400))
    assert Tab.TENSORS in tabs_of(situations.with_tensors().checkpoints[0])


def test_ranks_of_a_save_in_flight() -> None:
    cells = rank_cells(by_step(12500), by_step(12400))
    states = [cell.state for cell in cells]
    assert len(cells) == situations.RANKS
    assert states[0] is RankState.DONE
    assert states[890] is RankState.WRITING
    assert states[1000] is RankState.WAITING
    assert states[1187] is RankState.SILENT
    assert cells[0].expected_bytes is not None
    legend = text_of(legend_line(cells, 1))
    assert legend == "? silent 1   ▪ writing 23   · waiting 376   █ done 880"


def test_a_shard_that_is_smaller_than_last_time_is_still_written() -> None:
    flying = by_step(12500)
    small = flying.facts._replace(
        shards=tuple(s._replace(size_bytes=s.size_bytes // 2) for s in flying.facts.shards)
    )
    cells = rank_cells(flying._replace(facts=small), by_step(12400))
    assert cells[0].state is RankState.WRITING
    other = by_step(12400)
    other = other._replace(facts=other.facts._replace(world_size=8))
    assert rank_cells(flying._replace(facts=small), other)[0].state is RankState.DONE


def test_ranks_of_a_settled_checkpoint() -> None:
    cells = rank_cells(judge(facts(1, absent=(1,), broken=(2,))), None)
    assert [cell.state for cell in cells] == [
        RankState.DONE,
        RankState.MISSING,
        RankState.BROKEN,
        RankState.DONE,
    ]
    assert text_of(caption(cells[1:2])) == "rank 1 · ✗ missing"
    assert "rank 2 · ! short · 341 MiB · distcp/__2_0.distcp" in text_of(caption(cells[2:3]))
    assert (
        text_of(caption(cells)) == "ranks 0–3 · 1 missing · 1 short or empty · 2 done · ranks 1–2"
    )
    table = shown(shards_table(cells, 118))
    assert table.count("\n") == 4


def test_many_ranks_list_only_those_that_are_not_done() -> None:
    cells = rank_cells(by_step(12200), None)
    table = shards_table(cells, 118)
    assert len(table) == 2
    assert text_of(table[1]).split()[:3] == ["640", "✗", "missing"]
    assert list(shards_table(rank_cells(by_step(12400), None), 118)) == []


@given(st.integers(1, 20000), st.integers(1, 200), st.integers(1, 40))
def test_every_rank_has_a_place_in_the_grid(count: int, width: int, most_rows: int) -> None:
    layout = grid_layout(count, width, most_rows)
    cells = layout.columns * layout.rows
    assert layout.rows <= most_rows
    assert layout.columns * layout.cell_width <= max(width, 1)
    assert cells * layout.group >= count
    assert (cells - layout.columns) * layout.group < count
    assert layout.group == 1 or grid_layout(count, width, most_rows * 2).group < layout.group


@given(st.lists(st.sampled_from(RankState), min_size=1, max_size=70), st.integers(1, 9))
def test_groups_hide_no_trouble(states: list[RankState], group: int) -> None:
    cells = [RankCell(rank, state, None, None) for rank, state in enumerate(states)]
    made = grouped(cells, group)
    assert len(made) == -(-len(states) // group)
    for place, state in enumerate(made):
        part = states[place * group : (place + 1) * group]
        for trouble in (RankState.MISSING, RankState.BROKEN, RankState.SILENT):
            if trouble in part:
                break
        else:
            assert state is (part[0] if len(set(part)) == 1 else RankState.WRITING)
            continue
        assert state is trouble


@given(st.lists(st.sampled_from(RankState), max_size=70), st.integers(1, 2))
def test_run_lengths_draw_one_cell_a_state(states: list[RankState], cell_width: int) -> None:
    pieces = run_lengths(states, cell_width)
    text = "".join(part.text for part in pieces)
    assert len(text) == len(states) * cell_width
    assert len(pieces) <= len(states)


def test_a_mixed_group_is_half_way() -> None:
    assert group_state([RankState.DONE, RankState.WAITING]) is RankState.WRITING
