"""Reading ahead: the same answers in the same order, whatever happens to the processes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.shared.roles import Synonyms, use_synonyms
from ckpt_tui.fs.many import KEPT_AHEAD
from ckpt_tui.fs.pace import MOST, VARIABLE
from ckpt_tui.store.ahead import turns
from ckpt_tui.store.ahead.examine import Terms, examine
from ckpt_tui.store.ahead.processes import Processes
from ckpt_tui.store.ahead.worth import LEAST_EACH_SECONDS, Cost, processes_worth
from ckpt_tui.store.index import Store
from ckpt_tui.store.moment import Moment
from tests.store.runs import write_checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ckpt_tui.formats.base import Claim

PATIENCE_SECONDS = 20.0


def clock() -> Moment:
    return Moment(time.time(), time.monotonic())


@pytest.fixture
def own_synonyms() -> Iterator[Synonyms]:
    use_synonyms(Synonyms((("wisdom", "optimizer"),)))
    yield Synonyms((("wisdom", "optimizer"),))
    use_synonyms(Synonyms())


def claims_of(root: Path) -> list[Claim]:
    return [claim for claim in discover(str(root)).claims if not claim.export]


def test_the_answers_are_those_of_this_process(corpus: Path, own_synonyms: Synonyms) -> None:
    claims = claims_of(corpus)
    assert len(claims) > KEPT_AHEAD
    terms = Terms(str(corpus), Limits(), own_synonyms)
    with Processes(3, claims, terms, clock) as processes:
        answers = list(processes.answers())
    assert [claim for claim, _, _ in answers] == claims
    assert [found for _, _, found in answers] == [examine(claim, terms) for claim in claims]


def test_the_moment_is_before_the_listing(tmp_path: Path) -> None:
    claims = claims_of(write_checkpoint(tmp_path, 10).parent)
    before = clock()
    with Processes(1, claims, Terms(str(tmp_path), Limits()), clock) as processes:
        ((_, moment, found),) = processes.answers()
    assert found is not None
    assert before.monotonic <= moment.monotonic <= clock().monotonic


def children() -> list[int]:
    """Process numbers of this process's children, but not those that wait to be reaped."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z":
            found.append(int(entry.name))
    return found


def test_what_a_dead_process_had_is_not_examined_and_the_others_go_on(tmp_path: Path) -> None:
    for step in range(10, 310, 10):
        write_checkpoint(tmp_path, step)
    claims = claims_of(tmp_path)
    before = set(children())
    with Processes(1, claims, Terms(str(tmp_path), Limits()), clock) as processes:
        answers = processes.answers()
        first = next(answers)
        for number in set(children()) - before:
            os.kill(number, signal.SIGKILL)
        rest = list(answers)
    assert first[2] is not None
    assert [claim for claim, _, _ in rest] == claims[1:]


def test_no_process_stays_when_the_reading_is_given_up(tmp_path: Path) -> None:
    for step in range(10, 1010, 10):
        write_checkpoint(tmp_path, step, world_size=1)
    before = set(children())
    with Processes(2, claims_of(tmp_path), Terms(str(tmp_path), Limits()), clock) as processes:
        next(processes.answers())
        assert set(children()) - before
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while set(children()) - before:
        assert time.monotonic() < give_up_at
        time.sleep(0.01)


def test_python_that_cannot_be_started_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_checkpoint(tmp_path, 10)
    monkeypatch.setattr("sys.executable", str(tmp_path / "nowhere"))
    claims = claims_of(tmp_path)
    with Processes(2, claims, Terms(str(tmp_path), Limits()), clock) as processes:
        assert [found for _, _, found in processes.answers()] == [None]


def test_a_look_is_the_same_with_and_without(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0")
    alone = Store(str(corpus)).look()
    used = []

    def always(left: int, each: Cost) -> int:
        used.append(left)
        return 2 if left else 0

    monkeypatch.setattr(turns, "processes_worth", always)
    ahead = Store(str(corpus)).look()
    assert max(used) > 50
    told = [[(c.path, c.verdict, c.facts) for c in look.checkpoints] for look in (alone, ahead)]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("left", "wall", "cpu", "cores", "worth"),
    [
        (10_000, LEAST_EACH_SECONDS / 2, LEAST_EACH_SECONDS / 2, 8, 0),  # quick to read
        (10, 0.01, 0.01, 8, 0),  # little left
        (1000, 0.01, 0.01, 4, 4),
        (1000, 0.01, 0.01, 64, MOST),
        (1000, 0.01, 0.01, 1, 0),
        (1000, 0.04, 0.01, 1, 0),  # waits for a file server: threads do
    ],
)
def test_processes_are_started_where_they_pay(
    left: int, wall: float, cpu: float, cores: int, worth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("ckpt_tui.store.ahead.worth.usable_cores", lambda: cores)
    assert processes_worth(left, Cost(wall, cpu)) == worth


@pytest.mark.parametrize(("text", "most"), [("0", 0), ("3", 3), ("many", MOST), ("-1", 0)])
def test_the_environment_sets_the_most(
    text: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, text)
    monkeypatch.setattr("ckpt_tui.store.ahead.worth.usable_cores", lambda: 64)
    assert processes_worth(1000, Cost(0.01, 0.01)) == most
