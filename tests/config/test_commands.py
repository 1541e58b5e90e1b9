"""Configuration on the command line: the user's file, one beside checkpoints, `--config`."""

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
    assert verdicts(asked(users, *check, "--config", tmp_path / "named.toml")) == {
        "step-10": "exact"
    }
    assert verdicts(asked(users, *check, "--require", "model,progress")) == {
        "step-10": "incomplete"
    }


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


def test_a_bad_file_of_the_users_is_an_error(users: Path, tmp_path: Path) -> None:
    users.write_text("[roles]\nmodle = []")
    ended = asked(users, "check", tmp_path)
    assert ended.code == 64
    assert ended.err == (
        f"ckpt-tui: {users}: line 2: [roles] modle is no key; did you mean model?\n"
    )
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


def test_tomllib_is_imported_only_for_a_file(users: Path, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10)
    (tmp_path / "run" / BESIDE).write_text("")
    assert "tomllib" in asked(users, "check", tmp_path / "run", PYTHONVERBOSE="1").err
    (tmp_path / "run" / BESIDE).unlink()
    assert "tomllib" not in asked(users, "check", tmp_path / "run", PYTHONVERBOSE="1").err


def test_config_command(users: Path, tmp_path: Path) -> None:
    assert asked(users, "config", "path", tmp_path).out == f"{users}  (not there)\n"
    assert asked(users, "config", "show", tmp_path).out == "# nothing is set\n"
    users.write_text('require = ["model"]\n[roles]\nmodel = ["wide"]')
    (tmp_path / BESIDE).write_text('[roles]\nrng = ["dice"]\nepoch_keys = ["round"]')
    assert asked(users, "config", "path", tmp_path).out == f"{users}\n{tmp_path / BESIDE}\n"
    assert tomllib.loads(asked(users, "config", "show", tmp_path).out) == {
        "require": ["model"],
        "roles": {"model": ["wide"], "rng": ["dice"], "epoch_keys": ["round"]},
    }
    assert asked(users, "config", "validate", tmp_path).code == 0
    (tmp_path / BESIDE).write_text("x = 1")
    ended = asked(users, "config", "validate", tmp_path)
    assert ended.code == 64
    assert f"{tmp_path / BESIDE}: line 1: x is no key" in ended.err
    assert "additionalProperties" in json.loads(asked(users, "config", "schema").out)


def test_programs_are_run_for_the_users_own_files_only(users: Path, tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "run", 10)
    beside = tmp_path / "run" / BESIDE
    beside.write_text('[alarms]\ncommand = ["rm"]\nwebhook = "http://x/"\nmin_good = 4')
    told = f"{beside}: [alarms] command, webhook ignored: only your own file or --config may set it"
    ended = asked(users, "check", tmp_path / "run", "--json")
    assert ended.code == 0
    assert told in ended.err
    shown = asked(users, "config", "show", tmp_path / "run")
    assert tomllib.loads(shown.out)["alarms"] == {"min_good": 4}
    assert told in shown.err
    assert "command, webhook ignored" in asked(users, "config", "validate", tmp_path / "run").out
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
