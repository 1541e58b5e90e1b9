"""A mount that never answers freezes nothing: commands end in time and name the path."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.fs.asking import asked_by
from ckpt_tui.store.index import Store
from ckpt_tui.watch import status as status_module
from ckpt_tui.watch.service import WatchService
from tests.store.runs import write_checkpoint
from tests.watch.fakes import PATIENCE_SECONDS, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.network.fuse_mount import FuseMount
    from tests.network.injected import Injected


def ckpt_tui(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ckpt_tui", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("command", ["check", "latest", "show"])
def test_commands_leave_a_hung_fuse_mount(mounted: FuseMount, command: str) -> None:
    """The daemon has read the request: not even SIGKILL would end the thread that waits."""
    write_checkpoint(mounted.source / "run", 10)
    hangs = mounted.path / "run" / "step-10"
    asked = hangs if command == "show" else mounted.path / "run"
    assert ckpt_tui(command, asked, "--timeout", "20").returncode == 0
    mounted.behave(hang="manifest.json")
    began = time.monotonic()
    ended = ckpt_tui(command, asked, "--timeout", "1")
    assert time.monotonic() - began < 10.0
    assert ended.returncode == 3
    assert f"no answer from {hangs}" in ended.stderr


def test_a_failing_fuse_mount_is_told_and_read_again(mounted: FuseMount) -> None:
    write_checkpoint(mounted.source / "run", 10)
    mounted.behave(fail={"manifest.json": 5})
    failing = ckpt_tui("check", mounted.path)
    assert failing.returncode == 3
    assert "Input/output error" in failing.stdout + failing.stderr
    mounted.behave()
    assert ckpt_tui("check", mounted.path).returncode == 0


def test_a_slow_fuse_mount_is_only_slow(mounted: FuseMount) -> None:
    write_checkpoint(mounted.source / "run", 10)
    mounted.behave(delay_seconds=0.02)
    assert ckpt_tui("latest", mounted.path).stdout == f"{mounted.path}/run/step-10\n"


def test_a_killed_child_is_told_as_a_shell_does(mounted: FuseMount) -> None:
    write_checkpoint(mounted.source / "run", 10)
    mounted.behave(hang="manifest.json")
    command = [sys.executable, "-m", "ckpt_tui", "check", str(mounted.path), "--timeout", "60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(0.5)
        process.terminate()
        mounted.behave()
        assert process.wait(10) in (143, 0)


def test_who_waits_for_what_is_known_to_others(tmp_path: Path, hung: Injected) -> None:
    hung.hang = "manifest.json"
    write_checkpoint(tmp_path, 10)
    thread = threading.Thread(target=Store(str(tmp_path)).look, daemon=True)
    thread.start()
    wait_until(lambda: "step-10" in getattr(asked_by(thread.ident), "path", ""))
    before = asked_by(thread.ident)
    assert before is not None
    assert before.since_monotonic <= time.monotonic()
    hung.released.set()
    thread.join(PATIENCE_SECONDS)
    after = asked_by(thread.ident)
    assert after is not None
    assert after.path == ""


def test_the_status_names_the_path_that_hangs(
    tmp_path: Path, hung: Injected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status_module, "HANGING_SECONDS", 0.05)
    directory = write_checkpoint(tmp_path, 10)
    shown: list[object] = []
    hung.hang = "manifest.json"
    service = WatchService(Store(str(tmp_path)), shown.append, force_poll=True)
    service.start()
    wait_until(lambda: service.status().hanging_path != "")
    assert service.status().hanging_path.startswith(str(directory))
    hung.hang = ""
    hung.released.set()
    wait_until(lambda: service.status().hanging_path == "")
    wait_until(lambda: bool(shown))
    assert service.stop(PATIENCE_SECONDS)
