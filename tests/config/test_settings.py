"""Several sources: which wins, what a file beside checkpoints may not say, what it weakens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.config.files import read_beside, users_file, variables_set
from ckpt_tui.config.keys import all_keys
from ckpt_tui.config.laxer import laxer_texts
from ckpt_tui.config.settings import NO_SETTINGS, ConfigError, Entry, Origin, Settings, merged
from ckpt_tui.config.variables import read_variables, strange_variables
from ckpt_tui.formats.shared.roles import Synonyms
from tests.config.sources import held

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.config.settings import Value


def of(place: str, **values: Value) -> Settings:
    """Settings of one source; `table_key` with two underscores between."""
    return Settings(
        tuple(
            Entry(*name.rpartition("__")[::2], value, Origin(place))
            for name, value in values.items()
        )
    )


def test_the_nearest_wins_and_names_are_added_up() -> None:
    far = of("far", roles__model=("a", "b"), roles__step_keys=("s",), require=("model",))
    near = of("near", roles__optimizer=("A",), roles__step_keys=("t",), check__min_good=2)
    nearest = of("nearest", check__min_good=4)
    whole = merged((far, near, nearest))
    assert whole.synonyms() == Synonyms((("a", "optimizer"), ("b", "model")), ("t", "s"), ())
    assert whole.require == ("model",)
    assert whole.value("check", "min_good") == 4
    assert merged(()) == NO_SETTINGS


@pytest.mark.parametrize(
    ("nearer", "kept"),
    [
        ({"plan__mtbf_hours": 50}, {"plan.mtbf_hours": 50, "plan.gpus": 8}),
        ({"plan__gpus": 4}, {"plan.nodes": 64, "plan.node_mtbf_hours": 8760, "plan.gpus": 4}),
    ],
)
def test_a_nearer_failure_rate_puts_another_way_to_say_it_aside(
    nearer: dict[str, Value], kept: dict[str, Value]
) -> None:
    far = of("far", plan__nodes=64, plan__node_mtbf_hours=8760, plan__gpus=8)
    assert held(merged((far, of("near", **nearer)))) == kept


HOSTILE = """\
require = ["model"]
language = "zh"
[alarms]
bell = true
command = ["rm"]
webhook = "http://x/"
level = "critical"
timeout_seconds = 1
stalled_seconds = 1000
disk_saves = 4
[check]
warn_age = "7d"
min_good = 9
settle = 100
timeout = 0
expect_checkpoint = true
[dashboard]
theme = "nord"
columns = ["state"]
mouse = false
ascii = true
history = false
cache = false
[keys]
quit = "x"
[plan]
fault_rate = 0
"""


def test_what_a_file_beside_checkpoints_may_not_set(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(HOSTILE)
    settings = read_beside(str(tmp_path / "c.toml"))
    assert set(held(settings)) == {
        "require",
        "alarms.stalled_seconds",
        "alarms.disk_saves",
        "check.warn_age",
        "check.min_good",
        "dashboard.columns",
        "plan.fault_rate",
    }
    assert settings.not_from_here == (
        "language",
        *(f"[alarms] {key}" for key in ("bell", "command", "webhook", "level", "timeout_seconds")),
        *(f"[check] {key}" for key in ("settle", "timeout", "expect_checkpoint")),
        *(f"[dashboard] {key}" for key in ("theme", "mouse", "ascii", "history", "cache")),
        "[keys] quit",
    )


def test_what_it_weakens_is_said(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(HOSTILE)
    beside = read_beside(str(tmp_path / "c.toml"))
    assert list(laxer_texts(beside, of("/own", check__warn_age=3600.0, check__min_good=10))) == [
        "line 1: require asks for less than usual: not optimizer, progress, rng, scheduler",
        "line 9: [alarms] stalled_seconds = 1000 lets more pass than 30 (the default)",
        "line 12: [check] warn_age = 604800 lets more pass than 3600 (/own)",
        "line 13: [check] min_good = 9 lets more pass than 10 (/own)",
    ]
    assert (
        list(laxer_texts(beside, of("/own", require=("model",), alarms__stalled_seconds=2000.0)))
        == []
    )


def test_names_that_it_adds_are_said(tmp_path: Path) -> None:
    """They decide what counts as an optimizer state."""
    (tmp_path / "c.toml").write_text('[roles]\noptimizer = ["aux"]\n')
    beside = read_beside(str(tmp_path / "c.toml"))
    assert list(laxer_texts(beside, of("/own"))) == ["line 2: further names: [roles] optimizer"]


def test_variables() -> None:
    environ = {
        "CKPT_TUI_THEME": "nord",
        "CKPT_TUI_LANG": "zh",
        "CKPT_TUI_POLL": "ON",
        "CKPT_TUI_CACHE": "0",
        "CKPT_TUI_WARN_AGE": "2h",
        "CKPT_TUI_REQUIRE": "model, rng",
        "CKPT_TUI_SORT": "-size,step",
        "CKPT_TUI_GPUS": "16,384",
        "CKPT_TUI_ALARMS_MIN_GOOD": "4",
        "CKPT_TUI_MOUSE": "",
        "CKPT_TUI_THEM": "x",
        "CKPT_TUI_LEVEL": "warning",
        "THEME": "x",
    }
    settings = read_variables(environ)
    assert held(settings) == {
        "dashboard.theme": "nord",
        "language": "zh",
        "dashboard.poll": True,
        "dashboard.cache": False,
        "check.warn_age": 7200.0,
        "require": ("model", "rng"),
        "dashboard.sort": ("-size", "step"),
        "plan.gpus": "16,384",
        "alarms.min_good": 4,
    }
    assert {entry.origin.place for entry in settings.entries} <= set(environ)
    assert list(strange_variables(environ)) == [
        "CKPT_TUI_THEM is no variable; did you mean CKPT_TUI_THEME?"
    ]


def test_mistakes_in_variables_are_told_together() -> None:
    environ = {"CKPT_TUI_POLL": "maybe", "CKPT_TUI_MIN_GOOD": "x", "CKPT_TUI_NODES": "4"}
    with pytest.raises(ConfigError) as raised:
        read_variables(environ)
    assert raised.value.lines == (
        "the environment: CKPT_TUI_MIN_GOOD has to be a whole number from 1 to 1,000,000",
        "the environment: CKPT_TUI_POLL has to be true or false",
        "the environment: CKPT_TUI_NODES is of no use: nodes and node_mtbf_hours go together",
    )


def test_every_variable_sets_one_key() -> None:
    names = [key.variable for key in all_keys() if key.variable]
    assert len(set(names)) == len(names)
    assert variables_set(dict.fromkeys(names, "x")) == sorted(names)


@pytest.mark.parametrize(
    ("environ", "platform", "place"),
    [
        ({"CKPT_TUI_CONFIG": "/a/b.toml", "XDG_CONFIG_HOME": "/x"}, "linux", "/a/b.toml"),
        ({"XDG_CONFIG_HOME": "/x"}, "darwin", "/x/ckpt-tui/config.toml"),
        ({"XDG_CONFIG_HOME": "relative"}, "linux", "/h/.config/ckpt-tui/config.toml"),
        ({"CKPT_TUI_CONFIG": ""}, "freebsd14", "/h/.config/ckpt-tui/config.toml"),
        ({}, "darwin", "/h/Library/Application Support/ckpt-tui/config.toml"),
        ({"APPDATA": "/r"}, "win32", "/r/ckpt-tui/config.toml"),
        ({}, "win32", "/h/AppData/Roaming/ckpt-tui/config.toml"),
    ],
)
def test_where_the_users_file_lies(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], platform: str, place: str
) -> None:
    monkeypatch.setenv("HOME", "/h")
    assert users_file(environ, platform) == place
