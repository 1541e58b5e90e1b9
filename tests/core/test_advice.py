"""What an operator is told to do with one checkpoint."""

from __future__ import annotations

import pytest

from ckpt_tui.core.advice import MOST_REMEDIES, Step, headline, steps
from ckpt_tui.core.checkpoint import Activity, Checkpoint, Requirements
from ckpt_tui.core.facts import LoaderFacts, Reshard
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.verified import NotFinite, VerifiedFacts, VerifiedFile
from ckpt_tui.core.vocabulary import Effect, Verdict
from tests.core.builders import COMMITTED, UNCOMMITTED, checkpoint, facts, finding, roles

GROWING = Activity(True, "1 MiB in the last second", True)
NAMED = LoaderFacts(flag="--load /run --ckpt-step 10")
FIXED = Reshard(False, "each rank has its own")
OLDER = Step("Find the newest that can be resumed:", "ckpt-tui latest /run")


def without_rng() -> Checkpoint:
    return checkpoint(roles=roles("model", "optimizer", "scheduler", "progress"), loader=NAMED)


def asked_for(ranks: int, reshard: Reshard = FIXED) -> Checkpoint:
    return judge(facts(world_size=4, reshard=reshard), Requirements(world_size=ranks))


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
    assert headline(without_rng()).endswith("but not bit for bit the same (no rng)")
    some = (
        *roles("model", "optimizer", "scheduler", "progress"),
        *roles("rng", missing_ranks=(1,)),
    )
    assert headline(checkpoint(roles=some)).endswith("(no rng of rank 1)")


def test_values_that_are_not_finite_are_in_the_headline() -> None:
    file = VerifiedFile("m", 8, 1.0, 8, "zip CRC-32", True, not_finite=(NotFinite("w", 3, 0),))
    verified = VerifiedFacts((file,), 1, 8)
    assert headline(checkpoint(verified=verified)) == (
        "YES, it loads, but it holds NaN or infinity (tensor w holds 3 NaN)"
    )
    whole = VerifiedFacts((file._replace(not_finite=()),), 1, 8)
    assert headline(checkpoint(verified=whole)).startswith("YES, RESUME from this")


def test_the_bad_files_are_in_the_headline() -> None:
    one = checkpoint(findings=(finding(Effect.CORRUPT),))
    assert headline(one).endswith("model.pt is cut off or damaged")
    bad = tuple(finding(Effect.CORRUPT)._replace(path=f"{n}.pt") for n in range(3))
    assert headline(checkpoint(findings=bad)).endswith(
        "0.pt and 2 files more are cut off or damaged"
    )
    over = COMMITTED._replace(rewritten=True)
    assert "overwrite it and died" in headline(checkpoint(findings=bad, commit=over))


@pytest.mark.parametrize(
    ("flag", "text"),
    [
        ("--load /run --ckpt-step 10", "Add to the command that starts the job:"),
        ('dcp.load(…, checkpoint_id="/run/step-10")', "In the job's script:"),
        ("/run/step-10", "Give the job this path, by its own option for resuming:"),
        ("", "Give the job this path, by its own option for resuming:"),
    ],
)
def test_a_resumable_one_is_loaded_by_name(flag: str, text: str) -> None:
    (step,) = steps(checkpoint(loader=LoaderFacts(flag=flag)))
    assert step == Step(text, flag or "/run/step-10")


def test_a_fixed_number_of_ranks_is_a_condition() -> None:
    (step,) = steps(checkpoint(loader=NAMED, world_size=4, reshard=FIXED))
    assert step.text == "Restart with exactly 4 ranks. Add to the command that starts the job:"


def test_another_world_size_is_told_and_asked_for_again() -> None:
    judged = asked_for(2)
    assert not judged.resumable
    assert headline(judged) == (
        "DO NOT RESUME at that world size: written by 4 ranks; 2 cannot load it"
        " (each rank has its own)"
    )
    restart, load, older = steps(judged, world_size=2)
    assert restart.text == "Restart with 4 ranks."
    assert load.command == "/run/step-10"
    assert older.command == "ckpt-tui latest /run --world-size 2"


def test_fewer_ranks_may_do() -> None:
    restart, *_ = steps(asked_for(8, Reshard(True, "by fewer ranks only", most_ranks=4)))
    assert restart.text == "Restart with 4 ranks or fewer."


def test_a_broken_one_leads_to_the_others() -> None:
    told = steps(checkpoint(findings=(finding(Effect.CORRUPT),)))
    assert told == (Step("resume"), OLDER)


def test_a_whole_one_without_commit_can_be_kept() -> None:
    judged = checkpoint(commit=UNCOMMITTED._replace(finish="mv a b"))
    assert headline(judged).startswith("NOT YET: all data is there")
    older, finish = steps(judged)
    assert older.command == OLDER.command
    assert finish.command == "mv a b"
    assert not any("removed" in found.remedy for found in judged.findings)


def test_a_save_that_never_finished_needs_one_remedy() -> None:
    cut = checkpoint(commit=UNCOMMITTED, findings=(finding(Effect.CORRUPT),))
    first, second = steps(cut)
    assert first.text.startswith("Resume from an older checkpoint; this one can be removed")
    assert second == OLDER


def test_a_remedy_that_another_one_begins_with_is_not_repeated() -> None:
    long = finding(Effect.CORRUPT)._replace(remedy="Resume from another checkpoint, or copy it.")
    short = long._replace(remedy="Resume from another checkpoint.")
    assert len(steps(checkpoint(findings=(long, short)))) == 2


def test_many_findings_are_cut() -> None:
    many = tuple(finding(Effect.CORRUPT)._replace(remedy=f"do {n}") for n in range(9))
    assert len(steps(checkpoint(findings=many))) == MOST_REMEDIES + 1


def test_a_conversion_comes_before_the_load() -> None:
    by_tool = Reshard(True, "by conversion with ds_to_universal", ("rng",), converts=True)
    judged = asked_for(2, by_tool)
    assert judged.resumable
    assert headline(judged).startswith("NOT AS IT IS at that world size: written by 4 ranks")
    convert, load, *_ = steps(judged)
    assert convert.text == "By conversion with ds_to_universal."
    assert load.command == "/run/step-10"
