from __future__ import annotations

from typing import Any

import pytest

from ckpt_tui.core.facts import CheckpointFacts, FileFacts, LoaderFacts
from ckpt_tui.core.siblings import NO_SIBLINGS, Habits, plain_name
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import REQUIRED_ROLES, Effect, Verdict
from tests.core.builders import UNCOMMITTED, facts, finding, roles

ARGS = FileFacts("training_args.bin", 10, 0, "config")
THIN = roles("model", "progress")


def verdicts(run: list[CheckpointFacts]) -> list[Verdict]:
    return [judge(one, siblings=Habits(run).siblings_of(one)).verdict for one in run]


@pytest.mark.parametrize(
    "changes",
    [
        {"export": True},
        {"staging": True},
        {"commit": UNCOMMITTED},
        {"roles": roles("optimizer")},
        {"findings": (finding(Effect.CORRUPT),)},
    ],
)
def test_only_whole_ones_are_a_measure(changes: dict[str, Any]) -> None:
    one = facts(20, roles=THIN)
    assert Habits([one, facts(10, **changes)]).siblings_of(one) == NO_SIBLINGS


def test_roles_and_housekeeping_that_all_others_have() -> None:
    one = facts(10)
    run = [one, facts(20, files=(ARGS,)), facts(30, roles=THIN, files=(ARGS,))]
    found = Habits(run).siblings_of(one)
    assert found.compared == 2
    assert found.roles == {"model", "progress"}
    assert found.housekeeping == {"training_args.bin"}
    assert found.oldest
    assert Habits(run).siblings_of(run[1]).roles == {"model", "progress"}


def test_an_export_need_not_have_what_checkpoints_have() -> None:
    run = [facts(10), facts(20, roles=THIN, export=True), facts(30)]
    assert verdicts(run) == [Verdict.EXACT, Verdict.WEIGHTS_ONLY, Verdict.EXACT]


def test_one_that_lost_its_optimizer_is_incomplete() -> None:
    run = [facts(10), facts(20, roles=THIN), facts(30)]
    assert verdicts(run) == [Verdict.EXACT, Verdict.INCOMPLETE, Verdict.EXACT]


def test_a_file_that_the_loader_opens_in_all_others() -> None:
    both = LoaderFacts(opens=frozenset({"optimizer.bin", "optimizer_1.bin"}))
    one = LoaderFacts(opens=frozenset({"optimizer.bin"}))
    run = [facts(10, loader=both), facts(20, loader=one), facts(30, loader=both)]
    assert verdicts(run) == [Verdict.EXACT, Verdict.INCOMPLETE, Verdict.EXACT]
    found = judge(run[1], siblings=Habits(run).siblings_of(run[1]))
    assert [f.path for f in found.findings] == ["optimizer_1.bin"]
    assert "optimizer_1.bin" in found.why
    # A loop that began to save more: its other checkpoints do not agree.
    assert verdicts([facts(0, loader=one), *run[1:]]) == [Verdict.EXACT] * 3


def test_old_ones_thinned_on_purpose_are_weights_only() -> None:
    run = [facts(10, roles=THIN), facts(20, roles=THIN), facts(30), facts(40)]
    assert verdicts(run) == [Verdict.WEIGHTS_ONLY] * 2 + [Verdict.EXACT] * 2


def test_a_removal_that_was_cut_is_told_apart() -> None:
    run = [
        facts(10, roles=THIN),
        *(facts(step, files=(ARGS,)) for step in (20, 30)),
    ]
    cut = judge(run[0], siblings=Habits(run).siblings_of(run[0]))
    assert cut.verdict is Verdict.INCOMPLETE
    assert "partly-deleted" in {found.code for found in cut.findings}
    assert set(REQUIRED_ROLES) - {"model", "progress"} == set(cut.missing_roles)


def test_numbers_in_names_do_not_matter() -> None:
    assert plain_name("iter_0000010/mp_rank_00.pt") == plain_name("iter_20/mp_rank_01.pt")
