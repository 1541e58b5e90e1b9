"""Run the simulated jobs side by side, here, until they are done or stopped."""

from __future__ import annotations

import concurrent.futures
from typing import TYPE_CHECKING

from ckpt_tui.demo.faults import FaultPlan
from ckpt_tui.demo.job import Job, JobSetting
from ckpt_tui.demo.lock import demo_lock
from ckpt_tui.demo.plan import check_plan

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.demo.plan import DemoPlan


def run_demo(
    directory: Path,
    plan: DemoPlan,
    faults: FaultPlan | None,
    stop_event: threading.Event,
    say: Callable[[str], None] = lambda _line: None,
) -> None:
    """Writes checkpoints below `directory` until the plan is done or `stop_event` is set.

    A job resumes from what it finds there, as a real one does.

    Args:
        directory: Where the run directories go; made if it is not there.
        plan: What to do, and how fast.
        faults: What goes wrong, or None for a job without faults.
        stop_event: Ends the demo at once; a save in progress stays uncommitted.
        say: Called with a line about each thing that happens, from several threads.

    Raises:
        ValueError: The plan cannot run.
        BlockingIOError: Another demo writes to the directory.
        DemoError: A rank could not write.
        OSError: The directory cannot be written.
    """
    check_plan(plan)
    directory.mkdir(parents=True, exist_ok=True)
    with demo_lock(directory) as lock_descriptor:
        setting = JobSetting(
            directory.absolute(), plan, faults or FaultPlan(), stop_event, say, lock_descriptor
        )
        jobs = [Job(setting, name, index) for index, name in enumerate(plan.formats)]
        with concurrent.futures.ThreadPoolExecutor(len(jobs)) as pool:
            futures = [pool.submit(job.run) for job in jobs]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                stop_event.set()
                raise
