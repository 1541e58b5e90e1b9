"""A file of configuration sets what it says; mistakes are named with file, line and remedy."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ckpt_tui.config.files import MOST_BYTES, MOST_DOTS, read_beside, read_own
from ckpt_tui.config.mistakes import MOST_MISTAKES, line_of, lines_of
from ckpt_tui.config.settings import ConfigError, Origin
from ckpt_tui.formats.shared.roles import Synonyms
from tests.config.sources import held

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
require = ["model", "optimizer"]
language = "zh"

[roles]
model = ["MyNet", "policy_g"]
scheduler = ["opt_state"]
take_over = ["opt_state"]
step_keys = ["Tick"]
epoch_keys = ["round"]

[check]
warn_age = "2h"
crit_age = 86400
min_good = 3
settle = 0.5

[dashboard]
theme = "textual-light"
mouse = false
columns = ["step", "state", "note"]
sort = ["-size", "age"]

[plan]
fault_rate = "6.5/1000nd x 2048"
save_minutes = 2
intervals = ["500steps", 30]

[keys]
quit = "Q"
move.down = ["n", "down"]
"move.up" = "e"
"""


def test_all_kinds_of_keys(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(WHOLE)
    settings = read_own(str(path))
    assert settings.synonyms() == Synonyms(
        (("mynet", "model"), ("opt_state", "scheduler"), ("policy_g", "model")),
        ("Tick",),
        ("round",),
    )
    assert settings.require == ("model", "optimizer")
    assert {name: value for name, value in held(settings).items() if "roles." not in name} == {
        "require": ("model", "optimizer"),
        "language": "zh",
        "check.warn_age": 7200.0,
        "check.crit_age": 86400.0,
        "check.min_good": 3,
        "check.settle": 0.5,
        "dashboard.theme": "textual-light",
        "dashboard.mouse": False,
        "dashboard.columns": ("step", "state", "note"),
        "dashboard.sort": ("-size", "age"),
        "plan.fault_rate": "6.5/1000nd x 2048",
        "plan.save_minutes": 2,
        "plan.intervals": ("500steps", "30"),
        "keys.quit": ("Q",),
        "keys.move.down": ("n", "down"),
        "keys.move.up": ("e",),
    }
    theme, up = settings.entry("dashboard", "theme"), settings.entry("keys", "move.up")
    assert theme is not None
    assert up is not None
    assert theme.origin == Origin(str(path), 18)
    assert up.origin == Origin(str(path), 31)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('requires = ["model"]', "line 1: requires is no key; did you mean require?"),
        ('require = ["modle"]', "line 1: require has to be a list of model, optimizer"),
        ('require = ["modle"]', "'modle' is none: did you mean model?"),
        ("require = []", "line 1: require has to be a list of model"),
        ('require = "model"', "line 1: require has to be a list"),
        ('require = ["model", "model"]', "it names one of them twice"),
        ('language = "fr"', "line 1: language has to be one of en, zh"),
        ("roles = 3", "line 1: roles has to be a table"),
        ('\n[roles]\nmodle = ["x"]', "line 3: [roles] modle is no key; did you mean model?"),
        ("[roles]\nxyzzy = []", "line 2: [roles] xyzzy is no key; there are model, optimizer"),
        ("[role]\n", "line 1: role is no key; did you mean roles?"),
        ('[roles]\nmodel = ["sched"]', "line 2: [roles] model 'sched' is a name of scheduler;"),
        ('[roles]\nstep_keys = ["loss"]', "[roles] step_keys 'loss' is a name of metrics"),
        ('[roles]\nrng = ["a"]\nmodel = ["A"]', "'a' is the second role of it, after rng"),
        ("[roles]\nmodel = [1]", "[roles] model has to be a list of strings of 1 to 100"),
        ('[roles]\nmodel = [" "]', "[roles] model has to be a list of strings"),
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
        ("[check]\nmin_good = 0", "[check] min_good has to be a whole number from 1"),
        ('[check]\nwarn_age = "2 parsecs"', 'warn_age has to be a time such as "90s" or "2h"'),
        ("[check]\nwarn_age = -1", "warn_age has to be a time"),
        ("[check]\nwarn_age = " + "9" * 400, "warn_age has to be a time"),
        ("[check]\ntheme = 'x'", "line 2: [check] theme is no key here; it belongs in [dashboard]"),
        ("[dashboard]\nlanguage = 'en'", "language is no key here; it belongs above all tables"),
        ('[dashboard]\ncolumns = ["step"]', "columns has to be a list of state, step"),
        ('[dashboard]\ncolumns = ["state", "sze"]', "'sze' is none: did you mean size?"),
        ('[dashboard]\nsort = ["-step", "step"]', "it names one of them twice"),
        ('[dashboard]\nsort = ["note"]', "sort has to be a list of step, state"),
        ("[plan]\nfault_rat = 1", "[plan] fault_rat is no key; did you mean fault_rate?"),
        ("[plan]\ngpus = 0", "[plan] gpus has to be a whole number from 1 to"),
        ("[plan]\nsave_minutes = -1", "save_minutes has to be a time ≥ 0 such as 2 or 40s"),
        ("[plan]\nsave_minutes = [1]", "save_minutes has to be a time ≥ 0"),
        ("[plan]\nintervals = [0]", "intervals has to be 1 to 64 times above 0"),
        ("[plan]\nmode = 'x'", "mode has to be one of sync, async, two-level"),
        ("[plan]\nfault_rate = 1\nmtbf_hours = 2", "line 3: [plan] mtbf_hours says the same as"),
        ("[plan]\nnodes = 1", "line 2: [plan] nodes is of no use: nodes and node_mtbf_hours go"),
        ("[keys]\nquit = ''", 'line 2: [keys] quit has to be a key such as "x"'),
        ("[keys]\nmove.down = 3", "line 2: [keys] move.down has to be a key"),
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


def test_all_mistakes_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text('[check]\nmin_god = 1\nsettle = "x"\n[roles]\nmodel = ["sched"]\n[x]\n')
    with pytest.raises(ConfigError) as raised:
        read_own(str(path))
    begins = ("line 2: [check] min_god", "line 3: [check] settle", "line 5: [roles]", "line 6: x ")
    assert len(raised.value.lines) == len(begins)
    for line, begin in zip(raised.value.lines, begins, strict=True):
        assert line.startswith(f"{path}: {begin}")


def test_no_file_makes_endless_messages(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text("".join(f"k{number} = 1\n" for number in range(1000)))
    with pytest.raises(ConfigError) as raised:
        read_own(str(path))
    assert len(raised.value.lines) == MOST_MISTAKES + 1
    assert raised.value.mistakes[-1] == f"and {1000 - MOST_MISTAKES} more mistakes"


@pytest.mark.parametrize(
    ("text", "table", "key", "line"),
    [
        ("a = 1", "", "a", 1),
        ("[check]\n\nmin_good = 2", "check", "min_good", 3),
        ('[ "check" ]\n"min_good" = 2', "check", "min_good", 2),
        ("check.min_good = 2", "check", "min_good", 1),
        ("\ncheck = { min_good = 2 }", "check", "min_good", 2),
        ("[keys]\nmove . down = 'x'", "keys", "move.down", 2),
        ('[keys]\n"move.down" = "x"', "keys", "move.down", 2),
        ("[keys.move]\ndown = 'x'", "keys", "move.down", 2),
        ("[check]", "check", "absent", 1),
        ("\n[a.b.c.d.e.f]\ng = 1", "", "a", 2),
        ("", "check", "absent", 0),
    ],
)
def test_the_line_of_a_key(text: str, table: str, key: str, line: int) -> None:
    assert line_of(lines_of(text), table, key) == line


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


_KEYS = st.sampled_from(
    ["require", "check.settle", "plan.nodes", "keys.quit", "dashboard.sort", "roles.model", "x"]
)
_VALUES = st.sampled_from(
    ["1", "-1", "1e999", '"x"', "[]", '["model"]', "[[1]]", "{a = 1}", "true", "1979-05-27", '""']
)


@given(st.lists(st.tuples(_KEYS, _VALUES), unique_by=lambda pair: pair[0]))
def test_no_values_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "values.toml"
    path.write_text("".join(f"{key} = {value}\n" for key, value in pairs))
    with contextlib.suppress(ConfigError):
        read_beside(str(path))


@given(st.text(max_size=200))
def test_no_text_raises_anything_else(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with contextlib.suppress(ConfigError):
        read_beside(str(path))
