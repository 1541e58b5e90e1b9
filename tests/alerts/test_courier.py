"""Events go out one after the other, never too many, and whoever offers them never waits."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from ckpt_tui.alerts.courier import MOST_A_MINUTE, MOST_WAITING, Courier
from ckpt_tui.alerts.settings import QUIET, AlertSettings
from ckpt_tui.core.alarms.values import AlarmLevel
from tests.alerts.events import EVENT as CRITICAL

if TYPE_CHECKING:
    from pathlib import Path


EVENT = CRITICAL._replace(level=AlarmLevel.WARNING)


def writing(path: Path, seconds: float = 0.0, code: int = 0) -> AlertSettings:
    """A program that notes its begin and its end."""
    program = (
        "import os, sys, time; f = open(sys.argv[1], 'a', buffering=1); f.write('(');"
        f" time.sleep({seconds}); f.write(')'); sys.exit({code})"
    )
    return QUIET._replace(command=(sys.executable, "-S", "-c", program, str(path)))


def test_one_after_the_other(tmp_path: Path) -> None:
    courier = Courier(writing(tmp_path / "log", 0.05), "/mnt/x")
    courier.start()
    for _ in range(4):
        courier.offer(EVENT)
    courier.stop(10)
    assert (tmp_path / "log").read_text() == "()()()()"
    assert courier.reports() == ()
    assert courier.failing == ""


def test_offering_never_waits_and_the_end_does_not_either(tmp_path: Path) -> None:
    courier = Courier(writing(tmp_path / "log", 30)._replace(timeout_seconds=1.0), "/mnt/x")
    courier.start()
    began = time.monotonic()
    for _ in range(1000):
        courier.offer(EVENT)
    assert time.monotonic() - began < 0.2
    courier.stop(0.1)
    assert time.monotonic() - began < 1.0
    report = courier.reports()[-1]
    assert report.reason == f"{1000 - MOST_A_MINUTE} alarms left out: too many in a minute"


def test_so_many_a_minute_and_no_more(tmp_path: Path) -> None:
    now = [0.0]
    courier = Courier(writing(tmp_path / "log"), "/mnt/x", clock=lambda: now[0])
    for _ in range(MOST_A_MINUTE + 2):
        courier.offer(EVENT)
    now[0] = 61.0
    courier.offer(EVENT)
    assert [report.reason for report in courier.reports()] == [
        "2 alarms left out: too many in a minute"
    ]
    courier.start()
    courier.stop(20)
    assert (tmp_path / "log").read_text() == "()" * (MOST_A_MINUTE + 1)


def test_critical_ones_have_room_beside_the_others(tmp_path: Path) -> None:
    courier = Courier(writing(tmp_path / "log"), "/mnt/x", clock=lambda: 0.0)
    for _ in range(MOST_A_MINUTE):
        courier.offer(EVENT)
    courier.offer(CRITICAL)
    assert courier.reports() == ()
    courier.offer(EVENT)
    assert len(courier.reports()) == 1
    for _ in range(MOST_A_MINUTE):
        courier.offer(CRITICAL)
    assert [r.reason.split(" left")[0] for r in courier.reports()] == ["1 alarm"]


def test_what_still_runs_at_the_end_is_killed(tmp_path: Path) -> None:
    program = (
        "import sys, time\nwhile True:\n    open(sys.argv[1], 'a').write('.'); time.sleep(0.01)"
    )
    log = tmp_path / "log"
    command = (sys.executable, "-S", "-c", program, str(log))
    courier = Courier(QUIET._replace(command=command, timeout_seconds=60.0), "/mnt/x")
    courier.start()
    courier.offer(EVENT)
    courier.stop(0.5)
    size = log.stat().st_size
    time.sleep(0.1)
    assert log.stat().st_size == size > 0


def test_no_more_wait_than_there_is_room_for(tmp_path: Path) -> None:
    now = [0.0]
    courier = Courier(writing(tmp_path / "log"), "/mnt/x", clock=lambda: now[0])
    for _ in range(100):
        now[0] += 10.0
        courier.offer(EVENT)
    (report,) = courier.reports()
    assert report.reason.startswith(f"{100 - MOST_WAITING} alarms")


def test_failures_are_told_until_one_gets_through(tmp_path: Path) -> None:
    courier = Courier(writing(tmp_path / "log", code=4), "/mnt/x")
    courier.start()
    courier.offer(EVENT)
    courier.stop(10)
    (report,) = courier.reports()
    assert (report.way, report.reason) == ("command", f"{sys.executable} failed with exit code 4")
    assert courier.reports() == ()
    assert courier.failing == f"command: {sys.executable} failed with exit code 4"
