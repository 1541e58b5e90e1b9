"""Run the demo in the background, in a process group of its own that ends with its starter."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

from ckpt_tui.children import import_environment
from ckpt_tui.demo.arguments import Request
from ckpt_tui.demo.background import encode_request
from ckpt_tui.demo.faults import FaultPlan, default_faults
from ckpt_tui.demo.plan import check_plan

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.demo.plan import DemoPlan

_STOP_SECONDS = 5.0


def start_demo_process(
    directory: Path, plan: DemoPlan, faults: FaultPlan | None = None
) -> DemoProcess:
    """Starts a demo in the background.

    Args:
        directory: Where the run directories go; made if it is not there.
        plan: What to do, and how fast.
        faults: What goes wrong; by default each fault once. `FaultPlan()` is none.

    Raises:
        ValueError: The plan cannot run.
        OSError: The process cannot be started.
    """
    check_plan(plan)
    directory.mkdir(parents=True, exist_ok=True)
    chosen = default_faults() if faults is None else faults
    return DemoProcess(Request(directory.absolute(), plan, chosen))


class DemoProcess:
    """A demo in the background; it ends by itself when the process that started it is gone."""

    def __init__(self, request: Request) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ckpt_tui.demo.background"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=import_environment(),
            start_new_session=True,
        )
        if self._process.stdin is not None:
            self._process.stdin.write(encode_request(request))
            self._process.stdin.flush()

    @property
    def process_group(self) -> int:
        """The process group of the job and all its ranks."""
        return self._process.pid

    def running(self) -> bool:
        """Whether the job still runs."""
        return self._process.poll() is None

    def wait(self, timeout_seconds: float | None = None) -> int:
        """The job's exit code, when it has ended.

        Raises:
            subprocess.TimeoutExpired: It still runs after `timeout_seconds`.
        """
        return self._process.wait(timeout_seconds)

    def stop(self) -> str:
        """Asks the job to end, kills its group if it does not, and waits until no rank writes.

        Returns:
            What the job wrote to stderr; empty when all went well.
        """
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            return self.kill()
        return self._end()

    def kill(self) -> str:
        """Kills the whole group with SIGKILL, and waits until no rank can write any more.

        Returns:
            What the job wrote to stderr.
        """
        if self.running():
            os.killpg(self.process_group, signal.SIGKILL)
        self._process.wait()
        return self._end()

    def _end(self) -> str:
        text = b""
        for stream in (self._process.stdin, self._process.stderr):
            if stream is not None and not stream.closed:
                # The ranks share stderr: it ends when the last of them is gone.
                text = stream.read() if stream.readable() else text
                stream.close()
        return text.decode(errors="replace")
