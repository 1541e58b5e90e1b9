"""The judge's own book-keeping; the frameworks themselves are not needed for it."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

from tests.framework.jobs.base import Outcome
from tests.framework.jobs.ranks import joined
from tests.framework.judge.again import judge_again
from tests.framework.judge.agreement import document, killed, totals
from tests.framework.judge.deaths import Death
from tests.framework.judge.journal import Journal, RoundKey
from tests.framework.judge.losses import lose
from tests.framework.judge.moments import Profile, Trigger
from tests.framework.judge.rounds import State, kept_name
from tests.framework.judge.verdicts import Judging, OurVerdict

RUN = Path(__file__).parents[1] / "sample_runs" / "manifest" / "whole"
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
    page = document(journal, "torch")
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


@pytest.mark.parametrize("seed", range(20))
def test_a_loss_takes_from_one_file(tmp_path: Path, seed: int) -> None:
    for name in ("a", "b", "ckpt-1.index", "ckpt-1.data-00000-of-00001"):
        (tmp_path / name).write_bytes(b"12345678")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    whole, index = tmp_path / "a", tmp_path / "ckpt-1.index"
    lose(whole, random.Random(seed))
    assert whole.exists()
    assert len(whole.read_bytes()) < 8
    lose(index, random.Random(seed))
    after = {path: path.read_bytes() for path in tmp_path.iterdir()}
    changed = {path.name for path in before if after.get(path) != before[path]}
    assert len(changed) == 2
    assert "b" not in changed


def test_a_loss_is_no_killed_state() -> None:
    assert not killed([state(0, REFUSED, resumable=False, death=Death.LOSS)])


def test_another_process_says_what_we_say() -> None:
    newest, before = RUN / "step-200", RUN / "step-100"
    judging = Judging(sys.executable)
    told = judging.of(RUN, [newest], [newest, before])
    assert list(told) == [newest]
    assert told[newest].in_run.resumable
    assert told[newest].alone.format == told[newest].in_run.format
    assert judging.of(RUN, [newest], [newest]).keys() == {
        newest,
        before,
    }  # one that is not asked for


def test_what_was_kept_is_judged_again(tmp_path: Path) -> None:
    old = state(1, RESTORED, resumable=False)._replace(checkpoint="step-200")
    journal = Journal(tmp_path / "journal.jsonl")
    journal.add(key(1), "torch 2", [old])
    shutil.copytree(RUN, tmp_path / "kept" / kept_name(old) / "run")
    judge_again(journal, tmp_path / "kept")
    assert not old.agreed
    assert journal.states[0].agreed
