"""Saves that the cadence says were due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ckpt_tui.core.gaps import gap_findings
from ckpt_tui.core.vocabulary import Severity
from tests.core.builders import UNCOMMITTED, checkpoint, roles

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.core.findings import Finding

PADDED = "iter_{:07d}"


def saves(*steps: int, name: str = "checkpoint-{}") -> list[Checkpoint]:
    return [checkpoint(s, path=f"/run/{name.format(s)}", name=name.format(s)) for s in steps]


def export(step: int) -> Checkpoint:
    return checkpoint(step, path="/run", name="run", export=True, roles=roles("model", "progress"))


def gap(checkpoints: list[Checkpoint], disordered: bool = False) -> Finding | None:
    found = gap_findings(checkpoints, "/run", disordered)
    assert len(found) <= 1
    return found[0] if found else None


def test_at_a_power_of_ten_a_sort_by_text_removed_the_newest() -> None:
    found = gap(saves(800, 900, 1200))
    assert found is not None
    assert (found.code, found.severity) == ("cadence-gap", Severity.WARNING)
    assert "steps 1000–1100 are absent between 900 and 1200" in found.message
    assert "sorts names as text takes 1000 for the oldest" in found.message


def test_the_next_save_at_a_power_of_ten_is_a_remark() -> None:
    found = gap(saves(*range(9000, 10000, 100)))
    assert found is not None
    assert found.severity is Severity.INFO
    assert "step 10000 is next" in found.message


def test_an_export_above_shows_that_the_job_went_on() -> None:
    found = gap([*saves(400, 600, 800), export(1100)])
    assert found is not None
    assert found.severity is Severity.WARNING
    assert "step 1000 is absent, though the job reached 1100" in found.message


def test_a_hole_in_a_series_is_a_remark() -> None:
    found = gap(saves(100, 200, 400, 500, name=PADDED))
    assert found is not None
    assert found.severity is Severity.INFO
    assert "step 300 is absent between 200 and 400" in found.message


def test_where_times_disagree_the_end_is_looked_at() -> None:
    assert gap(saves(400, 600, 800, name=PADDED)) is None
    found = gap(saves(400, 600, 800, name=PADDED), disordered=True)
    assert found is not None
    assert "step 1000 is not here" in found.message


def test_counts_of_saves_have_a_cadence_too() -> None:
    counted = [
        checkpoint(None, ordinal=n, path=f"/run/checkpoint_{n}", name=f"checkpoint_{n}")
        for n in (8, 9, 12)
    ]
    found = gap(counted)
    assert found is not None
    assert "saves 10–11 are absent between 9 and 12" in found.message


@pytest.mark.parametrize(
    "steps",
    [
        (100, 200, 300, 400),
        (800, 900, 1000, 1100),
        (100, 800, 900, 1000),  # the best is kept beside the newest
        (1000, 2000, 3000, 3100, 3200, 3300),  # thinned: few of the old ones
        (200, 400, 600, 700, 800, 900, 910),
        (8, 12, 24, 31),  # kept for their score
        (100, 200),
        (7,),
        (),
    ],
)
def test_other_series_have_no_gap(steps: tuple[int, ...]) -> None:
    assert gap(saves(*steps, name=PADDED)) is None


def test_a_dead_save_is_not_absent() -> None:
    dead = checkpoint(300, name="iter_0000300", path="/run/3", commit=UNCOMMITTED)
    assert gap([*saves(100, 200, 400, 500, name=PADDED), dead]) is None


def test_an_export_just_after_the_last_save_is_no_gap() -> None:
    assert gap([*saves(10, 20, 30), export(35)]) is None
    assert gap([*saves(10, 20, 30), export(30)]) is None


def test_padded_names_sort_alike() -> None:
    assert gap(saves(*range(9000, 10000, 100), name=PADDED)) is None
    assert gap(saves(800, 900, 1200, name=PADDED)) is None


def test_a_score_in_the_name_is_no_counter() -> None:
    names = "step={}-loss=0.9{}.ckpt"
    made = [
        checkpoint(s, path=f"/run/{s}", name=names.format(s, n))
        for n, s in enumerate((100, 200, 300), 7)
    ]
    assert gap(made) is None


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**18), max_size=6), st.booleans())
def test_any_steps_are_judged_quickly(steps: list[int], disordered: bool) -> None:
    gap(saves(*steps), disordered)


@settings(deadline=None)
@given(st.integers(1, 500), st.integers(3, 30), st.integers(0, 10**6))
def test_a_padded_series_without_a_hole_is_never_told(
    interval: int, count: int, start: int
) -> None:
    steps = range(start, start + interval * count, interval)
    assert gap(saves(*steps, name=PADDED)) is None
