"""The judge's own book-keeping; the frameworks themselves are not needed for it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.framework.jobs.base import Outcome
from tests.framework.jobs.ranks import joined
from tests.framework.judge.agreement import document, killed, totals
from tests.framework.judge.deaths import Death
from tests.framework.judge.journal import Journal, RoundKey
from tests.framework.judge.moments import Profile, Trigger
from tests.framework.judge.rounds import State
from tests.framework.judge.verdicts import OurVerdict

if TYPE_CHECKING:
    from pathlib import Path

RESTORED = Outcome(True, True, True)
REFUSED = Outcome(False, False, False, "EOFError: Ran out of input")


def state(
    seed: int, framework: Outcome, *, resumable: bool, death: Death = Death.ALL_RANKS
) -> State:
    ours = OurVerdict(resumable, "exact" if resumable else "corrupt", "because", ("a-code",), "x")
    return State("torch-save", "numbered", seed, death, "1 s", "c.pt", True, framework, ours, ours)


def key(seed: int) -> RoundKey:
    return RoundKey("torch-save", "numbered", seed)


def test_a_journal_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    written = [state(1, RESTORED, resumable=True), state(1, REFUSED, resumable=False)]
    journal.add(key(1), "torch 2", written)
    journal.add(key(2), "torch 2", [state(2, RESTORED, resumable=True)])
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])  # in the line that closes the second round
    again = Journal(path)
    assert again.states == written
    assert again.rounds.keys() == {key(1)}
    again.add(key(2), "torch 2", [state(2, RESTORED, resumable=True)])
    assert len(Journal(path).states) == 3


def test_a_round_that_is_judged_again_counts_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    journal.add(key(1), "torch 2", [state(1, REFUSED, resumable=True)])
    journal.add(key(1), "torch 2", [state(1, REFUSED, resumable=False)])
    assert Journal(journal.path).states == [state(1, REFUSED, resumable=False)]


def test_an_undisturbed_run_counts_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.jsonl")
    undisturbed = state(0, RESTORED, resumable=True, death=Death.NONE)
    for seed in (1, 2):
        journal.add(key(seed), "torch 2", [undisturbed, state(seed, RESTORED, resumable=True)])
    assert [each.seed for each in Journal(journal.path).states] == [0, 1, 2]


def test_both_kinds_of_disagreement_are_told(tmp_path: Path) -> None:
    states = [
        state(0, RESTORED, resumable=True, death=Death.NONE),
        state(1, REFUSED, resumable=True),
        state(2, RESTORED, resumable=False),
        state(3, Outcome(True, False, True), resumable=True),
    ]
    assert len(killed(states)) == 3
    assert "1 agreements (25.00 %), 2 false resumable, 1 false broken" in totals(states)
    journal = Journal(tmp_path / "journal.jsonl")
    journal.add(key(1), "torch 2", states)
    page = document(journal)
    assert "| false broken | torch-save | corrupt | 1 | not explained: it loads; because |" in page
    assert "| false resumable | torch-save | exact | 1 | not explained: EOFError" in page


def test_what_one_rank_lacks_all_lack() -> None:
    assert joined([RESTORED, RESTORED]).restored
    assert joined([RESTORED, REFUSED]) == REFUSED
    assert not joined([RESTORED, Outcome(True, False, True)]).restored


def test_moments_lie_in_the_run() -> None:
    profile = Profile(seconds=2.0, added=7, removed=3, peak_bytes=10, largest_bytes=5)
    chance = random.Random(1)
    for _ in range(100):
        moment = profile.moment(chance)
        assert moment.trigger in (Trigger.TIME, Trigger.ADDED)
        assert moment.count <= 7
        assert profile.moment(chance, rotation=True).count in (1, 2, 3)
