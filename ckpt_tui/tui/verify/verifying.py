"""What `v` does: verifies checkpoints beside the screen, one after the other."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from ckpt_tui.tui.background import on_daemon_thread
from ckpt_tui.tui.planner.choice import Choice, ChoiceScreen
from ckpt_tui.tui.screens.moving import Moving
from ckpt_tui.tui.verify.lines import outcome_text, progress_line
from ckpt_tui.tui.verify.queue import Job, Verifier, VerifyQueue, why_not
from ckpt_tui.tui.view import titled
from ckpt_tui.tui.widgets.line_view import TextLines
from ckpt_tui.words import say, say_count, say_sentence

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel
    from textual.timer import Timer

    from ckpt_tui.core.checkpoint import Checkpoint
    from ckpt_tui.tui.options import DashboardOptions
    from ckpt_tui.tui.ports import Feed
    from ckpt_tui.verify.results import Verified

PROGRESS_SECONDS = 0.2
_SHORT_SECONDS, _LONG_SECONDS = 4.0, 15.0
"""So long good news stay, and bad ones, from which the operator may have turned away."""


class Verifying(Moving):
    """The queue, the line that says how far it is, and the way to stop it."""

    def __init__(self, feed: Feed, options: DashboardOptions) -> None:
        super().__init__(feed, options)
        self.verify_queue = VerifyQueue()
        self._verifies = False
        self._verify_timer: Timer | None = None

    def on_mount(self) -> None:
        """Makes room for the line above the keys."""
        told = TextLines(widget_id="verify-progress")
        told.display = False
        self.query_one("#foot").mount(told, before=0)
        self._verify_timer = self.set_interval(PROGRESS_SECONDS, self._tell_progress, pause=True)

    def on_unmount(self) -> None:
        """Nobody waits any more: what is being read is given up."""
        self.verify_queue.stop()

    def action_verify(self, finite: bool = False) -> None:
        """Verifies the marked checkpoints, or the one under the cursor; a second time: stops."""
        chosen = self.table.marked or tuple(c for c in (self.table.current,) if c is not None)
        if not chosen or self._options.verifier is None:
            return
        fresh = [c for c in chosen if not self.verify_queue.has(c.path)]
        if not fresh:
            self._offer_to_stop(chosen)
            return
        refused: list[str] = []
        for checkpoint in fresh:
            title = titled(self.shown, checkpoint)
            if reason := why_not(checkpoint, title):
                refused.append(reason)
            else:
                self.verify_queue.add(Job(checkpoint, finite, title))
        if refused:
            self.notify("\n".join(refused), severity="warning", markup=False)
        if self.verify_queue.waiting and not self._verifies:
            self._verifies = True  # from now on, not only once the worker begins
            self.run_worker(self._verify_all(self._options.verifier), group="verify")

    def action_back(self) -> None:
        """Leaves what is open; where nothing is, and bytes are read, offers to stop that."""
        if self.verify_queue.jobs and self.is_bare:
            self._offer_to_stop(())
        else:
            super().action_back()

    async def _verify_all(self, verifier: Verifier) -> None:
        if self._verify_timer is not None:
            self._verify_timer.resume()
        while (job := self.verify_queue.next()) is not None:
            self._tell_progress()
            work = partial(verifier.verify, job.paths, job.finite, job.tell, job.cancel)
            try:
                verified = await on_daemon_thread(work)
                problem = await self._keep(verifier, verified)
            except Exception as error:  # one checkpoint must not take the others with it
                text = say("{title} could not be verified: {error}", title=job.title, error=error)
                self.notify(text, severity="error", timeout=_LONG_SECONDS, markup=False)
                continue
            self._tell_outcome(job, verified, problem)
        self._verifies = False
        if self._verify_timer is not None:
            self._verify_timer.pause()
        self._tell_progress()

    async def _keep(self, verifier: Verifier, verified: Verified) -> str:
        """Why the results will be forgotten, or ""; what was stopped may lie on a disk that hangs.

        Then nobody waits for the answer.
        """
        keeping = on_daemon_thread(partial(verifier.remember, verified))
        if not verified.cancelled:
            return await keeping
        self.run_worker(keeping, group="remember", exit_on_error=False)
        return ""

    def _tell_outcome(self, job: Job, verified: Verified, problem: str) -> None:
        text = outcome_text(job, verified)
        doubtful = verified.cancelled or any(f.unread or f.non_finite for f in verified.files)
        severity: SeverityLevel = "warning" if doubtful or problem else "information"
        if not verified.ok:
            severity = "error"
        told = f"{text}\n{say_sentence(problem)}" if problem else text
        good = severity == "information"
        seconds = _SHORT_SECONDS if good else _LONG_SECONDS
        self.notify(told, severity=severity, timeout=seconds, markup=False)

    def _tell_progress(self) -> None:
        told = self.query_one("#verify-progress", TextLines)
        job = self.verify_queue.current
        told.display = job is not None
        if job is None:
            return
        if job.progress is not None:
            job.rate.note(job.progress, time.monotonic())
        waiting, width = len(self.verify_queue.waiting), self.app.size.width
        told.set_lines((progress_line(job, waiting, width),))

    def _offer_to_stop(self, chosen: tuple[Checkpoint, ...]) -> None:
        """Asks first: hours of reading may be behind it.

        Args:
            chosen: What the operator points at; empty for whatever is read now.
        """
        jobs = self.verify_queue.jobs
        paths = {checkpoint.path for checkpoint in chosen}
        meant = [job for job in jobs if job.path in paths] or list(jobs[:1])
        stops: list[tuple[Choice, str | None]] = [
            (
                Choice(say("stop {title}", title=job.title), (_stage(job, self.verify_queue),)),
                job.path,
            )
            for job in meant
        ]
        if len(jobs) > 1:
            every = say_count(len(jobs), "stop it", "stop all {count}")
            stops.append((Choice(every, (say("what was read by now is kept"),)), None))
        goes_on = Choice(say("go on"), (say("verifying takes nothing from the job but reads"),))

        def taken(place: int | None) -> None:
            if place:
                self.verify_queue.stop(stops[place - 1][1])
                self._tell_progress()

        choices = [goes_on, *(choice for choice, _ in stops)]
        self.app.push_screen(ChoiceScreen(say("verifying"), choices), taken)


def _stage(job: Job, queue: VerifyQueue) -> str:
    if job is not queue.current:
        return say("it waits for its turn")
    progress = job.progress
    if progress is None:
        return say("it has only begun")
    return say_count(
        progress.files_total,
        "{done} of {count} file is read; what was found is kept",
        "{done} of {count} files are read; what was found is kept",
        done=progress.files_done,
    )
