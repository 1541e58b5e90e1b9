"""What the framework takes by itself, and when that is a trap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ckpt_tui.core.facts import LoaderFacts, OwnChoice
from ckpt_tui.core.own_choice import own_choice_findings
from ckpt_tui.core.runs import Pointer, in_order, resume_point
from ckpt_tui.core.vocabulary import PointerState
from tests.core.builders import UNCOMMITTED, checkpoint

if TYPE_CHECKING:
    from ckpt_tui.core.checkpoint import Checkpoint

HIGHEST = LoaderFacts(own_choice=OwnChoice.HIGHEST_NAME)
POINTED = LoaderFacts(own_choice=OwnChoice.POINTER)


def codes(*checkpoints: Checkpoint, pointers: tuple[Pointer, ...] = ()) -> list[str]:
    judged = in_order(checkpoints)
    return [f.code for f in own_choice_findings(judged, pointers, resume_point(judged))]


def test_a_broken_highest_number_is_a_trap() -> None:
    whole = checkpoint(20, loader=HIGHEST)
    assert codes(whole, checkpoint(30, loader=HIGHEST, commit=UNCOMMITTED)) == ["auto-resume-trap"]
    assert codes(whole, checkpoint(30, loader=HIGHEST)) == []


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
