"""Faults of event reading, provoked in processes of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.watch.children import PROJECT, can_unshare, start

SCRIPT = """
store, screen = FolderStore(str(root)), Screen()
service = WatchService(store, screen.show, sweep_seconds=NEVER_SECONDS)
service.start()
wait_until(lambda: service.status().looks > 0)
"""
USER_LIMIT = "/proc/sys/user/max_inotify_watches"


def test_new_directories_bring_no_warnings_to_stderr(tmp_path: Path) -> None:
    script = """
expected = set()
for step in range(60):
    os.makedirs(f"{root}/step-{step}/a/b")
    expected |= {f"{root}/step-{step}/a/b", f"{root}/step-{step}/a", f"{root}/step-{step}"}
screen.await_paths(*expected)
print(service.status().mode, service.stop(5.0))
"""
    with start(SCRIPT + script, str(tmp_path)) as process:
        out, err = process.communicate(timeout=30)
    assert (out, err) == ("inotify True\n", "")


def test_events_lost_in_a_flood_are_made_good_by_a_full_look(tmp_path: Path) -> None:
    queue_length = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    script = """
print("watching", flush=True)
sys.stdin.readline()
wait_until(lambda: store.looks.count(None) >= 2, 60.0)
screen.await_paths(f"{root}/last")
print(service.status().mode, service.stop(5.0))
"""
    with start(SCRIPT + script, str(tmp_path)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "watching\n"
        process.send_signal(signal.SIGSTOP)
        os.waitpid(process.pid, os.WUNTRACED)
        for index in range(queue_length // 2):  # Each is created, closed and deleted.
            (tmp_path / f"{index}").write_bytes(b"")
            (tmp_path / f"{index}").unlink()
        (tmp_path / "last").mkdir()
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate("\n", timeout=90)
    assert (out, err) == ("inotify True\n", "")


@pytest.mark.skipif(
    not can_unshare("test", "-w", USER_LIMIT), reason="no user namespaces on this machine"
)
def test_the_limit_of_watches_is_noticed_though_nobody_tells(tmp_path: Path) -> None:
    for index in range(40):
        (tmp_path / f"step-{index}").mkdir()
    limit = f"echo 20 > {USER_LIMIT} && exec "
    script = "print(service.status().mode, service.status().reason, service.stop(5.0))"
    before = ("unshare", "--user", "--map-root-user", "sh", "-c", limit + '"$0" "$@"')
    with start(SCRIPT + script, str(tmp_path), before=before) as process:
        out, err = process.communicate(timeout=30)
    reason = "inotify watch limit reached (user.max_inotify_watches = 20)"
    assert (out, err) == (f"poll {reason} True\n", "")


def test_watchdog_is_loaded_only_when_a_tree_is_watched() -> None:
    script = "import sys, ckpt_tui.watch.service; sys.exit('watchdog' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=PROJECT, check=False).returncode == 0
