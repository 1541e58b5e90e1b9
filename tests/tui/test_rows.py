"""Rows, columns, filter and sort, without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.facts import RoleFacts
from ckpt_tui.core.query import parse_query
from ckpt_tui.core.query_words import BadQueryError
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.tui.icons import VERDICT_LOOKS
from ckpt_tui.tui.lines import line, text_of, width_of
from ckpt_tui.tui.rows.arrange import Arranging, arrange
from ckpt_tui.tui.rows.columns import COLUMNS, columns_in, fit_columns, row_line, titles_line
from ckpt_tui.tui.rows.notes import is_fault, minutes_text, utc_text
from ckpt_tui.tui.rows.order import (
    NEWEST_FIRST,
    SORTABLE,
    SortKey,
    sort_of,
    sorted_rows,
    words_of,
)
from ckpt_tui.tui.rows.present import Row, age_cell, heading_of, present, row_values
from tests.tui import situations
from tests.tui.builders import NOW, facts, run_of, snapshot_of

if TYPE_CHECKING:
    from ckpt_tui.core.runs import Run


def rows_of(*runs: Run) -> dict[str, Row]:
    values = row_values(snapshot_of(*runs), {})
    return {path: present(value) for path, value in values.items()}


def cells(row: Row) -> dict[str, str]:
    return {key: text_of(cell) for key, cell in row.cells.items()}


def test_a_good_row() -> None:
    run = situations.healthy().runs[0]
    row = next(iter(rows_of(run).values()))
    shown = cells(row)
    assert shown["state"] == "✔ exact"
    assert (shown["step"], shown["size"], shown["roles"]) == ("1200", "4.00 GiB", "MOSRP")
    assert (shown["shards"], shown["took"]) == ("8/8", "≥2m 11s")
    assert shown["note"] == "resume point · named by latest"
    assert text_of(age_cell(row, NOW)) == "10m"


def test_notes_say_why_a_checkpoint_is_no_better() -> None:
    rows = rows_of(*situations.mixed().runs)
    notes = {cells(row)["step"]: cells(row)["note"] for row in rows.values()}
    assert notes == {
        "12500": "rank 1187 silent",
        "12400": "resume point",
        "12300": "named by latest_checkpointed_iteration.txt",
        "12200": "rank 640 of 1280 has no shard",
        "12100": "no rng",
        "12050": "never finished: metadata.json is missing",
        "10000": "no optimizer",
        "8000": "no optimizer",
    }


def test_a_role_of_some_ranks_is_a_small_letter() -> None:
    made = facts(100)
    roles = [r for r in made.roles if r.role != "rng"]
    part = RoleFacts("rng", None, 3, "key `rng`", missing_ranks=(2,))
    row = rows_of(run_of([made._replace(roles=(*roles, part))])).popitem()[1]
    assert cells(row)["roles"] == "MOSrP"
    assert cells(row)["note"] == "resume point · no rng of rank 2"


def test_a_data_loader_adds_a_letter() -> None:
    made = facts(100, roles=("model", "optimizer", "scheduler", "rng", "progress", "dataloader"))
    assert cells(rows_of(run_of([made])).popitem()[1])["roles"] == "MOSRPD"


@pytest.mark.parametrize(
    ("step", "ordinal", "title"), [(7, None, "step 7"), (None, 3, "save 3"), (None, None, "last")]
)
def test_what_a_checkpoint_is_called(step: int | None, ordinal: int | None, title: str) -> None:
    assert judge(facts(step, ordinal=ordinal, name="last")).title == title


def test_states_differ_by_icon_and_by_word() -> None:
    assert set(VERDICT_LOOKS) == set(Verdict)
    assert len({look.icon for look in VERDICT_LOOKS.values()}) == len(Verdict)
    assert all(width_of(line(look.icon)) == 1 for look in VERDICT_LOOKS.values())


@pytest.mark.parametrize(
    ("seconds", "text"), [(NOW, "2026-01-01 11:00:00 UTC"), (None, "–"), (1e30, "–")]
)
def test_absolute_times(seconds: float | None, text: str) -> None:
    assert utc_text(seconds) == text


@pytest.mark.parametrize(
    ("minutes", "text"), [(0, "0m"), (0.5, "30s"), (27, "27m"), (74, "1h 14m")]
)
def test_minutes(minutes: float, text: str) -> None:
    assert minutes_text(minutes) == text


def test_a_lower_bound_of_nothing_says_nothing() -> None:
    row = rows_of(run_of([facts(100, took=0.2)])).popitem()[1]
    assert cells(row)["took"] == "–"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", [12500, 12400, 12300, 12200, 12100, 12050, 10000, 8000]),
        ("exact", [12400, 12300, 12100]),
        ("!exact", [12500, 12200, 12050, 10000, 8000]),
        ("state:exact", [12400, 12300]),
        ("!state:exact silent", [12500]),
        ("step>12200", [12500, 12400, 12300]),
        ("step<=12050 step>=10000", [12050, 10000]),
        ("step=12100", [12100]),
        ("size<1t", [12500, 12050, 10000, 8000]),
        ("size>=1.25tib", [12400, 12300, 12200, 12100]),
        ("role:rng", [12400, 12300, 12200]),
        ("!role:rng role:optim", [12500, 12100, 12050]),
        ("rank:640", [12200]),
        ("RANK 640", [12200]),
        ("latest_checkpointed", [12300]),
        ("nowhere", []),
    ],
)
def test_filters(text: str, steps: list[int]) -> None:
    run = situations.mixed().runs[0]
    rows = rows_of(run)
    shown = arrange([run], rows, Arranging(query=parse_query(text)))
    assert [rows[key].value.checkpoint.step for key in shown.order] == steps
    assert shown.total == 8


@pytest.mark.parametrize("text", ["step", "step>", "size>=", "!", "!rank:", "rank", "state:"])
def test_a_half_typed_field_hides_nothing(text: str) -> None:
    run = situations.mixed().runs[0]
    assert arrange([run], rows_of(run), Arranging(query=parse_query(text))).shown == 8


@pytest.mark.parametrize("text", ["step>x", "size<1q", "rank:x", "!step=-"])
def test_a_filter_that_cannot_be_read(text: str) -> None:
    with pytest.raises(BadQueryError, match=r"needs a value, such as"):
        parse_query(text)


def test_faults_only_combines_with_the_filter() -> None:
    run = situations.mixed().runs[0]
    rows = rows_of(run)
    steps = [
        rows[key].value.checkpoint.step
        for key in arrange([run], rows, Arranging(faults_only=True)).order
    ]
    assert steps == [12500, 12200, 12050]
    both = Arranging(parse_query("step>12100"), faults_only=True)
    assert arrange([run], rows, both).shown == 2
    assert not any(is_fault(c) for c in run.checkpoints if c.resumable)


@pytest.mark.parametrize("column", [c.key for c in COLUMNS if c.sortable])
@pytest.mark.parametrize("descending", [True, False])
def test_sorting_loses_no_row(column: str, descending: bool) -> None:
    run = situations.mixed().runs[0]
    rows = rows_of(run)
    shown = arrange([run], rows, Arranging(sort=(SortKey(column, descending),)))
    assert sorted(shown.order) == sorted(rows)


def test_sorting_goes_by_value_not_by_text() -> None:
    made = [facts(9, size=999), facts(100, size=2**40), facts(20, size=2**20)]
    run = run_of(made)
    rows = rows_of(run)

    def steps(how: Arranging) -> list[int | None]:
        return [rows[key].value.checkpoint.step for key in arrange([run], rows, how).order]

    assert steps(Arranging()) == [100, 20, 9]
    assert steps(Arranging(sort=(SortKey("size"),))) == [100, 20, 9]
    assert steps(Arranging(sort=(SortKey("size", False),))) == [9, 20, 100]


def test_runs_get_headings_that_a_filter_takes_away() -> None:
    runs = situations.several_runs().runs
    rows = rows_of(*runs)
    assert len(arrange(runs, rows).headings) == 3
    assert len(arrange(runs, rows, Arranging(query=parse_query("step>500"))).headings) == 1
    texts = [text_of(heading_of(run)) for run in runs]
    assert "dpo-8b · megatron-dist · nothing to resume from · 1 checkpoint" in texts
    assert "reward · megatron-dist · exports only · 1 checkpoint" in texts
    assert "sft-8b · megatron-dist · resume from step 800 ✔ exact · 3 checkpoints" in texts


@given(
    st.integers(1, 250),
    st.dictionaries(st.sampled_from([c.key for c in COLUMNS]), st.integers(0, 300)),
)
def test_columns_that_are_chosen_fit(width: int, content: dict[str, int]) -> None:
    fitted = fit_columns(COLUMNS, content, width)
    last = fitted[-1]
    always = {"state", "step"}
    assert always <= {place.column.key for place in fitted}
    if {place.column.key for place in fitted} != always:
        assert last.start + last.width <= width
    starts = [place.start for place in fitted]
    assert starts == sorted(starts)
    assert width_of(row_line(fitted, {})) == last.start + last.width


def test_columns_are_dropped_by_rank() -> None:
    def keys(width: int) -> list[str]:
        return [place.column.key for place in fit_columns(COLUMNS, {}, width)]

    assert keys(117) == ["state", "step", "age", "size", "roles", "shards", "took", "note"]
    assert keys(60) == ["state", "step", "age", "shards", "note"]
    assert keys(20) == ["state", "step"]


def test_all_columns_are_as_wide_as_their_content() -> None:
    fitted = fit_columns(COLUMNS, {"note": 80}, 40, wide=True)
    assert len(fitted) == len(COLUMNS)
    assert next(place.width for place in fitted if place.column.key == "note") == 80


def test_the_sorted_column_is_marked() -> None:
    fitted = fit_columns(COLUMNS, {}, 117)
    assert "size ▲" in text_of(titles_line(fitted, [("size", False)]))
    assert "step ▼" in text_of(titles_line(fitted, [("step", True)]))


def test_several_sorted_columns_are_numbered() -> None:
    fitted = fit_columns(COLUMNS, {}, 117)
    text = text_of(titles_line(fitted, [("size", True), ("step", False)]))
    assert "size▼1" in text
    assert "step▲2" in text


def steps_by(rows: dict[str, Row], run: Run, *sort: SortKey) -> list[int | None]:
    order = arrange([run], rows, Arranging(sort=sort)).order
    return [rows[key].value.checkpoint.step for key in order]


def test_the_second_column_orders_what_is_equal_in_the_first() -> None:
    made = [facts(1, size=5, took=9.0), facts(2, size=7, took=1.0), facts(3, size=5, took=2.0)]
    run = run_of([*made, facts(4, size=5, took=None)])
    rows = rows_of(run)
    assert steps_by(rows, run, SortKey("size"), SortKey("took")) == [2, 1, 3, 4]
    assert steps_by(rows, run, SortKey("size"), SortKey("took", False)) == [2, 3, 1, 4]
    assert steps_by(rows, run, SortKey("size", False), SortKey("step", False)) == [1, 3, 4, 2]
    assert steps_by(rows, run, SortKey("size", False)) == [4, 3, 1, 2]
    assert steps_by(rows, run, SortKey("took")) == [1, 3, 2, 4]


_SORTS = st.lists(
    st.builds(SortKey, st.sampled_from(SORTABLE), st.booleans()),
    max_size=3,
    unique_by=lambda k: k[0],
).map(tuple)


@given(_SORTS, st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=8))
def test_sorting_is_stable_and_by_all_columns(
    sort: tuple[SortKey, ...], values: list[tuple[int, int]]
) -> None:
    made = [facts(step, size=size, took=took or None) for step, (size, took) in enumerate(values)]
    run = run_of(made)
    rows = list(rows_of(run).values())
    shown = list(sorted_rows(rows, sort))
    assert sorted(map(id, shown)) == sorted(map(id, rows))
    places = {id(row): place for place, row in enumerate(rows)}

    def key_of(row: Row) -> tuple[tuple[bool, float], ...]:
        signed = ((row.raw[key.column], -1 if key.descending else 1) for key in sort)
        values = tuple((value is None, (value or 0) * sign) for value, sign in signed)
        return (*values, (False, places[id(row)]))

    if not any(key.column == "step" for key in sort):
        assert shown == sorted(rows, key=key_of)


@given(_SORTS)
def test_a_sort_can_be_written_and_read(sort: tuple[SortKey, ...]) -> None:
    assert sort_of(words_of(sort)) == (sort or NEWEST_FIRST)


@pytest.mark.parametrize(
    ("words", "sort"),
    [
        ((), NEWEST_FIRST),
        (("nothing", "-"), NEWEST_FIRST),
        (("-size", "size", "step"), (SortKey("size"), SortKey("step", False))),
    ],
)
def test_unknown_columns_do_not_sort(words: tuple[str, ...], sort: tuple[SortKey, ...]) -> None:
    assert sort_of(words) == sort


def test_columns_can_be_chosen() -> None:
    chosen = columns_in(("step", "name", "unknown", "state"))
    narrow = [place.column.key for place in fit_columns(chosen, {}, 117)]
    assert narrow == ["step", "name", "state"]
    wide = [place.column.key for place in fit_columns(chosen, {}, 40, wide=True)]
    assert wide[:3] == narrow
    assert set(wide) == {column.key for column in COLUMNS}
    assert columns_in(()) == COLUMNS


def test_every_sortable_column_has_raw_values() -> None:
    assert {column.key for column in COLUMNS if column.sortable} == set(SORTABLE)
    (row,) = rows_of(run_of([facts(1)])).values()
    assert set(row.raw) == set(SORTABLE)
