"""What an operator is told to do with one checkpoint."""

from __future__ import annotations

import pytest

from ckpt_tui.core.advice import MOST_STEPS, headline, steps
from ckpt_tui.core.checkpoint import Activity, Checkpoint, Requirements
from ckpt_tui.core.facts import LoaderFacts, Reshard
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Effect, Verdict
from tests.core.builders import UNCOMMITTED, checkpoint, facts, finding, roles

GROWING = Activity(True, "1 MiB in the last second", True)
NAMED = LoaderFacts(flag="--load /run --ckpt-step 10")


def without_rng() -> Checkpoint:
    return checkpoint(roles=roles("model", "optimizer", "scheduler", "progress"), loader=NAMED)


@pytest.mark.parametrize(
    ("judged", "verdict", "start"),
    [
        (checkpoint(), Verdict.EXACT, "YES, RESUME from this: training goes on at step 10,"),
        (without_rng(), Verdict.INEXACT, "YES, RESUME from this"),
        (checkpoint(roles=roles("model")), Verdict.WEIGHTS_ONLY, "DO NOT RESUME"),
        (checkpoint(commit=UNCOMMITTED), Verdict.UNCOMMITTED, "DO NOT RESUME"),
        (checkpoint(findings=(finding(Effect.CORRUPT),)), Verdict.CORRUPT, "DO NOT RESUME"),
        (checkpoint(roles=roles("optimizer")), Verdict.INCOMPLETE, "DO NOT RESUME"),
        (checkpoint(findings=(finding(Effect.UNKNOWN),)), Verdict.UNKNOWN, "CANNOT SAY"),
        (judge(facts(commit=UNCOMMITTED), activity=GROWING), Verdict.SAVING, "WAIT"),
    ],
)
def test_headline(judged: Checkpoint, verdict: Verdict, start: str) -> None:
    assert judged.verdict is verdict
    assert headline(judged).startswith(start)


def test_what_an_inexact_one_lacks_is_in_the_headline() -> None:
    assert headline(without_rng()).endswith("training goes on at step 10, without rng")


def test_a_resumable_one_is_loaded_by_its_flag() -> None:
    assert steps(without_rng())[0] == "Load it by name: --load /run --ckpt-step 10"


def test_another_world_size_is_told() -> None:
    written = facts(world_size=4, reshard=Reshard(False, "each rank has its own"))
    judged = judge(written, Requirements(world_size=2))
    assert not judged.resumable
    assert "at that world size: written by 4 ranks" in headline(judged)


def test_a_broken_one_leads_to_the_others() -> None:
    told = steps(checkpoint(findings=(finding(Effect.CORRUPT),)))
    assert told == ("resume", "Find the newest that can be resumed: ckpt-tui latest /run")


def test_a_whole_one_without_commit_says_first_how_to_finish_it() -> None:
    whole = UNCOMMITTED._replace(finish="mv a b")
    assert (
        steps(checkpoint(commit=whole))[0]
        == "To complete it by hand, once no job writes it: mv a b"
    )


def test_many_findings_are_cut() -> None:
    many = tuple(finding(Effect.CORRUPT)._replace(remedy=f"do {n}") for n in range(9))
    assert len(steps(checkpoint(findings=many))) == MOST_STEPS + 1


def test_a_save_that_never_finished_needs_one_remedy() -> None:
    cut = checkpoint(commit=UNCOMMITTED, findings=(finding(Effect.CORRUPT),))
    assert [step.split(";")[0] for step in steps(cut)][:1] == ["Resume from an older checkpoint"]
    assert len(steps(cut)) == 2


def test_a_remedy_that_another_one_begins_with_is_not_repeated() -> None:
    long = finding(Effect.CORRUPT)._replace(remedy="Resume from another checkpoint, or copy it.")
    short = long._replace(remedy="Resume from another checkpoint.")
    assert len(steps(checkpoint(findings=(long, short)))) == 2
