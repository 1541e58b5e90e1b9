"""A file of configuration sets what it says; a mistake is named with file, line and remedy."""

from __future__ import annotations

import contextlib
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.config.alarm_keys import ALARM_KEYS
from ckpt_tui.config.files import MOST_BYTES, MOST_DOTS, read_beside, read_own, users_file
from ckpt_tui.config.schema import ROLES_KEYS, TOP_KEYS, json_schema
from ckpt_tui.config.settings import NO_SETTINGS, ConfigError, Settings, merged

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
require = ["model", "optimizer"]

[roles]
model = ["MyNet", "policy_g"]
scheduler = ["opt_state"]
take_over = ["opt_state"]
step_keys = ["Tick"]
epoch_keys = ["round"]
"""


def test_all_keys(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(WHOLE)
    assert read_own(str(tmp_path / "c.toml")) == Settings(
        roles=(("mynet", "model"), ("opt_state", "scheduler"), ("policy_g", "model")),
        step_keys=("Tick",),
        epoch_keys=("round",),
        require=("model", "optimizer"),
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('requires = ["model"]', "line 1: requires is no key; did you mean require?"),
        ('require = ["modle"]', "line 1: require: 'modle' has to name some of model, optimizer"),
        ("require = []", "line 1: require has to name some of model"),
        ('require = "model"', "line 1: require has to be a list"),
        ("roles = 3", "line 1: roles has to be a table"),
        ('\n[roles]\nmodle = ["x"]', "line 3: [roles] modle is no key; did you mean model?"),
        ("[roles]\nxyzzy = []", "line 2: [roles] xyzzy is no key; there are model, optimizer"),
        ("[role]\n", "line 1: role is no key; did you mean roles?"),
        ('[roles]\nmodel = ["sched"]', "line 2: [roles] model: 'sched' is a name of scheduler;"),
        ('[roles]\nstep_keys = ["loss"]', "[roles] step_keys: 'loss' is a name of metrics"),
        ('[roles]\nrng = ["a"]\nmodel = ["A"]', "[roles] rng: 'a' is the second role of it"),
        ("[roles]\nmodel = [1]", "[roles] model has to hold strings of 1 to 100 characters"),
        ('[roles]\nmodel = [" "]', "[roles] model has to hold strings"),
        ("alarms = 3", "line 1: alarms has to be a table"),
        ("[alarms]\nbel = true", "line 2: [alarms] bel is no key; did you mean bell?"),
        ("[alarms]\nbell = 1", "line 2: [alarms] bell has to be true or false"),
        ('[alarms]\nlevel = "loud"', "level has to be one of info, warning, critical"),
        ('[alarms]\ncommand = "mail"', "command has to be a list of 1 to 100 strings"),
        ("[alarms]\ncommand = []", "command has to be a list of 1 to 100 strings"),
        ('[alarms]\ncommand = ["a\\u0000"]', "command has to be a list of 1 to 100 strings"),
        ('[alarms]\ncommand = ["./x"]', "the first a program by its name alone or its absolute"),
        ('[alarms]\nwebhook = "file:///x"', "webhook has to be an address that begins with"),
        ('[alarms]\nwebhook = "https://"', "webhook has to be an address that begins with"),
        ('[alarms]\nwebhook = "https://u:p@h/"', "without a user name"),
        ('[alarms]\nwebhook = "https://h:99999/"', "webhook has to be an address"),
        ('[alarms]\nwebhook = "https://h/\\n"', "webhook has to be an address"),
        ("[alarms]\ntimeout_seconds = 0", "has to be a number from 0.1 to 600"),
        ("[alarms]\ntimeout_seconds = inf", "has to be a number from 0.1 to 600"),
        ("[alarms]\nslow_factor = nan", "slow_factor has to be a number from 1.1"),
        ("[alarms]\nmin_good = 1.5", "min_good has to be a whole number from 0"),
        ("[alarms]\nmin_good = true", "min_good has to be a whole number from 0"),
        ("[roles\n", "it is no TOML: "),
        ("x = " + "[" * 20_000, "it is no TOML: nested too deeply"),
        ("x = " + "9" * 10_000, "it is no TOML: "),
        ("#" * (MOST_BYTES + 1), f"it has more than {MOST_BYTES} bytes"),
        ("a" + ".a" * 30_000 + " = 1", f"it has more than {MOST_DOTS} dots"),
    ],
)
def test_a_mistake(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as raised:
        read_own(str(path))
    assert str(raised.value).startswith(f"{path}: ")
    assert told in str(raised.value)


ALARMS = """\
[alarms]
bell = true
command = ["mail", "-s", "x"]
webhook = "https://hooks.example.org/services/T/B?x=1"
level = "critical"
timeout_seconds = 5
min_good = 3
late_intervals = 2.5
"""


def test_alarms(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(ALARMS)
    assert read_own(str(tmp_path / "c.toml")).alarms == (
        ("bell", True),
        ("command", ("mail", "-s", "x")),
        ("late_intervals", 2.5),
        ("level", "critical"),
        ("min_good", 3),
        ("timeout_seconds", 5),
        ("webhook", "https://hooks.example.org/services/T/B?x=1"),
    )


def test_a_file_beside_checkpoints_runs_and_sends_nothing(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text(ALARMS)
    settings = read_beside(str(tmp_path / "c.toml"))
    assert dict(settings.alarms) == {"late_intervals": 2.5, "min_good": 3}
    assert set(settings.not_from_here) == {"bell", "command", "level", "timeout_seconds", "webhook"}
    own = Settings(alarms=(("command", ("mine",)),))
    assert dict(merged((own, settings)).alarms)["command"] == ("mine",)


def test_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_bytes(b"# \xff")
    with pytest.raises(ConfigError, match="no UTF-8 text at byte 2"):
        read_own(str(tmp_path / "c.toml"))
    with pytest.raises(ConfigError, match="cannot be read"):
        read_own(str(tmp_path / "gone"))


def test_only_the_users_own_file_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text(WHOLE)
    (tmp_path / "link").symlink_to("real")
    assert read_own(str(tmp_path / "link")).require
    with pytest.raises(ConfigError, match="symbolic link"):
        read_beside(str(tmp_path / "link"))


@given(st.text(max_size=200))
def test_no_text_raises_anything_else(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(ConfigError):
        read_beside(str(path))


def test_the_nearest_wins() -> None:
    far = Settings((("a", "model"), ("b", "rng")), ("s",), ("e",), ("model",))
    near = Settings((("a", "optimizer"),), ("t",))
    whole = merged((far, near))
    assert whole == Settings((("a", "optimizer"), ("b", "rng")), ("t", "s"), ("e",), ("model",))
    assert merged(()) == NO_SETTINGS


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        ({"CKPT_TUI_CONFIG": "/a/b.toml", "XDG_CONFIG_HOME": "/x"}, "/a/b.toml"),
        ({"XDG_CONFIG_HOME": "/x"}, "/x/ckpt-tui/config.toml"),
        ({"XDG_CONFIG_HOME": "relative", "CKPT_TUI_CONFIG": ""}, "/h/.config/ckpt-tui/config.toml"),
    ],
)
def test_where_the_users_file_lies(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], place: str
) -> None:
    monkeypatch.setenv("HOME", "/h")
    assert users_file(environ) == place


def test_the_schema_has_every_key() -> None:
    properties = json_schema()["properties"]
    assert isinstance(properties, dict)
    assert set(properties) == set(TOP_KEYS)
    assert set(properties["roles"]["properties"]) == set(ROLES_KEYS)
    assert set(properties["alarms"]["properties"]) == set(ALARM_KEYS)
    assert set(tomllib.loads(WHOLE)["roles"]) <= set(ROLES_KEYS)
