"""Many rounds over many configurations, noted in a journal."""

from __future__ import annotations

import itertools
import sys
import time
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, NamedTuple

from tests.framework.judge.agreement import killed
from tests.framework.judge.journal import RoundKey
from tests.framework.judge.workers import Worker

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from multiprocessing.connection import Connection

    from tests.framework.judge.journal import Journal
    from tests.framework.judge.rounds import Habits

GIVE_UP_AFTER = 3


class Plan(NamedTuple):
    """What a long run is to do.

    Attributes:
        configurations: Job → names of its configurations.
        habits: How rounds are played.
        states: Stop when so many killed states are in the journal.
        minutes: Stop after so long.
        rounds: Stop when so many rounds of each configuration were played; 0 for no end.
        parallel: Jobs that are at work at the same time.
        pythons: Job → the interpreter that has its framework, where it is not the running one.
    """

    configurations: Mapping[str, Sequence[str]]
    habits: Habits
    states: int
    minutes: float
    rounds: int = 0
    parallel: int = 1
    pythons: Mapping[str, str] = {}


class LongRun:
    """Gives rounds to one worker per job, in turn over jobs and configurations."""

    def __init__(self, journal: Journal, plan: Plan) -> None:
        self.journal, self.plan = journal, plan
        self.failures: dict[tuple[str, str], list[str]] = {}
        self._workers: dict[str, Worker] = {}
        self._deadline = time.monotonic() + 60 * plan.minutes

    def play(self) -> None:
        """Plays until the plan is fulfilled; what is in the journal is not played again."""
        rounds = self._rounds()
        running: dict[Connection, RoundKey] = {}
        waiting = next(rounds, None)
        while running or (waiting and not self._enough(0)):
            busy = {key.job for key in running.values()}
            free = len(running) < self.plan.parallel and not self._enough(len(running))
            if waiting and free and waiting.job not in busy:
                running[self._begin(waiting)] = waiting
                waiting = next(rounds, None)
                continue
            ready = set(map(id, wait(list(running))))
            for pipe in [pipe for pipe in running if id(pipe) in ready]:
                self._finish(running.pop(pipe))
        for worker in self._workers.values():
            worker.stop()

    def _enough(self, running: int) -> bool:
        late = time.monotonic() > self._deadline
        return late or len(killed(self.journal.states)) + running >= self.plan.states

    def _rounds(self) -> Iterator[RoundKey]:
        """All rounds that are not in the journal yet."""
        longest = max(map(len, self.plan.configurations.values()))
        for seed in itertools.count(1) if not self.plan.rounds else range(1, self.plan.rounds + 1):
            left = False
            for place in range(longest):
                for job, names in self.plan.configurations.items():
                    for name in names[place : place + 1]:
                        if len(self.failures.get((job, name), ())) >= GIVE_UP_AFTER:
                            continue
                        left = True
                        if (key := RoundKey(job, name, seed)) not in self.journal.rounds:
                            yield key
            if not left:
                return

    def _begin(self, key: RoundKey) -> Connection:
        if key.job not in self._workers:
            log = self.journal.path.with_suffix(f".{key.job}.log")
            python = self.plan.pythons.get(key.job, sys.executable)
            self._workers[key.job] = Worker(key.job, self.plan.habits, python, log)
        known = any(state[:3] == key._replace(seed=0) for state in self.journal.states)
        self._workers[key.job].ask(key.configuration, key.seed, known=known)
        return self._workers[key.job].pipe

    def _finish(self, key: RoundKey) -> None:
        states, version, error, died = self._workers[key.job].answer()
        if died:
            self._workers.pop(key.job).stop()
        if error:
            print(f"{key.job} {key.configuration} {key.seed}: {error}", file=sys.stderr, flush=True)
            self.failures.setdefault(key[:2], []).append(error)
            return
        self.journal.add(key, version, states)
        for state in states:
            if not state.agreed:
                print(state, flush=True)
