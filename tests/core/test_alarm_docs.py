"""docs/alarms.md says what the code does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ckpt_tui.alerts.courier import MOST_A_MINUTE, MOST_WAITING
from ckpt_tui.alerts.message import environment, json_body
from ckpt_tui.alerts.settings import TIMEOUT_SECONDS
from ckpt_tui.config.alarm_keys import ALARM_KEYS, OWN_FILE_ONLY
from ckpt_tui.core.alarms.hold import HOLD_SECONDS
from ckpt_tui.core.alarms.of_run import POINTER_SECONDS
from ckpt_tui.core.alarms.sight import DEFAULT_LIMITS, IDLE_FACTOR
from ckpt_tui.core.alarms.trend import CALM_GROWTH, GROWTH, LEAST_SAVES, MOST_SAVES, SURE
from ckpt_tui.core.alarms.values import AlarmCode, EventCode
from ckpt_tui.store.moment import RATE_WINDOW_SECONDS
from ckpt_tui.tui.alarm_desk import MOST_EVENTS
from tests.alerts.events import EVENT

TEXT = (Path(__file__).parents[2] / "docs/alarms.md").read_text()
PROSE = " ".join(TEXT.split())


def rows(heading: str) -> list[str]:
    part = TEXT.split(f"\n## {heading}")[1].split("\n## ")[0]
    return [row for row in part.splitlines() if row.startswith("| `")]


def test_every_alarm_has_its_row_and_no_other_has() -> None:
    told = [re.findall(r"`([a-z-]+)`", row.split("|")[1])[0] for row in rows("What is raised")]
    assert told == list(AlarmCode)


def test_every_event_has_its_row_and_no_other_has() -> None:
    told = [
        code for row in rows("Events") for code in re.findall(r"`([a-z-]+)`", row.split("|")[1])
    ]
    assert told == list(EventCode)


def test_every_key_is_there_with_its_default() -> None:
    block = TEXT.split("```toml")[1].split("```")[0]
    keys = tomllib.loads(block)["alarms"]
    assert set(keys) == set(ALARM_KEYS)
    assert {name: keys[name] for name in DEFAULT_LIMITS._fields} == DEFAULT_LIMITS._asdict()
    assert keys["timeout_seconds"] == TIMEOUT_SECONDS
    for key in OWN_FILE_ONLY:
        assert f"`{key}`" in PROSE


def test_the_figures_are_those_of_the_code() -> None:
    for figure in (
        f"not held for {HOLD_SECONDS:g} s",
        f"for {POINTER_SECONDS:g} s a pointer",
        f"After {IDLE_FACTOR:g} intervals",
        f"last {LEAST_SAVES} to {MOST_SAVES} saves",
        f"ends {GROWTH:g} times as high",
        f"below {CALM_GROWTH:g} times",
        f"{SURE:g} standard deviations",
        f"At most {MOST_A_MINUTE} alarms a minute",
        f"of critical ones {MOST_A_MINUTE} more",
        f"at most {MOST_WAITING} wait",
        f"newest {MOST_EVENTS:,} events",
        f"over the last {RATE_WINDOW_SECONDS:g} s",
    ):
        assert figure in PROSE, figure


def test_what_a_program_gets_is_named() -> None:
    for name in environment(EVENT, "/mnt/x"):
        assert f"`{name}`" in TEXT
    for field in re.findall(r'"(\w+)": ', json_body(EVENT, "/mnt/x").decode()):
        assert f'"{field}":' in TEXT
