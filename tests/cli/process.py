"""Runs the command line as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def ckpt_tui(*arguments: str | Path, **environment: str) -> Ended:
    """Runs `ckpt-tui` without a terminal."""
    done = subprocess.run(
        [sys.executable, "-m", "ckpt_tui", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
        env=os.environ | environment,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def child_of(pid: int) -> int:
    """The child in which a command works that may be left behind."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()[0])
