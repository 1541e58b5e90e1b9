"""The order of the verdicts, and what no verdict may ever say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.checkpoint import Activity, Checkpoint, Requirements
from ckpt_tui.core.facts import LoaderFacts, Reshard
from ckpt_tui.core.siblings import NO_SIBLINGS, Siblings
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import (
    ALL_ROLES,
    REQUIRED_ROLES,
    RESUMABLE,
    Commit,
    Effect,
    Severity,
    Verdict,
)
from tests.core.builders import (
    COMMITTED,
    NO_RULE,
    UNCOMMITTED,
    facts,
    finding,
    roles,
    shard,
)

MOVING = Activity(True, "grew 0.4 s ago")
UNREAD = finding(Effect.UNKNOWN, "permission-denied")
DAMAGE = finding(Effect.CORRUPT)
GAP = finding(Effect.INCOMPLETE, "missing-shard")
REMARK = finding(Effect.NONE, "extra-shard")


def codes(checkpoint: Checkpoint) -> set[str]:
    return {found.code for found in checkpoint.findings}


def without(*absent: str) -> Any:
    return roles(*(role for role in REQUIRED_ROLES if role not in absent))


@pytest.mark.parametrize(
    ("changes", "verdict", "commit"),
    [
        ({}, Verdict.EXACT, Commit.COMMITTED),
        ({"commit": NO_RULE}, Verdict.EXACT, Commit.COMMITTED),
        ({"findings": (REMARK,)}, Verdict.EXACT, Commit.COMMITTED),
        ({"findings": (UNREAD,)}, Verdict.UNKNOWN, Commit.UNKNOWN),
        ({"commit": UNCOMMITTED}, Verdict.UNCOMMITTED, Commit.UNCOMMITTED),
        ({"findings": (DAMAGE,)}, Verdict.CORRUPT, Commit.COMMITTED),
        ({"findings": (DAMAGE,), "commit": NO_RULE}, Verdict.CORRUPT, Commit.UNCOMMITTED),
        ({"findings": (GAP,)}, Verdict.INCOMPLETE, Commit.COMMITTED),
        ({"roles": without("model")}, Verdict.INCOMPLETE, Commit.COMMITTED),
        ({"roles": without("progress")}, Verdict.INCOMPLETE, Commit.COMMITTED),
        ({"roles": without("optimizer")}, Verdict.WEIGHTS_ONLY, Commit.COMMITTED),
        ({"roles": roles("model")}, Verdict.WEIGHTS_ONLY, Commit.COMMITTED),
        ({"roles": without("scheduler")}, Verdict.INEXACT, Commit.COMMITTED),
        ({"roles": without("rng", "scheduler")}, Verdict.INEXACT, Commit.COMMITTED),
        (
            {"roles": without("rng") + roles("rng", missing_ranks=(1,))},
            Verdict.INEXACT,
            Commit.COMMITTED,
        ),
        ({"roles": roles("model", missing_ranks=(1,))}, Verdict.INCOMPLETE, Commit.COMMITTED),
        (
            {"roles": without("optimizer") + roles("optimizer", missing_ranks=(1,))},
            Verdict.INCOMPLETE,
            Commit.COMMITTED,
        ),
        (
            {"roles": without("scheduler"), "loader": LoaderFacts(needs=frozenset({"scheduler"}))},
            Verdict.INCOMPLETE,
            Commit.COMMITTED,
        ),
    ],
)
def test_quiet_checkpoints(changes: dict[str, Any], verdict: Verdict, commit: Commit) -> None:
    checkpoint = judge(facts(**changes))
    assert (checkpoint.verdict, checkpoint.commit) == (verdict, commit)
    assert checkpoint.resumable == (verdict in RESUMABLE)
    assert checkpoint.recoverable == (verdict is Verdict.EXACT)
    assert checkpoint.why


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"commit": UNCOMMITTED}, Verdict.SAVING),
        ({"commit": UNCOMMITTED, "findings": (DAMAGE, GAP)}, Verdict.SAVING),
        ({"commit": NO_RULE, "findings": (DAMAGE,)}, Verdict.SAVING),
        ({"commit": NO_RULE, "findings": (GAP,)}, Verdict.SAVING),
        ({"commit": COMMITTED._replace(rewritten=True), "findings": (DAMAGE,)}, Verdict.SAVING),
        # A committed whole one that something touches is still what it is.
        ({"commit": COMMITTED}, Verdict.EXACT),
        ({"commit": COMMITTED, "findings": (DAMAGE,)}, Verdict.CORRUPT),
        ({"commit": NO_RULE}, Verdict.EXACT),
        ({"commit": UNCOMMITTED, "findings": (UNREAD,)}, Verdict.UNKNOWN),
    ],
)
def test_moving_checkpoints(changes: dict[str, Any], verdict: Verdict) -> None:
    assert judge(facts(**changes), activity=MOVING).verdict is verdict


def test_the_first_verdict_that_applies_wins() -> None:
    layers: list[tuple[Verdict, dict[str, Any]]] = [
        (Verdict.INEXACT, {"roles": without("rng")}),
        (Verdict.WEIGHTS_ONLY, {"roles": without("rng", "optimizer")}),
        (Verdict.INCOMPLETE, {"findings": (GAP,)}),
        (Verdict.CORRUPT, {"findings": (GAP, DAMAGE)}),
        (Verdict.UNCOMMITTED, {"commit": UNCOMMITTED}),
        (Verdict.UNKNOWN, {"findings": (GAP, DAMAGE, UNREAD)}),
    ]
    changes: dict[str, Any] = {}
    for verdict, more in layers:
        changes |= more
        assert judge(facts(**changes)).verdict is verdict


def test_shards_of_two_checkpoints_do_not_make_one() -> None:
    checkpoint = judge(
        facts(
            world_size=2,
            expected_ranks=(0, 1),
            shards=(shard(0, checkpoint_id="step-10"), shard(1, checkpoint_id="step-5")),
        )
    )
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "checkpoint-id-mismatch" in codes(checkpoint)
    assert not checkpoint.recoverable


@pytest.mark.parametrize(
    ("shards", "verdict", "code"),
    [
        ((shard(0),), Verdict.INCOMPLETE, "missing-shard"),
        (
            (shard(0), shard(1, problem="missing", size_bytes=0)),
            Verdict.INCOMPLETE,
            "missing-shard",
        ),
        ((shard(0), shard(1, problem="empty", size_bytes=0)), Verdict.CORRUPT, "empty-file"),
        # The index names no byte of it: a replica that wrote nothing.
        ((shard(0), shard(1, size_bytes=0)), Verdict.EXACT, ""),
        ((shard(0), shard(1, problem="short")), Verdict.CORRUPT, "truncated-file"),
        ((shard(0), shard(1), shard(2)), Verdict.EXACT, "extra-shard"),
    ],
)
def test_rank_coverage(shards: tuple[Any, ...], verdict: Verdict, code: str) -> None:
    checkpoint = judge(facts(world_size=2, expected_ranks=(0, 1), shards=shards))
    assert checkpoint.verdict is verdict
    assert not code or code in codes(checkpoint)


def test_a_finding_of_the_reader_is_not_told_twice() -> None:
    checkpoint = judge(
        facts(world_size=2, expected_ranks=(0, 1), shards=(shard(0),), findings=(GAP,))
    )
    assert [found.code for found in checkpoint.findings] == ["missing-shard"]


def test_a_whole_uncommitted_save_is_finishable() -> None:
    by_hand = UNCOMMITTED._replace(finish="mv a b")
    whole = judge(facts(commit=by_hand))
    assert codes(whole) == {"not-committed", "finishable"}
    assert any("mv a b" in found.remedy for found in whole.findings)
    assert codes(judge(facts(commit=by_hand, findings=(GAP,)))) == {"not-committed", GAP.code}


def test_what_only_a_restart_needs_is_not_blamed_on_the_loader() -> None:
    bare = without("progress")
    alone = judge(facts(roles=bare))
    assert alone.why.startswith("no progress: nothing in it says the step, though the rest may")
    (found,) = (f for f in alone.findings if f.code == "missing-role")
    assert "save the progress too" in found.remedy
    assert "`--require`" in found.remedy
    needed = judge(facts(roles=bare, loader=LoaderFacts(needs=frozenset({"progress"}))))
    assert needed.why.startswith("the loader cannot resume without progress")
    assert needed.verdict is alone.verdict is Verdict.INCOMPLETE


SIBLINGS = Siblings(2, frozenset(REQUIRED_ROLES), frozenset({"training_args.bin"}), oldest=False)


@pytest.mark.parametrize(
    ("changes", "siblings", "verdict", "code"),
    [
        ({"roles": without("optimizer")}, SIBLINGS, Verdict.INCOMPLETE, "missing-role"),
        (
            {"roles": without("optimizer")},
            SIBLINGS._replace(oldest=True),
            Verdict.INCOMPLETE,
            "partly-deleted",
        ),
        (
            {"roles": without("optimizer")},
            SIBLINGS._replace(oldest=True, housekeeping=frozenset()),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        ({"roles": without("optimizer")}, NO_SIBLINGS, Verdict.WEIGHTS_ONLY, "weights-only"),
        (
            {"roles": without("rng"), "loader": LoaderFacts(tolerates=frozenset({"rng"}))},
            SIBLINGS,
            Verdict.INEXACT,
            "missing-role",
        ),
        ({"roles": without("rng")}, SIBLINGS, Verdict.INCOMPLETE, "missing-role"),
    ],
)
def test_against_siblings(
    changes: dict[str, Any], siblings: Siblings, verdict: Verdict, code: str
) -> None:
    checkpoint = judge(facts(**changes), siblings=siblings)
    assert checkpoint.verdict is verdict
    assert code in codes(checkpoint)


@pytest.mark.parametrize(
    ("reshard", "written", "wanted", "resumable"),
    [
        (Reshard(True, "natively"), 4, 8, True),
        (Reshard(False, "not at all"), 4, 8, False),
        (Reshard(None, "not known"), 4, 8, False),
        (None, 4, 8, False),
        (None, 4, 4, True),
        (Reshard(False, "not at all"), 4, None, True),
        (None, None, 8, True),
    ],
)
def test_another_world_size_needs_a_format_that_reshards(
    reshard: Reshard | None, written: int | None, wanted: int | None, resumable: bool
) -> None:
    checkpoint = judge(facts(world_size=written, reshard=reshard), Requirements(world_size=wanted))
    assert checkpoint.verdict is Verdict.EXACT
    assert checkpoint.resumable is resumable
    assert ("world-size-mismatch" in codes(checkpoint)) is not resumable


def test_required_roles_can_be_changed() -> None:
    lean = facts(roles=roles("model", "optimizer", "progress"))
    assert judge(lean, Requirements(("model", "optimizer", "progress"))).verdict is Verdict.EXACT
    more = Requirements((*REQUIRED_ROLES, "dataloader"))
    assert judge(facts(), more).verdict is Verdict.INEXACT
    assert judge(facts(), more).missing_roles == ("dataloader",)


def test_findings_come_loudest_first() -> None:
    quiet = REMARK._replace(severity=Severity.INFO)
    assert judge(facts(findings=(quiet, DAMAGE))).findings == (DAMAGE, quiet)


CASES = st.fixed_dictionaries(
    {
        "commit": st.sampled_from([COMMITTED, UNCOMMITTED, NO_RULE]),
        "roles": st.sets(st.sampled_from(ALL_ROLES)).map(lambda names: roles(*sorted(names))),
        "findings": st.lists(st.sampled_from([UNREAD, DAMAGE, GAP, REMARK]), max_size=2).map(tuple),
        "shards": st.lists(
            st.builds(
                shard,
                st.integers(0, 2),
                problem=st.sampled_from(["", "", "missing", "short", "unreadable", "empty"]),
                size_bytes=st.sampled_from([0, 100]),
                checkpoint_id=st.sampled_from([None, "step-10", "step-5"]),
            ),
            max_size=3,
            unique_by=lambda item: item.rank,
        ).map(tuple),
        "expected_ranks": st.sampled_from([None, (0, 1)]),
        "loader": st.sets(st.sampled_from(REQUIRED_ROLES)).map(
            lambda names: LoaderFacts(needs=frozenset(names))
        ),
    }
)


@given(CASES, st.sampled_from([MOVING, Activity(False, "nothing grows")]))
def test_exact_never_lacks_anything(changes: dict[str, Any], activity: Activity) -> None:
    checkpoint = judge(facts(**changes), activity=activity)
    if checkpoint.verdict is not Verdict.EXACT:
        assert not checkpoint.recoverable
        return
    assert changes["commit"].met is not False
    assert {role.role for role in changes["roles"]} >= set(REQUIRED_ROLES)
    assert checkpoint.missing_roles == ()
    assert all(found.effect is Effect.NONE for found in changes["findings"])
    if changes["expected_ranks"] is not None:
        there = {s.rank for s in changes["shards"] if s.problem != "missing"}
        assert there >= set(changes["expected_ranks"])
        assert {s.checkpoint_id for s in changes["shards"]} <= {None, "step-10"}
        assert not any(s.problem for s in changes["shards"] if s.rank in (0, 1))


@given(CASES)
def test_resumable_has_model_optimizer_and_step(changes: dict[str, Any]) -> None:
    checkpoint = judge(facts(**changes))
    have = {role.role for role in changes["roles"]}
    if checkpoint.resumable:
        assert have >= {"model", "optimizer", "progress"} | changes["loader"].needs
        assert checkpoint.commit is Commit.COMMITTED


@given(CASES, st.sampled_from(REQUIRED_ROLES))
def test_taking_a_role_away_never_makes_it_better(changes: dict[str, Any], role: str) -> None:
    before = judge(facts(**changes))
    fewer = tuple(item for item in changes["roles"] if item.role != role)
    after = judge(facts(**changes | {"roles": fewer}))
    assert after.resumable <= before.resumable
    assert after.recoverable <= before.recoverable


def test_ranks_that_wrote_nothing_leave_no_hole() -> None:
    ranks = (0, 1, 4, 5)
    judged = judge(facts(expected_ranks=ranks, shards=tuple(map(shard, ranks))))
    assert (judged.verdict, judged.findings) == (Verdict.EXACT, ())


def test_a_rank_outside_the_expected_ones_is_extra() -> None:
    shards = tuple(map(shard, (0, 1, 4, 5)))
    judged = judge(facts(expected_ranks=(0, 1, 4), shards=shards))
    assert [finding.code for finding in judged.findings] == ["extra-shard"]
