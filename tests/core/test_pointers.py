from __future__ import annotations

from typing import Any

import pytest

from ckpt_tui.core.facts import RawPointer
from ckpt_tui.core.pointers import judge_pointer, pointer_findings
from ckpt_tui.core.vocabulary import Effect, PointerState
from tests.core.builders import UNCOMMITTED, checkpoint, finding, roles

RUN = (
    checkpoint(10),
    checkpoint(20),
    checkpoint(30, findings=(finding(Effect.CORRUPT),)),
    checkpoint(40, commit=UNCOMMITTED),
)
WITHOUT_BROKEN = RUN[:2]


def raw(*targets: str, **changes: Any) -> RawPointer:
    return RawPointer("/run/latest", "text", "step", targets)._replace(**changes)


@pytest.mark.parametrize(
    ("pointer", "state"),
    [
        (raw("/run/step-20"), PointerState.OK),
        (raw("/run/step-10"), PointerState.STALE),
        (raw("/run/step-30"), PointerState.DANGLING),
        (raw("/elsewhere", "/run/step-20"), PointerState.OK),
        (raw(problem="unreadable"), PointerState.UNREADABLE),
        (raw(problem="loop"), PointerState.LOOP),
        (raw(), PointerState.DANGLING),
    ],
)
def test_among_good_checkpoints(pointer: RawPointer, state: PointerState) -> None:
    assert judge_pointer(pointer, WITHOUT_BROKEN).state is state


@pytest.mark.parametrize("step", [30, 40])
def test_a_pointer_to_a_broken_one_is_ahead(step: int) -> None:
    judged = judge_pointer(raw(f"/run/step-{step}"), RUN)
    assert judged.state is PointerState.AHEAD
    assert judged.target == f"/run/step-{step}"


def test_a_dangling_pointer_still_says_what_it_names() -> None:
    assert judge_pointer(raw("/run/gone"), RUN).target == "/run/gone"


def test_an_export_is_never_the_newest() -> None:
    export = checkpoint(30, path="/run", export=True, roles=roles("model", "progress"))
    assert judge_pointer(raw("/run/step-20"), (*WITHOUT_BROKEN, export)).state is PointerState.OK


def test_two_forms_of_one_step_do_not_make_a_pointer_stale() -> None:
    later = checkpoint(20, path="/run/step-20-copy")
    assert judge_pointer(raw("/run/step-20"), (*WITHOUT_BROKEN, later)).state is PointerState.OK


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (PointerState.STALE, "pointer-stale"),
        (PointerState.AHEAD, "pointer-ahead"),
        (PointerState.DANGLING, "pointer-dangling"),
        (PointerState.UNREADABLE, "pointer-unreadable"),
        (PointerState.LOOP, "pointer-unreadable"),
    ],
)
def test_findings_say_what_to_pass_instead(state: PointerState, code: str) -> None:
    pointer = judge_pointer(raw("/run/step-20"), WITHOUT_BROKEN)._replace(state=state)
    (found,) = pointer_findings([pointer], RUN[1])
    assert found.code == code
    assert "/run/step-20" in found.remedy
    (hopeless,) = pointer_findings([pointer], None)
    assert "Nothing here" in hopeless.remedy


def test_a_good_pointer_is_no_finding() -> None:
    assert pointer_findings([judge_pointer(raw("/run/step-20"), WITHOUT_BROKEN)], RUN[1]) == ()
