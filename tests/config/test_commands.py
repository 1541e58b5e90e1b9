"""Configuration on the command line: files, variables, options, and `ckpt-tui config`."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest

from tests.cli.process import Ended, ckpt_tui
from tests.formats.torch_builder import WEIGHTS, Shape, write_torch
from tests.store.runs import ROLES, write_checkpoint

if TYPE_CHECKING:
    from pathlib import Path

BESIDE = ".ckpt-tui.toml"
OWN_WORDS = {"wide": WEIGHTS, "mover": {"moments": Shape((4, 2))}, "tick": 77, "lr": 0.1}


@pytest.fixture
def users(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "ckpt-tui" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def asked(users: Path, *arguments: str | Path, **environment: str) -> Ended:
    return ckpt_tui(*arguments, XDG_CONFIG_HOME=str(users.parents[1]), **environment)


def verdicts(ended: Ended) -> dict[str, str]:
    (run,) = ended.json()["runs"]
    return {c["path"].rpartition("/")[2]: c["verdict"] for c in run["checkpoints"]}


def test_required_roles_the_nearest_wins(users: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    write_checkpoint(run, 10, roles=ROLES[:3])
    check = ("check", run, "--json")
    assert verdicts(asked(users, *check)) == {"step-10": "incomplete"}
    users.write_text('require = ["model", "optimizer", "scheduler"]')
    assert verdicts(asked(users, *check)) == {"step-10": "exact"}
    assert verdicts(asked(users, *check, "--no-config")) == {"step-10": "incomplete"}
    (run / BESIDE).write_text('require = ["model", "rng"]')
    assert verdicts(asked(users, *check)) == {"step-10": "inexact"}
    assert asked(users, "show", run / "step-10").code == 0
    (tmp_path / "named.toml").write_text('require = ["model"]')
    named = ("--config", tmp_path / "named.toml")
    assert verdicts(asked(users, *check, *named)) == {"step-10": "exact"}
    variable = {"CKPT_TUI_REQUIRE": "model,progress"}
    assert verdicts(asked(users, *check, *named, **variable)) == {"step-10": "incomplete"}
    option = ("--require", "model")
    assert verdicts(asked(users, *check, *named, *option, **variable)) == {"step-10": "exact"}


def test_synonyms_reach_the_readers_of_their_directory_only(users: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_torch(tmp_path / name / "ckpt_10.pt", OWN_WORDS)
    (tmp_path / "a" / BESIDE).write_text(
        '[roles]\nmodel = ["wide"]\noptimizer = ["mover"]\nstep_keys = ["tick"]\n'
    )
    for order in ("ab", "ba"):
        ended = asked(users, "check", *(tmp_path / name for name in order), "--json")
        runs = {run["path"]: run["checkpoints"][0] for run in ended.json()["runs"]}
        a, b = (runs[str(tmp_path / name)] for name in "ab")
        assert (a["verdict"], a["step"]) == ("inexact", 77)
        assert (b["verdict"], b["step"]) == ("incomplete", 10)


def test_limits_hold_where_their_file_lies(users: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_checkpoint(tmp_path / name, 10)
    (tmp_path / "a" / BESIDE).write_text("[check]\nmin_good = 3\n")
    ended = asked(users, "check", tmp_path / "a", tmp_path / "b", "--json")
    assert ended.code == 1
    levels = {run["name"]: run["level"] for run in ended.json()["runs"]}
    assert levels == {"a": "warning", "b": "ok"}
    assert asked(users, "check", tmp_path / "a", "--min-good", "1").code == 0
    assert asked(users, "check", tmp_path / "b", CKPT_TUI_CRIT_AGE="0.001").code == 2
    users.write_text("[check]\nexpect_checkpoint = true\ntimeout = 100\n")
    (tmp_path / "empty").mkdir()
    assert asked(users, "check", tmp_path / "empty").code == 2
    assert asked(users, "check", tmp_path / "empty", "--no-config").code == 4
    line = asked(users, "check", tmp_path / "b", "--plugin", CKPT_TUI_WARN_AGE="2h").out
    assert ";7200.0;" in line


def test_a_laxer_file_beside_checkpoints_is_said(users: Path, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10, roles=ROLES[:2])
    users.write_text('[check]\nwarn_age = "1h"\n')
    (tmp_path / "run" / BESIDE).write_text('require = ["model"]\n[check]\nwarn_age = "9d"\n')
    ended = asked(users, "check", tmp_path / "run")
    told = f"ckpt-tui: {tmp_path / 'run' / BESIDE}: line"
    assert f"{told} 1: require asks for less than usual: not optimizer, progress" in ended.err
    assert f"{told} 3: [check] warn_age = 777600 lets more pass than 3600 ({users}, " in ended.err
    ended = asked(users, "check", tmp_path / "run", CKPT_TUI_WARN_AGE="2h")
    assert "lets more pass" not in ended.err


def test_mistakes_of_the_users_are_an_error_all_together(users: Path, tmp_path: Path) -> None:
    users.write_text("[roles]\nmodle = []\n[check]\nsettle = 'x'\n")
    named = tmp_path / "named.toml"
    named.write_text("x = 1")
    begins = (
        f"ckpt-tui: {users}: line 2: [roles] modle is no key; did you mean model?",
        f"ckpt-tui: {users}: line 4: [check] settle has to be a time such as",
        f"ckpt-tui: {named}: line 1: x is no key",
        "ckpt-tui: the environment: CKPT_TUI_POLL has to be true or false",
    )
    for command in ("check", "latest", "show", "dashboard"):
        ended = asked(users, command, tmp_path, "--config", named, CKPT_TUI_POLL="maybe")
        assert ended.code == 64
        lines = ended.err.splitlines()
        assert len(lines) == len(begins)
        for line, begin in zip(lines, begins, strict=True):
            assert line.startswith(begin)
    assert asked(users, "check", tmp_path, "--no-config").code == 4
    assert asked(users, "latest", tmp_path, CKPT_TUI_CONFIG=str(tmp_path / "gone")).code == 64
    assert asked(users, "check", tmp_path, "--config", "x", "--no-config").code == 64


@pytest.mark.parametrize("content", ["[roles\n", "a = " + "[" * 30_000, 'require = ["x"]'])
def test_a_bad_file_beside_checkpoints_is_told_and_ignored(
    users: Path, tmp_path: Path, content: str
) -> None:
    write_checkpoint(tmp_path / "run", 10)
    (tmp_path / "run" / BESIDE).write_text(content)
    ended = asked(users, "check", tmp_path / "run", "--json")
    assert ended.code == 0
    assert verdicts(ended) == {"step-10": "exact"}
    assert f"{tmp_path / 'run' / BESIDE}: ignored: " in ended.err
    assert asked(users, "latest", tmp_path / "run").out == f"{tmp_path / 'run' / 'step-10'}\n"


def test_keys_and_tomllib_are_imported_only_where_something_is_set(
    users: Path, tmp_path: Path
) -> None:
    write_checkpoint(tmp_path / "run", 10)
    check = ("check", tmp_path / "run")
    lazy = ("tomllib", "ckpt_tui.config.keys", "ckpt_tui.config.variables", "difflib")
    plain = asked(users, *check, PYTHONVERBOSE="1").err
    assert not [name for name in lazy if f"import '{name}'" in plain]
    assert "ckpt_tui.config.keys'" in asked(users, *check, PYTHONVERBOSE="1", CKPT_TUI_GPUS="8").err
    (tmp_path / "run" / BESIDE).write_text("")
    assert "import 'tomllib'" in asked(users, *check, PYTHONVERBOSE="1").err


def test_config_path_and_show(users: Path, tmp_path: Path) -> None:
    assert asked(users, "config", "path", tmp_path).out == f"{users}  (not there)\n"
    switched = asked(users, "config", "show", tmp_path).out
    assert tomllib.loads(switched)["dashboard"] == {"history": False, "cache": False}
    off = {"CKPT_TUI_HISTORY": "", "CKPT_TUI_CACHE": ""}
    nothing = asked(users, "config", "show", tmp_path, **off).out
    assert not any(tomllib.loads(nothing).values())
    assert "# stall_after = 120.0" in nothing
    users.write_text('require = ["model"]\n[roles]\nmodel = ["wide"]\n[keys]\nmove.down = "é"')
    (tmp_path / BESIDE).write_text(
        '[roles]\nmodel = ["w2"]\nrng = ["dice\\u009b"]\nepoch_keys = ["round"]'
    )
    assert asked(users, "config", "path", tmp_path).out == f"{users}\n{tmp_path / BESIDE}\n"
    shown = asked(
        users, "config", "show", tmp_path, CKPT_TUI_SORT="-size", CKPT_TUI_THEM="x", **off
    )
    told = {name: held for name, held in tomllib.loads(shown.out).items() if held}
    assert told == {
        "require": ["model"],
        "roles": {"model": ["w2", "wide"], "rng": ["dice\x9b"], "epoch_keys": ["round"]},
        "dashboard": {"sort": ["-size"]},
        "keys": {"move": {"down": ["é"]}},
    }
    lines = {line.partition(" =")[0]: line for line in shown.out.splitlines()}
    assert lines["require"].endswith(f"  # {users}, line 1")
    assert lines["model"].endswith(f"  # {tmp_path / BESIDE}, line 2; {users}, line 3")
    assert lines["sort"].endswith("  # CKPT_TUI_SORT")
    assert "\x9b" not in shown.out
    assert "CKPT_TUI_THEM is no variable; did you mean CKPT_TUI_THEME?" in shown.err


def test_config_validate_knows_what_only_the_dashboard_knows(users: Path, tmp_path: Path) -> None:
    users.write_text('[dashboard]\ntheme = "nord"\n[keys]\nquit = "Q"')
    ended = asked(users, "config", "validate", tmp_path, CKPT_TUI_GPUS="8")
    assert (ended.code, ended.out) == (0, f"{users}: right\nthe environment: right\n")
    users.write_text('[dashboard]\ntheme = "nrod"\n[keys]\nquit = "j"\nquti = "x"\n')
    ended = asked(users, "config", "validate", tmp_path)
    assert ended.code == 64
    assert (
        f"{users}, line 2: [dashboard] theme: 'nrod' is no theme; did you mean nord?" in ended.err
    )
    assert f"{users}, line 4: [keys] quit: j would be move.down, too" in ended.err
    assert f"{users}, line 5: [keys] quti: is no action whose keys can change" in ended.err
    (tmp_path / BESIDE).write_text("x = 1")
    ended = asked(users, "config", "validate", tmp_path)
    assert ended.code == 64
    assert f"{tmp_path / BESIDE}: line 1: x is no key" in ended.err


def test_config_schema(users: Path) -> None:
    schema = json.loads(asked(users, "config", "schema").out)
    assert schema["additionalProperties"] is False
    keys = schema["properties"]["keys"]
    assert keys["additionalProperties"] is False
    assert keys["properties"]["quit"]["description"].startswith("quit")


def test_programs_are_run_for_the_users_own_files_only(users: Path, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10)
    beside = tmp_path / "run" / BESIDE
    beside.write_text('[alarms]\ncommand = ["rm"]\nwebhook = "http://x/"\nmin_good = 4')
    told = (
        f"{beside}: ignored: [alarms] command, [alarms] webhook:"
        " only your own file or --config may set it"
    )
    ended = asked(users, "check", tmp_path / "run", "--json")
    assert ended.code == 0
    assert told in ended.err
    shown = asked(users, "config", "show", tmp_path / "run")
    assert tomllib.loads(shown.out)["alarms"] == {"min_good": 4}
    assert told in shown.err
    assert "[alarms] webhook: only" in asked(users, "config", "validate", tmp_path / "run").out
    users.write_text('[alarms]\ncommand = ["mail", "me"]\nbell = true\nlate_intervals = 2.5')
    shown = asked(users, "config", "show", tmp_path / "run")
    assert tomllib.loads(shown.out)["alarms"] == {
        "min_good": 4,
        "command": ["mail", "me"],
        "bell": True,
        "late_intervals": 2.5,
    }
    explicit = asked(users, "config", "show", tmp_path, "--config", beside)
    assert tomllib.loads(explicit.out)["alarms"]["command"] == ["rm"]


def test_plan_begins_with_what_is_configured(users: Path, tmp_path: Path) -> None:
    def inputs(*arguments: str | Path, **environment: str) -> dict[str, object]:
        ended = asked(users, "plan", "--json", *arguments, **environment)
        assert (ended.code, ended.err) == (0, "")
        return ended.json()["inputs"]

    users.write_text(
        "[plan]\nnodes = 64\nnode_mtbf_hours = 8760\nstep_seconds = 6\nintervals = ['500steps', 30]"
        "\ngpu_hour_price = 2.5\n"
    )
    told = inputs()
    assert told["fault_rate_per_hour"] == pytest.approx(64 / 8760)
    assert told["intervals_minutes"] == [50, 30]
    assert inputs("--intervals", "100steps")["intervals_minutes"] == [10]
    assert inputs("--mtbf-hours", "50")["fault_rate_per_hour"] == pytest.approx(0.02)
    assert inputs(CKPT_TUI_FAULT_RATE="0.5")["fault_rate_per_hour"] == 0.5
    assert inputs("--preset", "llama3-405b")["gpu_hour_price"] == 2.5
    assert inputs("--no-config")["intervals_minutes"] == [15, 30, 60, 120]
    users.write_text("[plan]\nintervals = ['500steps']\n")
    ended = asked(users, "plan")
    assert ended.code == 64
    assert "steps need a step time" in ended.err
    assert f"({users}, line 2)" in ended.err


def test_the_language_of_texts(users: Path, tmp_path: Path) -> None:
    check = ("check", tmp_path, "--json")
    for arguments in (("--lang", "zh", *check), (*check, "--lang=zh"), ("--lang=en", *check)):
        assert asked(users, *arguments).code == 4
    refused = asked(users, "--lang", "fr", *check)
    assert refused.code == 64
    assert "--lang" in refused.err
    assert asked(users, "--lang").code == 64
    assert asked(users, "--lang", "zh", "--version").code == 0
