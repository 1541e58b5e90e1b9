"""The resume point and the level of a run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.checkpoint import Activity, Checkpoint
from ckpt_tui.core.findings import Finding
from ckpt_tui.core.runs import Run, attempts_of, in_order, resume_point, run_level
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Effect, Level, Severity, Verdict
from tests.core.builders import COMMITTED, UNCOMMITTED, checkpoint, facts, finding, roles

WARNING = Finding("order-disagrees", Severity.WARNING, "", "times disagree", "look")
INEXACT = {"roles": roles(*(role for role in REQUIRED_ROLES if role != "rng"))}
DEAD = {"commit": UNCOMMITTED}
CORRUPT = {"findings": (finding(Effect.CORRUPT),)}


def saving(step: int) -> Checkpoint:
    return judge(facts(step, commit=UNCOMMITTED), activity=Activity(True, "grew 0.1 s ago"))


def export(step: int) -> Checkpoint:
    return checkpoint(step, export=True, path="/run", roles=roles("model", "progress"))


def named(name: str, step: int, **changes: Any) -> Checkpoint:
    return checkpoint(step, path=f"/run/{name}", name=name, **changes)


def run_of(*checkpoints: Checkpoint) -> Run:
    ordered = in_order(checkpoints)
    return Run("/run", "run", "torch-file", ordered, resume_point(ordered))


def test_the_highest_step_wins_as_a_number() -> None:
    found = resume_point([checkpoint(step) for step in (9, 10, 2)])
    assert found is not None
    assert found.step == 10


@pytest.mark.parametrize("broken", [DEAD, CORRUPT, {"roles": roles("model", "progress")}])
def test_what_cannot_be_resumed_is_passed_over(broken: dict[str, Any]) -> None:
    run = run_of(checkpoint(10), checkpoint(20, **broken))
    assert run.resume is not None
    assert run.resume.step == 10
    assert [c.step for c in run.rejected_newer] == [20]


def test_a_higher_step_wins_over_exactness_and_time() -> None:
    later = COMMITTED._replace(committed_at=9000.0)
    found = resume_point([checkpoint(10, commit=later), checkpoint(20, **INEXACT)])
    assert found is not None
    assert found.step == 20


def test_at_one_step_exact_wins_then_the_original_then_the_pointed_then_the_latest() -> None:
    def best(*checkpoints: Checkpoint, pointed: str = "") -> str:
        found = resume_point(checkpoints, frozenset({pointed}))
        assert found is not None
        return found.facts.name

    late = COMMITTED._replace(committed_at=9000.0)
    assert best(named("a", 10, **INEXACT, commit=late), named("b", 10)) == "b"
    assert best(named("last", 10, alias=True, commit=late), named("b", 10)) == "b"
    assert best(named("a", 10), named("b", 10, commit=late), pointed="/run/a") == "a"
    assert best(named("last", 10, alias=True), named("b", 10), pointed="/run/last") == "b"
    assert best(named("a", 10, commit=late), named("b", 10)) == "a"


def test_where_only_saves_are_counted_the_count_orders() -> None:
    found = resume_point([checkpoint(None, path=f"/run/{n}", ordinal=n) for n in (9, 10)])
    assert found is not None
    assert found.facts.ordinal == 10


def test_nothing_resumable_is_no_resume_point() -> None:
    run = run_of(checkpoint(10, **DEAD), checkpoint(20, **CORRUPT))
    assert run.resume is None
    assert run.rejected_newer == run.attempts


def test_exports_come_last_and_are_no_attempts_but_staged_ones_are() -> None:
    staged = checkpoint(40, staging=True, commit=UNCOMMITTED)
    run = run_of(export(30), checkpoint(20), checkpoint(10), staged)
    assert run.checkpoints[-1].facts.export
    assert [c.step for c in run.attempts] == [40, 20, 10]
    assert run.newest is not None
    assert run.newest.step == 40
    assert attempts_of([export(30)]) == ()


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.booleans()), max_size=6))
def test_the_resume_point_is_resumable_and_no_resumable_one_is_above(
    cases: list[tuple[int, bool, bool]],
) -> None:
    made = [
        named(f"{n}", step, **(INEXACT if lossy else {}), **(CORRUPT if broken else {}))
        for n, (step, lossy, broken) in enumerate(cases)
    ]
    found = resume_point(made)
    able = [c for c in made if c.resumable]
    assert (found is None) == (not able)
    if found is not None:
        assert found.resumable
        assert found.step == max(c.step or 0 for c in able)


@pytest.mark.parametrize(
    ("checkpoints", "level"),
    [
        ([], Level.EMPTY),
        ([export(30)], Level.EMPTY),
        ([checkpoint(10)], Level.OK),
        ([checkpoint(10), saving(20)], Level.OK),
        ([checkpoint(10), export(30)], Level.OK),
        ([checkpoint(10, **INEXACT)], Level.OK),
        ([checkpoint(10), checkpoint(20, **DEAD)], Level.WARNING),
        ([checkpoint(10), checkpoint(20, **CORRUPT)], Level.WARNING),
        ([checkpoint(10, **CORRUPT), checkpoint(20)], Level.OK),
        ([checkpoint(10, findings=(WARNING,))], Level.WARNING),
        ([checkpoint(10, findings=(WARNING,)), checkpoint(20)], Level.OK),
        ([checkpoint(10, **DEAD)], Level.CRITICAL),
        ([saving(20)], Level.CRITICAL),
        ([checkpoint(10, **CORRUPT), export(30)], Level.CRITICAL),
    ],
)
def test_levels(checkpoints: list[Checkpoint], level: Level) -> None:
    assert run_level(checkpoints, resume_point(checkpoints), ()) is level


def test_a_warning_about_the_run_is_heard() -> None:
    only = [checkpoint(10)]
    assert run_level(only, only[0], (WARNING,)) is Level.WARNING


def test_the_save_in_flight_is_named() -> None:
    run = run_of(checkpoint(10), saving(20))
    assert run.in_flight is not None
    assert run.in_flight.verdict is Verdict.SAVING
    assert [c.step for c in run.good] == [10]
