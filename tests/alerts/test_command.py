"""The user's program, for real: what it gets, how it fails, that it cannot stay."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.alerts.command import run_command
from ckpt_tui.alerts.message import environment, json_body
from tests.alerts.events import EVENT, HOSTILE

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.alarms.values import Event


def run(argv: list[str], timeout_seconds: float = 10.0, event: Event = EVENT) -> str:
    return run_command(
        argv, json_body(event, "/mnt/x"), environment(event, "/mnt/x"), timeout_seconds
    )


def python(code: str) -> list[str]:
    return [sys.executable, "-S", "-c", code]


@pytest.mark.parametrize("event", [EVENT, HOSTILE])
def test_it_gets_the_event_on_stdin_and_in_variables(tmp_path: Path, event: Event) -> None:
    code = (
        "import json, os, sys; "
        "own = {k: os.fsencode(v).hex() for k, v in os.environ.items() if k[:9] == 'CKPT_TUI_'}; "
        f"json.dump([json.load(sys.stdin), own, os.getcwd()], open({str(tmp_path / 'got')!r}, 'w'))"
    )
    assert run(python(code), event=event) == ""
    body, own, place = json.loads((tmp_path / "got").read_text())
    variables = {key: os.fsdecode(bytes.fromhex(value)) for key, value in own.items()}
    assert body["schema"] == "ckpt-tui/alarm/1"
    assert body["message"] == event.message[:2000]
    assert body["checkpoint"] == variables["CKPT_TUI_CHECKPOINT"] == event.checkpoint
    assert body["at"] == variables["CKPT_TUI_AT"] == "2026-01-01T11:00:00Z"
    assert variables["CKPT_TUI_LEVEL"] == "critical"
    assert variables["CKPT_TUI_MESSAGE"].isprintable()
    assert body["text"].isprintable()
    assert place == "/"


def test_the_last_of_much_that_it_said_is_told() -> None:
    code = "import os; os.write(2, b'x\\n' * 30_000 + b'the last line\\n'); os._exit(3)"
    assert run(python(code)).endswith("failed with exit code 3: the last line")


def test_arguments_reach_no_shell(tmp_path: Path) -> None:
    code = f"import sys; open({str(tmp_path / 'got')!r}, 'w').write(sys.argv[1])"
    assert run([*python(code), "$(touch x); `y` > z"]) == ""
    assert (tmp_path / "got").read_text() == "$(touch x); `y` > z"


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (python("import sys; sys.stderr.write('a\\nno \\x1b[31mroute\\n'); sys.exit(3)"), None),
        (["/no/such/program"], "/no/such/program cannot be run: No such file or directory"),
        (["/"], "/ cannot be run: Permission denied"),
        (python("import os; os.kill(os.getpid(), 9)"), f"{sys.executable} failed with SIGKILL"),
        (python("import os; os.close(0)"), ""),
        (python("import sys; sys.stderr.write('x' * 10**6)"), ""),
    ],
)
def test_how_it_ends(argv: list[str], says: str | None) -> None:
    if says is None:
        says = f"{sys.executable} failed with exit code 3: no \\x1b[31mroute"
    assert run(argv) == says


def test_after_the_time_limit_its_whole_group_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    code = (
        "import os, time\n"
        "child = os.fork()\n"
        "while True:\n"
        f"    open({str(mark)!r}, 'a').write(str(os.getpid()) + '\\n'); time.sleep(0.02)\n"
    )
    began = time.monotonic()
    says = run(python(code), 1.0)
    assert says == f"{sys.executable} did not end in 1 s and was killed"
    assert time.monotonic() - began < 5
    pids = {int(line) for line in mark.read_text().split()}
    assert len(pids) == 2
    size = mark.stat().st_size
    time.sleep(0.1)
    assert mark.stat().st_size == size


def test_what_it_leaves_behind_does_not_keep_us() -> None:
    code = "import os, time\nif os.fork() == 0:\n    time.sleep(3)\n"
    began = time.monotonic()
    assert run(python(code), 10.0) == ""
    assert time.monotonic() - began < 2.5


@pytest.mark.parametrize("first", ["pass", "os.read(0, 9)"])
def test_a_body_larger_than_a_pipe_cannot_outlast_the_time_limit(first: str) -> None:
    code = f"import os, time; {first}; time.sleep(30)"
    began = time.monotonic()
    says = run_command(python(code), b"x" * (1 << 20), {}, 0.5)
    assert "did not end in 0.5 s and was killed" in says
    assert time.monotonic() - began < 10.0


def test_a_body_larger_than_a_pipe_arrives_whole(tmp_path: Path) -> None:
    got = tmp_path / "got"
    late = "import sys, time; time.sleep(0.1)"
    code = f"{late}; open({str(got)!r}, 'wb').write(sys.stdin.buffer.read())"
    body = bytes(range(256)) * 4096
    assert run_command(python(code), body, {}, 20.0) == ""
    assert got.read_bytes() == body


def test_one_that_reads_nothing_of_a_large_body_may_end_well() -> None:
    assert run_command(python("pass"), b"x" * (1 << 20), {}, 20.0) == ""


def test_one_that_writes_forever_is_stopped() -> None:
    code = "import sys\nwhile True: sys.stderr.write('x' * 1000)"
    assert "did not end in 0.5 s" in run(python(code), 0.5)
