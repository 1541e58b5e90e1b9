"""The ranks of one run: processes that can really be killed, or threads that act as if."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ckpt_tui.children import import_environment
from ckpt_tui.demo.orders import Reply, decode_reply, encode
from ckpt_tui.demo.saves import RankSaver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ckpt_tui.demo.orders import CommitOrder, SaveOrder
    from ckpt_tui.manifest import ManifestEntry

_LOOK_SECONDS = 0.1


class DemoError(Exception):
    """The simulated job cannot go on for a reason that is not one of its faults."""


class RankDiedError(Exception):
    """A rank is dead; `rank` says which."""

    def __init__(self, rank: int) -> None:
        super().__init__(f"rank {rank} died")
        self.rank = rank


class StoppedError(Exception):
    """The job was asked to stop while it waited."""


class _Answer(NamedTuple):
    rank: int
    reply: Reply | None
    """None when the rank has ended."""


class _Rank(Protocol):
    def send(self, order: SaveOrder | CommitOrder) -> None: ...

    def kill(self) -> None: ...


class RankGroup:
    """All ranks of a run, from a start of the job to its end or a rank's death.

    Args:
        world_size: How many ranks to start.
        threads: Whether they are threads of this process.
        lock_descriptor: The lock file to hold open as long as a rank lives.
        stop: Ends any waiting.
    """

    def __init__(
        self, world_size: int, *, threads: bool, lock_descriptor: int, stop: threading.Event
    ) -> None:
        self._answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        self._stop = stop
        self._ranks: list[_Rank] = [
            _ThreadRank(rank, self._answers)
            if threads
            else _ProcessRank(rank, self._answers, lock_descriptor)
            for rank in range(world_size)
        ]

    def carry_out(self, orders: Sequence[SaveOrder | CommitOrder]) -> list[ManifestEntry]:
        """Gives the first ranks one order each, and waits for all of their answers.

        Raises:
            RankDiedError: A rank ended before it answered.
            StoppedError: The job was asked to stop.
            DemoError: A rank could not write.
        """
        for rank, order in enumerate(orders):
            try:
                self._ranks[rank].send(order)
            except BrokenPipeError:
                raise RankDiedError(rank) from None
        replies: dict[int, Reply] = {}
        while len(replies) < len(orders):
            answer = self._next_answer()
            if answer.reply is None:
                raise RankDiedError(answer.rank)
            if answer.reply.error is not None:
                raise DemoError(f"rank {answer.rank} could not write: {answer.reply.error}")
            replies[answer.rank] = answer.reply
        return [entry for rank in sorted(replies) for entry in replies[rank].entries]

    def kill(self) -> None:
        """Kills every rank that still lives, and waits for its end."""
        for rank in self._ranks:
            rank.kill()

    def _next_answer(self) -> _Answer:
        while not self._stop.is_set():
            try:
                return self._answers.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                continue
        raise StoppedError


class _ProcessRank:
    def __init__(
        self, rank: int, answers: queue.SimpleQueue[_Answer], lock_descriptor: int
    ) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ckpt_tui.demo.rank"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=import_environment(),
            pass_fds=(lock_descriptor,),
        )
        self._reader = threading.Thread(target=self._read, args=(rank, answers), daemon=True)
        self._reader.start()

    def send(self, order: SaveOrder | CommitOrder) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(encode(order) + "\n")
            self._process.stdin.flush()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                # An order that the dead rank did not take is flushed again, in vain.
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def _read(self, rank: int, answers: queue.SimpleQueue[_Answer]) -> None:
        for line in self._process.stdout or ():
            # A line without its end is a reply that the rank's death cut.
            if line.endswith("\n"):
                answers.put(_Answer(rank, decode_reply(line)))
        answers.put(_Answer(rank, None))


class _ThreadKilled(BaseException):
    """Ends a rank that is a thread, as SIGKILL ends a process: nothing is cleaned up."""


class _ThreadRank:
    def __init__(self, rank: int, answers: queue.SimpleQueue[_Answer]) -> None:
        self._orders: queue.SimpleQueue[SaveOrder | CommitOrder | None] = queue.SimpleQueue()
        self._killed = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(rank, answers), daemon=True)
        self._thread.start()

    def send(self, order: SaveOrder | CommitOrder) -> None:
        self._orders.put(order)

    def kill(self) -> None:
        self._killed.set()
        self._orders.put(None)
        self._thread.join()

    def _run(self, rank: int, answers: queue.SimpleQueue[_Answer]) -> None:
        saver = RankSaver(self._sleep, self._die)
        try:
            while (order := self._orders.get()) is not None:
                answers.put(_Answer(rank, saver.carry_out(order)))
        except _ThreadKilled:
            self._killed.set()
        answers.put(_Answer(rank, None))

    def _sleep(self, seconds: float) -> None:
        if self._killed.wait(seconds):
            raise _ThreadKilled

    def _die(self) -> None:
        raise _ThreadKilled
