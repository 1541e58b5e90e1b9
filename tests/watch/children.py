"""Runs a script in a process of its own, with the real store and service on a directory."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60.0
PRELUDE = """
import os, resource, shutil, subprocess, sys, time
from pathlib import Path
from ckpt_tui.fs.mounts import Mount
from ckpt_tui.store.index import Store
from ckpt_tui.watch import choose
from ckpt_tui.watch.service import WatchService
from tests.store.runs import write_checkpoint
from tests.watch.fakes import NEVER_SECONDS, FolderStore, Screen, wait_until

# The tests' own writes raise events wherever they are, on a container's FUSE overlay, too.
choose.read_mounts = lambda: (Mount("/", "ext4", "", ()),)
root = Path(sys.argv[1])

def watch(sweep_seconds=0.3, poll_seconds=0.1):
    service = WatchService(
        Store(str(root)), lambda snapshot: None,
        sweep_seconds=sweep_seconds, poll_seconds=poll_seconds,
    )
    service.start()
    wait_until(lambda: service.status().looks > 0)
    return service

def verdicts(service):
    return {c.facts.name: str(c.verdict) for c in service._store.snapshot().checkpoints}

def await_verdicts(service, **expected):
    wanted = {name.replace("_", "-"): verdict for name, verdict in expected.items()}
    try:
        wait_until(lambda: verdicts(service) == wanted)
    except AssertionError:
        raise AssertionError(f"{verdicts(service)} {service.status()}") from None
"""


def start(script: str, *arguments: str, before: tuple[str, ...] = ()) -> subprocess.Popen[str]:
    """Starts the script after the prelude; `before` is a command that runs it."""
    return subprocess.Popen(
        [*before, sys.executable, "-W", "always", "-c", PRELUDE + script, *arguments],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(script: str, *arguments: str, before: tuple[str, ...] = ()) -> tuple[str, str]:
    """What the script wrote to stdout and to stderr."""
    with start(script, *arguments, before=before) as process:
        return process.communicate(timeout=PATIENCE_SECONDS)


def can_unshare(*arguments: str) -> bool:
    """Whether a user namespace may be made here, and this command run in it."""
    if shutil.which("unshare") is None:
        return False
    command = ["unshare", "--user", "--map-root-user", *arguments]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0
