"""Forked processes: single ones, and groups of ranks with what torch's launcher would set."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
import traceback
from typing import TYPE_CHECKING, Any

from tests.framework.jobs.base import Outcome
from tests.framework.jobs.imports import import_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

AFTER_FIRST_ERROR_SECONDS = 5.0

QUIET_ON_CPU = {
    "CUDA_VISIBLE_DEVICES": "",
    "DS_ACCELERATOR": "cpu",
    "ACCELERATE_USE_CPU": "true",
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "TF_ENABLE_ONEDNN_OPTS": "0",
    "TOKENIZERS_PARALLELISM": "false",
    "PYTHONWARNINGS": "ignore",
}


def fork(work: Callable[[], None], *, group: int | None = None, log: Path | None = None) -> int:
    """Runs the work in a forked process and returns its ID.

    Args:
        work: What the child does; an exception is printed and makes its exit status 1.
        group: The process group that the child joins; 0 for one of its own, None for ours.
        log: The file that takes its output; None for nowhere.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        if group is not None:
            with contextlib.suppress(OSError):  # it did so itself, or is gone already
                os.setpgid(child, group or child)
        return child
    status = 1
    try:
        if group is not None:
            os.setpgid(0, group)
        _redirect_output(log)
        work()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _redirect_output(log: Path | None) -> None:
    target = os.open(log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for ours, standard in ((nothing, 0), (target, 1), (target, 2)):
        os.dup2(ours, standard)
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


def free_port() -> int:
    """A TCP port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(rank: int, ranks: int, port: int) -> dict[str, str]:
    """What a launcher sets for one rank of one machine."""
    return {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(ranks),
        "LOCAL_WORLD_SIZE": str(ranks),
        "GROUP_RANK": "0",
        "ROLE_RANK": str(rank),
        "ROLE_WORLD_SIZE": str(ranks),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "GLOO_SOCKET_IFNAME": "lo",
        "OMP_NUM_THREADS": "1",
        **QUIET_ON_CPU,
    }


def fork_ranks(
    ranks: int, work: Callable[[int], None], *, own_group: bool, log: Path | None = None
) -> list[int]:
    """Forks one process per rank and returns their IDs by rank.

    Args:
        ranks: How many.
        work: What each does, given its rank; the launcher's variables are set.
        own_group: Whether they form a process group of their own, led by rank 0.
        log: The file that takes their output.
    """
    port = free_port()
    started: list[int] = []

    def of_rank(rank: int) -> Callable[[], None]:
        def run() -> None:
            os.environ.update(environment(rank, ranks, port))
            work(rank)

        return run

    for rank in range(ranks):
        group = (started[0] if started else 0) if own_group else None
        started.append(fork(of_rank(rank), group=group, log=log))
    return started


def on_all_ranks(ranks: int, load: Callable[..., Outcome], *arguments: Any) -> Outcome:
    """Calls the load with these arguments on every rank."""
    return in_ranks(ranks, lambda _: load(*arguments))


def in_ranks(ranks: int, work: Callable[[int], Outcome], timeout_seconds: float = 60.0) -> Outcome:
    """Lets every rank load its part; something came back only where it did on all of them.

    The first error of any rank is the group's: the others may wait for that rank for ever.
    """
    ends = [os.pipe() for _ in range(ranks)]
    children = fork_ranks(ranks, lambda rank: _send(ends[rank][1], work, rank), own_group=False)
    for _, writing in ends:
        os.close(writing)
    try:
        return joined(_receive([reading for reading, _ in ends], timeout_seconds))
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        for reading, _ in ends:
            os.close(reading)


def joined(outcomes: list[Outcome]) -> Outcome:
    """What all ranks together got back."""
    return Outcome(
        model=all(each.model for each in outcomes),
        optimizer=all(each.optimizer for each in outcomes),
        step=all(each.step for each in outcomes),
        error=next((each.error for each in outcomes if each.error), ""),
    )


def outcome_of(load: Callable[[], Outcome]) -> Outcome:
    """The outcome of a load; an exception becomes its name and the start of its text."""
    try:
        return load()
    except BaseException as error:  # torch's CheckpointException is no Exception
        traceback.print_exc()
        text = " ".join(str(error).split())[:160]
        return Outcome(False, False, False, f"{type(error).__name__}: {text}".rstrip(": "))


def _send(end: int, work: Callable[[int], Outcome], rank: int) -> None:
    known = set(sys.modules)
    outcome = outcome_of(lambda: work(rank))
    imported = sorted(set(sys.modules) - known) if rank == 0 else []
    with open(end, "wb") as pipe:
        pipe.write(json.dumps([outcome, imported]).encode())


def _receive(ends: list[int], timeout_seconds: float) -> list[Outcome]:
    """Reads every rank's outcome; a rank that says nothing in time did not load."""
    deadline = time.monotonic() + timeout_seconds
    received = dict.fromkeys(ends, b"")
    outcomes: dict[int, Outcome] = {}
    while len(outcomes) < len(ends) and (left := deadline - time.monotonic()) > 0:
        waiting = [end for end in ends if end not in outcomes]
        for end in select.select(waiting, [], [], left)[0]:
            data = os.read(end, 65536)
            received[end] += data
            if not data:
                outcomes[end] = _decoded(received[end])
                if outcomes[end].error:
                    deadline = min(deadline, time.monotonic() + AFTER_FIRST_ERROR_SECONDS)
    silent = Outcome(False, False, False, "Timeout: a rank did not return")
    return [*outcomes.values(), *(silent for end in ends if end not in outcomes)]


def _decoded(data: bytes) -> Outcome:
    if not data:
        return Outcome(False, False, False, "Died: the process ended without an answer")
    outcome, imported = json.loads(data)
    import_all(imported)
    return Outcome(*outcome)
