from __future__ import annotations

from typing import Any

import pytest

from ckpt_tui.core.checkpoint import Activity
from ckpt_tui.core.facts import FileFacts, RawPointer
from ckpt_tui.core.pointers import copies_as_pointers, judge_pointer, pointer_findings
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Effect, PointerState, Verdict
from tests.core.builders import UNCOMMITTED, checkpoint, facts, finding, roles

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
    pointer = judge_pointer(raw("/run/step-10"), WITHOUT_BROKEN)._replace(state=state)
    (found,) = pointer_findings([pointer], RUN[1])
    assert found.code == code
    assert "/run/step-20" in found.remedy
    (hopeless,) = pointer_findings([pointer], None)
    assert "Nothing here" in hopeless.remedy


def test_a_good_pointer_is_no_finding() -> None:
    assert pointer_findings([judge_pointer(raw("/run/step-20"), WITHOUT_BROKEN)], RUN[1]) == ()


def test_a_pointer_that_names_the_resume_point_is_right_though_a_newer_one_was_committed() -> None:
    pointer = judge_pointer(raw("/run/step-20"), RUN)
    assert pointer.state is PointerState.STALE
    assert pointer_findings([pointer], RUN[1]) == ()


def test_a_file_in_a_checkpoint_stands_for_it() -> None:
    inside = raw("/run/step-20/rank-1.pt")
    assert judge_pointer(inside, WITHOUT_BROKEN).target == "/run/step-20"
    files = (FileFacts("ep1-rank0.pt", 9, 0), FileFacts("ep1-rank1.pt", 9, 0))
    of_files = checkpoint(30, path="/run/ep1-rank0.pt", name="ep1-rank0.pt", files=files)
    member = judge_pointer(raw("/run/ep1-rank1.pt"), (*WITHOUT_BROKEN, of_files))
    assert (member.target, member.state) == (of_files.path, PointerState.OK)


def test_nothing_lies_in_a_run_that_is_its_own_export() -> None:
    export = checkpoint(30, path="/run", export=True, roles=roles("model", "progress"))
    gone = judge_pointer(raw("/run/step-99"), (*WITHOUT_BROKEN, export))
    assert gone.state is PointerState.DANGLING


def test_with_a_save_in_flight_the_remedy_is_to_wait() -> None:
    saving = judge(facts(40, commit=UNCOMMITTED), activity=Activity(True, "grew 0.1 s ago"))
    (found,) = pointer_findings([judge_pointer(raw("/run/gone"), [saving])], None, saving)
    assert found.remedy.startswith("Wait for step 40")


@pytest.mark.parametrize(
    ("name", "step", "state"),
    [
        ("last.ckpt", 20, PointerState.OK),
        ("checkpoint_last.pt", 10, PointerState.STALE),
        ("latest.pt", 30, PointerState.OK),
        ("best.pt", 10, None),
        ("step-10-copy", 10, None),
        ("lasting.pt", 10, None),
    ],
)
def test_a_copy_of_the_last_names_itself(name: str, step: int, state: PointerState | None) -> None:
    copy = checkpoint(step, path=f"/run/{name}", name=name, alias=True)
    pointers = copies_as_pointers((*WITHOUT_BROKEN, copy), "/run")
    assert [pointer.state for pointer in pointers] == ([] if state is None else [state])
    assert copies_as_pointers([copy], copy.path) == ()


def test_a_stale_or_broken_copy_is_told_as_such() -> None:
    stale = checkpoint(10, path="/run/last.ckpt", name="last.ckpt", alias=True)
    pointers = copies_as_pointers((*WITHOUT_BROKEN, stale), "/run")
    (found,) = pointer_findings(pointers, RUN[1])
    assert (found.code, found.message[:15]) == ("pointer-stale", "is a copy of an")
    broken = stale._replace(verdict=Verdict.CORRUPT, resumable=False)
    pointers = copies_as_pointers((*WITHOUT_BROKEN, broken), "/run")
    (found,) = pointer_findings(pointers, RUN[1])
    assert (found.code, found.message[:15]) == ("pointer-ahead", "is a copy that ")


def test_a_copy_that_names_another_may_dangle() -> None:
    elsewhere = judge_pointer(raw("/run/gone", kind="copy"), WITHOUT_BROKEN)
    (found,) = pointer_findings([elsewhere], RUN[1])
    assert "not there" in found.message
