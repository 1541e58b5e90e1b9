"""A file of configuration sets what it says; a mistake is named with file, line and remedy."""

from __future__ import annotations

import contextlib
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    assert set(tomllib.loads(WHOLE)["roles"]) <= set(ROLES_KEYS)
