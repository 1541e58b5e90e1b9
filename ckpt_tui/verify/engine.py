"""Reads every byte that anything protects, on several threads, and says what it found."""

from __future__ import annotations

import os
import threading
import time
from typing import TYPE_CHECKING

from ckpt_tui.verify.absent import absent_files, missing_file
from ckpt_tui.verify.amounts import expected_bytes
from ckpt_tui.verify.one_file import check_file
from ckpt_tui.verify.options import DEFAULT_OPTIONS, Options
from ckpt_tui.verify.planning import plan
from ckpt_tui.verify.results import Progress, Verified
from ckpt_tui.verify.stream import StoppedError, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ckpt_tui.verify.planning import Demand, Plan, Planned
    from ckpt_tui.verify.results import FileResult

__all__ = ["DEFAULT_OPTIONS", "Options", "verify"]

_MOST_JOBS = 8
_LOOK_SECONDS = 0.1
"""So often the caller's thread looks whether it is cancelled, and tells how far it is."""


def verify(
    paths: Sequence[str],
    options: Options = DEFAULT_OPTIONS,
    progress: Callable[[Progress], None] | None = None,
    cancel: threading.Event | None = None,
) -> Verified:
    """Verifies checkpoints, runs, directories above runs, or single files.

    It never raises for what a file holds. Reading is done on daemon threads: where a mount hangs
    they stay behind, and the caller comes back as soon as it cancels.

    Args:
        paths: What to verify.
        options: How.
        progress: Called now and then, on the caller's thread.
        cancel: Set by whoever wants it to end.

    Returns:
        What was found, in path order; what was done so far where it was cancelled.
    """
    began = time.monotonic()
    running = _Running(paths, options)
    running.start()
    while not running.wait(_LOOK_SECONDS):
        if cancel is not None and cancel.is_set():
            running.stop()
            break
        if progress is not None:
            progress(running.progress())
    if progress is not None:
        progress(running.progress())
    return running.verified(time.monotonic() - began)


class _Running:
    """The threads of one call, and what they have done."""

    def __init__(self, paths: Sequence[str], options: Options) -> None:
        self._paths = tuple(paths)
        self._options = options
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._plan: Plan | None = None
        self._works: list[Work] = []
        self._queue: list[Planned] = []
        self._demands: list[Demand] = []
        self._results: list[FileResult] = []
        self._uncommitted: set[str] = set()
        self._left_bytes = self._read_bytes = self._wrong = 0
        self._active = 1
        self._failure: BaseException | None = None

    def start(self) -> None:
        """Begins to look for files, and to read them."""
        self._in_background(self._find)

    def stop(self) -> None:
        """Nobody wants the rest."""
        self._stop.set()

    def wait(self, seconds: float) -> bool:
        """Waits so long, or until all is done; says whether it is.

        Raises:
            BaseException: What one of the threads raised by mistake.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._active == 0, seconds)
            if self._failure is not None:
                self._stop.set()
                raise self._failure
            return self._active == 0

    def progress(self) -> Progress:
        """How far it is."""
        with self._changed:
            busy = [work for work in self._works if work.path]
            read = self._read_bytes + sum(work.file_bytes for work in busy)
            # After `read`: the other threads count on, and never is more read than there is.
            total = self._read_bytes + self._left_bytes + sum(work.amount_bytes for work in busy)
            path = busy[0].path if busy else ""
            done = len(self._results)  # with those that are not there
            files = max(done, len(self._plan.files) if self._plan is not None else 0)
            return Progress(path, read, total, done, files, self._wrong)

    def verified(self, seconds: float) -> Verified:
        """What was found so far."""
        with self._changed:
            files = tuple(sorted(self._results, key=lambda result: result.path))
            problems = self._plan.problems if self._plan is not None else ()
            stopped = self._stop.is_set()
            busy = tuple(sorted(work.path for work in self._works if work.path and stopped))
            uncommitted = frozenset(self._uncommitted)
            return Verified(files, seconds, stopped, problems, busy, uncommitted)

    def _in_background(self, work: Callable[[], None]) -> None:
        def run() -> None:
            try:
                work()
            except StoppedError:
                pass
            except BaseException as error:  # handed to the caller's thread
                self._failure = error
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

        threading.Thread(target=run, name="ckpt-tui-verify", daemon=True).start()

    def _find(self) -> None:
        found = plan(self._paths, self._options.seals, use_seals=self._options.use_seals)
        # The largest first: a large one left to the end would be read by one thread alone.
        queue = sorted(found.files, key=lambda planned: planned.entry.size_bytes)
        jobs = max(1, min(self._options.jobs or _cores(), len(queue)))
        with self._changed:
            self._plan, self._queue, self._demands = found, queue, list(found.demands)
            self._left_bytes = sum(self._expected(planned) for planned in queue)
            self._active += jobs
        for _ in range(jobs):
            self._in_background(self._work)

    def _work(self) -> None:
        work = Work(self._stop)
        with self._changed:
            self._works.append(work)
        self._read(work)
        self._look_for_absent(work)

    def _read(self, work: Work) -> None:
        while True:
            with self._changed:
                work.check()
                if not self._queue:
                    return
                planned = self._queue.pop()
                work.path, work.file_bytes = planned.path, 0
                work.expected_bytes = self._expected(planned)
                self._left_bytes -= work.expected_bytes
            result = self._result(planned, work)
            with self._changed:
                self._results.append(result)
                self._read_bytes += work.file_bytes
                self._wrong += result.ok is False
                work.path, work.file_bytes, work.expected_bytes = "", 0, 0

    def _expected(self, planned: Planned) -> int:
        return expected_bytes(planned.path, planned.entry.size_bytes, self._options)

    def _look_for_absent(self, work: Work) -> None:
        """Last of all: a reader that hangs must not keep what is known of the bytes."""
        while True:
            with self._changed:
                work.check()
                if not self._demands:
                    return
                context, only = self._demands.pop()
            results, uncommitted = absent_files(context, only), context.uncommitted
            with self._changed:
                if uncommitted:
                    self._uncommitted.add(context.path)
                self._results += results
                self._wrong += len(results)

    def _result(self, planned: Planned, work: Work) -> FileResult:
        context, entry = planned.context, planned.entry
        if planned.missing:
            return missing_file(context, entry.path)
        return check_file(context, entry, work, self._options)


def _cores() -> int:
    """Threads where nothing is said: one for each core that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(_MOST_JOBS, len(os.sched_getaffinity(0)))
    return min(_MOST_JOBS, os.cpu_count() or 1)
