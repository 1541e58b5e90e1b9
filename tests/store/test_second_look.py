"""A bad verdict is believed at the second look; nothing is hidden for longer than that takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Commit, Effect, Verdict
from ckpt_tui.store.moment import Moment
from ckpt_tui.store.second_look import YOUNG_SECONDS, SecondLook, must_wait
from tests.core.builders import checkpoint, facts, finding, roles

CACHE_SECONDS = 60.0
WALL = 1_000_000.0
EXACT = checkpoint(files=())
INEXACT = checkpoint(roles=roles("model", "optimizer", "scheduler", "progress"))
WEIGHTS = checkpoint(roles=roles("model"))
CORRUPT = checkpoint(findings=(finding(Effect.CORRUPT),))
INCOMPLETE = checkpoint(findings=(finding(Effect.INCOMPLETE),))
UNKNOWN = checkpoint(findings=(finding(Effect.UNKNOWN),))
SAVING = EXACT._replace(verdict=Verdict.SAVING, commit=Commit.SAVING, resumable=False)
UNCOMMITTED = EXACT._replace(verdict=Verdict.UNCOMMITTED, resumable=False)
ALL = (EXACT, INEXACT, WEIGHTS, CORRUPT, INCOMPLETE, UNKNOWN, SAVING, UNCOMMITTED)


def test_the_samples_are_what_they_are_called() -> None:
    verdicts = [sample.verdict for sample in ALL]
    assert len(set(verdicts)) == len(Verdict)


@pytest.mark.parametrize("age_seconds", [-5.0, 0.0, 59.0])
def test_a_bad_first_verdict_waits_on_what_is_young(age_seconds: float) -> None:
    for bad in (CORRUPT, INCOMPLETE, UNKNOWN):
        assert must_wait(bad, None, age_seconds)
        assert must_wait(bad, UNKNOWN, age_seconds)
        assert not must_wait(bad, None, YOUNG_SECONDS)
    for good in (EXACT, INEXACT, WEIGHTS):
        assert not must_wait(good, None, age_seconds)


@pytest.mark.parametrize(
    ("shown", "judged"),
    [
        (EXACT, INEXACT),
        (EXACT, WEIGHTS),
        (EXACT, CORRUPT),
        (EXACT, UNKNOWN),
        (INEXACT, INCOMPLETE),
        (WEIGHTS, CORRUPT),
        (SAVING, CORRUPT),
        (SAVING, INCOMPLETE),
        (SAVING, UNKNOWN),
    ],
)
def test_a_verdict_that_got_worse_waits_at_any_age(shown: object, judged: object) -> None:
    assert must_wait(judged, shown, 1e9)


@pytest.mark.parametrize(
    ("shown", "judged"),
    [
        (CORRUPT, EXACT),
        (SAVING, EXACT),
        (SAVING, UNCOMMITTED),
        (EXACT, SAVING),
        (CORRUPT, INCOMPLETE),
        (UNCOMMITTED, CORRUPT),
        (INCOMPLETE, UNKNOWN),
    ],
)
def test_what_is_better_or_as_bad_is_shown_at_once(shown: object, judged: object) -> None:
    assert not must_wait(judged, shown, 0.0)


def test_the_same_files_judged_for_another_job_do_not_wait() -> None:
    assert not must_wait(EXACT._replace(verdict=Verdict.INEXACT), EXACT, 0.0)


def at(seconds: float) -> Moment:
    return Moment(WALL + seconds, seconds)


def look(second: SecondLook, judged: object, seconds: float) -> object:
    second.looked(at(seconds), int(WALL * 1e9))
    return second.show(judged, at(seconds), CACHE_SECONDS)


def test_a_fresh_wreck_is_shown_as_a_save_until_a_late_look_says_the_same() -> None:
    second = SecondLook()
    held = look(second, CORRUPT, 0.0)
    assert (held.verdict, held.commit, held.resumable) == (Verdict.SAVING, Commit.SAVING, False)
    assert held.why.startswith("being checked: it looks corrupt (truncated-file of model.pt")
    assert held.why.endswith("may answer from a cache for 1m 00s")
    assert all(f.effect is Effect.NONE for f in held.findings)
    assert second.pending
    assert second.show(CORRUPT, at(61.0), CACHE_SECONDS).verdict is Verdict.SAVING  # no new look
    assert look(second, CORRUPT, 62.0) is CORRUPT
    assert not second.pending


def test_a_good_one_that_looks_bad_keeps_its_verdict_and_says_so() -> None:
    second = SecondLook()
    assert look(second, EXACT, 0.0) is EXACT
    held = look(second, INCOMPLETE, 10.0)
    assert held.verdict is Verdict.EXACT
    assert "being checked: it looks incomplete" in held.why
    assert look(second, EXACT, 20.0) is EXACT
    assert not second.pending
    look(second, INCOMPLETE, 30.0)
    assert look(second, CORRUPT, 89.0).verdict is Verdict.EXACT
    assert look(second, CORRUPT, 90.0) is CORRUPT


def test_what_looked_the_same_for_so_long_already_does_not_wait() -> None:
    second = SecondLook()
    assert look(second, EXACT, 0.0) is EXACT
    growing = INCOMPLETE._replace(verdict=Verdict.SAVING)
    assert look(second, growing, 10.0) is growing
    assert look(second, INCOMPLETE, 130.0) is INCOMPLETE


def test_where_nothing_is_cached_all_is_shown_at_once() -> None:
    second = SecondLook()
    for judged in (EXACT, CORRUPT, EXACT, UNKNOWN):
        second.looked(at(0.0), int(WALL * 1e9))
        assert second.show(judged, at(0.0), 0.0) is judged


@given(
    st.lists(
        st.tuples(st.sampled_from(ALL), st.floats(0.1, 90.0)),
        min_size=1,
        max_size=30,
    ),
    st.sampled_from([3.0, 20.0, 60.0]),
)
def test_nothing_is_invented_and_nothing_hidden_for_long(
    looks: list[tuple[object, float]], cache_seconds: float
) -> None:
    second, now = SecondLook(), 0.0
    seen_resumable = False
    differs_since: float | None = None
    for judged, pause in looks:
        now += pause
        second.looked(at(now), int((WALL + now) * 1e9))
        shown = second.show(judged, at(now), cache_seconds)
        seen_resumable = seen_resumable or judged.resumable
        assert seen_resumable or not shown.resumable
        if judged.verdict in (Verdict.EXACT, Verdict.SAVING, Verdict.UNCOMMITTED):
            assert shown is judged
        if shown is judged:
            differs_since = None
        else:
            assert second.pending
            differs_since = now if differs_since is None else differs_since
            assert now - differs_since < cache_seconds


def test_saving_by_growth_needs_no_second_look() -> None:
    assert judge(facts()).verdict is Verdict.EXACT
    assert not must_wait(SAVING, EXACT, 0.0)
