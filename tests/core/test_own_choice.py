"""What the framework takes by itself, and when that is a trap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.checkpoint import Activity
from ckpt_tui.core.facts import LoaderFacts, OwnChoice
from ckpt_tui.core.own_choice import Takes, own_choice_findings, own_way
from ckpt_tui.core.runs import Pointer, in_order, resume_point
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Effect, PointerState, Severity
from tests.core.builders import UNCOMMITTED, checkpoint, facts, finding, roles

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

HIGHEST = LoaderFacts(own_choice=OwnChoice.HIGHEST_NAME)
POINTED = LoaderFacts(own_choice=OwnChoice.POINTER)
COMMITTED = LoaderFacts(own_choice=OwnChoice.HIGHEST_COMMITTED)
MARKED = UNCOMMITTED._replace(skipped=True, finish="rm step-20-unfinished")


def codes(*checkpoints: Checkpoint, pointers: tuple[Pointer, ...] = ()) -> list[str]:
    judged = in_order(checkpoints)
    return [f.code for f in own_choice_findings(judged, pointers, resume_point(judged))]


def test_a_broken_highest_number_is_a_trap() -> None:
    whole = checkpoint(20, loader=HIGHEST)
    assert codes(whole, checkpoint(30, loader=HIGHEST, commit=UNCOMMITTED)) == ["auto-resume-trap"]
    assert codes(whole, checkpoint(30, loader=HIGHEST)) == []


def test_nothing_is_taken_where_all_are_copies_under_other_names() -> None:
    assert codes(checkpoint(20, loader=HIGHEST, name="checkpoint-20.bak", alias=True)) == []


def test_numbers_are_compared_as_numbers() -> None:
    nine = checkpoint(9, loader=HIGHEST, name="checkpoint-9")
    ten = checkpoint(10, loader=HIGHEST, name="checkpoint-10")
    assert codes(nine, ten) == []


def test_a_name_above_its_content_is_a_trap() -> None:
    misnamed = checkpoint(10, loader=HIGHEST, name="checkpoint-30", path="/run/checkpoint-30")
    assert codes(checkpoint(20, loader=HIGHEST), misnamed) == ["auto-resume-trap"]


def test_without_any_pointer_it_starts_from_zero() -> None:
    whole = checkpoint(20, loader=POINTED)
    pointer = Pointer("/run/latest", "text", "step-20", whole.path, PointerState.OK)
    assert codes(whole) == ["starts-from-zero"]
    assert codes(whole, pointers=(pointer,)) == []
    assert codes(whole, pointers=(pointer._replace(default=False),)) == ["starts-from-zero"]


def test_nothing_is_said_where_nothing_is_known_or_nothing_can_be_resumed() -> None:
    assert codes(checkpoint(20)) == []
    assert codes(checkpoint(20, loader=HIGHEST, commit=UNCOMMITTED)) == []


def test_what_a_good_pointer_names_is_followed_though_it_cannot_be_gone_on_from() -> None:
    whole = checkpoint(20, loader=POINTED)
    weights = checkpoint(30, loader=POINTED, roles=roles("model", "progress"), declared=True)
    pointer = Pointer("/run/latest", "text", "step-30", weights.path, PointerState.OK)
    assert codes(whole, weights, pointers=(pointer,)) == ["auto-resume-trap"]
    assert codes(whole, weights, pointers=(pointer._replace(target=whole.path),)) == []


def test_another_form_of_the_same_step_is_no_trap() -> None:
    plain = checkpoint(20, loader=POINTED)
    universal = checkpoint(20, loader=POINTED, path="/run/step-20_universal")
    pointer = Pointer("/run/latest", "text", "step-20", plain.path, PointerState.OK)
    assert codes(plain, universal, pointers=(pointer,)) == []


def test_a_temporary_name_is_not_taken() -> None:
    whole = checkpoint(20, loader=HIGHEST)
    staged = checkpoint(30, loader=HIGHEST, commit=UNCOMMITTED, staging=True)
    assert codes(whole, staged) == []


def test_where_what_is_not_committed_is_passed_over_only_damage_is_a_trap() -> None:
    whole, dead = (
        checkpoint(20, loader=COMMITTED),
        checkpoint(30, loader=COMMITTED, commit=UNCOMMITTED),
    )
    corrupt = checkpoint(40, loader=COMMITTED, findings=(finding(Effect.CORRUPT),))
    assert codes(whole, dead) == []
    assert codes(whole, dead, corrupt) == ["auto-resume-trap"]


@pytest.mark.parametrize(
    ("dead", "expected"),
    [
        (checkpoint(20, loader=POINTED, commit=UNCOMMITTED), ["starts-from-zero"]),
        (checkpoint(20, loader=COMMITTED, commit=UNCOMMITTED), ["starts-from-zero"]),
        (checkpoint(20, commit=MARKED), ["starts-from-zero"]),
        (checkpoint(20, commit=MARKED, alias=True), ["starts-from-zero"]),
        (checkpoint(20, loader=HIGHEST, commit=UNCOMMITTED), []),
        (checkpoint(20, commit=UNCOMMITTED), []),
    ],
)
def test_nothing_good_and_a_framework_that_does_not_say_so(
    dead: Checkpoint, expected: list[str]
) -> None:
    assert codes(dead) == expected


def test_a_whole_one_is_finished_rather_than_begun_anew() -> None:
    marked = checkpoint(20, commit=MARKED)
    (found,) = own_choice_findings([marked], (), None)
    assert found.severity is Severity.ERROR
    assert found.remedy.endswith("rm step-20-unfinished")


FIXED = LoaderFacts(own_choice=OwnChoice.FIXED_NAME)


def test_a_name_that_is_written_over_is_taken_whatever_is_beside_it() -> None:
    whole = checkpoint(20)
    broken = checkpoint(None, path="/run/backup", loader=FIXED, findings=(finding(Effect.CORRUPT),))
    (found,) = own_choice_findings([whole, broken], (), whole)
    assert (found.code, found.path) == ("auto-resume-trap", "/run/backup")
    assert found.remedy == (
        "Move backup away, which is taken whatever else is loaded, and name the resume point"
        " yourself: /run/step-20"
    )
    assert way(whole, broken) == (Takes.OTHER, broken)
    assert codes(whole, checkpoint(10, loader=FIXED)) == ["auto-resume-trap"]
    assert codes(whole, checkpoint(30, loader=FIXED)) == []


def test_of_one_step_it_is_no_trap_whatever_was_counted() -> None:
    counted = checkpoint(20, ordinal=4)
    assert codes(counted, checkpoint(20, path="/run/backup", ordinal=2, loader=FIXED)) == []


def test_it_is_taken_where_nothing_is_good_too() -> None:
    broken = checkpoint(20, loader=FIXED, commit=UNCOMMITTED)
    (found,) = own_choice_findings([broken], (), None)
    assert found.code == "auto-resume-trap"
    assert found.remedy.startswith("Move step-20 away before the job is started")
    saving = judge(facts(20, commit=MARKED, loader=FIXED), activity=Activity(True, "grew"))
    assert codes(saving) == []


def test_of_two_such_names_nobody_knows_whose_job_is_meant() -> None:
    two = [checkpoint(n, loader=FIXED, commit=UNCOMMITTED) for n in (20, 30)]
    assert codes(*two, checkpoint(10)) == []


def test_while_a_save_is_in_flight_nothing_is_said() -> None:
    saving = judge(facts(20, commit=MARKED), activity=Activity(True, "grew 0.1 s ago"))
    assert codes(saving) == []


def way(
    *checkpoints: Checkpoint, pointers: tuple[Pointer, ...] = ()
) -> tuple[Takes, Checkpoint | None]:
    judged = in_order(checkpoints)
    found = own_way(judged, pointers, resume_point(judged))
    return found.takes, found.checkpoint


def pointer_to(target: str | None, state: PointerState) -> tuple[Pointer, ...]:
    return (Pointer("/run/latest", "text", "step", target, state),)


def test_the_own_way_by_number() -> None:
    whole, cut = checkpoint(20, loader=HIGHEST), checkpoint(30, loader=HIGHEST, commit=UNCOMMITTED)
    assert way(whole) == (Takes.RESUME_POINT, None)
    assert way(whole, cut) == (Takes.OTHER, cut)
    assert way(cut) == (Takes.OTHER, cut)
    skipping = checkpoint(30, loader=COMMITTED, commit=UNCOMMITTED)
    assert way(skipping) == (Takes.NOTHING, None)
    assert way(checkpoint(20, loader=COMMITTED), skipping) == (Takes.RESUME_POINT, None)
    assert way(checkpoint(20)) == (Takes.UNTOLD, None)


@pytest.mark.parametrize(
    ("target", "state", "takes"),
    [
        ("/run/step-30", PointerState.OK, Takes.RESUME_POINT),
        ("/run/step-20", PointerState.STALE, Takes.OTHER),
        ("/run/step-40", PointerState.AHEAD, Takes.OTHER),
        ("/run/step-99", PointerState.DANGLING, Takes.BROKEN_POINTER),
        (None, PointerState.UNREADABLE, Takes.BROKEN_POINTER),
    ],
)
def test_the_own_way_by_a_pointer(target: str | None, state: PointerState, takes: Takes) -> None:
    old, good = checkpoint(20, loader=POINTED), checkpoint(30, loader=POINTED)
    cut = checkpoint(40, loader=POINTED, commit=UNCOMMITTED)
    assert way(old, good, cut, pointers=pointer_to(target, state))[0] is takes


def test_without_a_pointer_it_begins_anew() -> None:
    assert way(checkpoint(20, loader=POINTED)) == (Takes.NOTHING, None)
