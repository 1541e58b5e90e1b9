"""The sample runs, against what their README says of them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from ckpt_tui.cli.app import run
from tests.check_contract import contract_faults

SAMPLES = Path(__file__).parent.parent / "sample_runs"
EXPECTED: dict[str, Any] = json.loads((SAMPLES / "expected.json").read_text())
LONG_AGO = 1_700_000_000

RUNS = pytest.mark.parametrize("expected", EXPECTED["runs"], ids=lambda run: run["run_root"])


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that nobody has touched for long: a fresh clone looks like saves in flight."""
    copy = tmp_path_factory.mktemp("samples") / SAMPLES.name
    shutil.copytree(SAMPLES, copy, ignore=shutil.ignore_patterns("generators"))
    for path in copy.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    return copy


def check(directory: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any]]:
    code = run(["check", str(directory), "--json"])
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, json.loads(printed.out)


def expected_of(samples: Path, run_root: str) -> dict[str, dict[str, Any]]:
    listed = [entry for entry in EXPECTED["checkpoints"] if entry["run_root"] == run_root]
    return {str(samples / entry["path"]): entry for entry in listed}


@RUNS
def test_run(samples: Path, expected: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    code, document = check(samples / expected["run_root"], capsys)
    assert code == expected["exit_code"]
    (found,) = document["runs"]
    resume = found["resume"] and found["resume"]["path"]
    assert resume == (expected["resume"] and str(samples / expected["resume"]))
    pointers = {pointer["path"]: pointer for pointer in found["pointers"]}
    assert pointers.keys() == {str(samples / one["path"]) for one in expected["pointers"]}
    for one in expected["pointers"]:
        pointer = pointers[str(samples / one["path"])]
        assert pointer["target"] == str(samples / one["target"])
        assert (pointer["state"], pointer["kind"]) == (one["state"], one["kind"])


@RUNS
def test_checkpoints(
    samples: Path, expected: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    _, document = check(samples / expected["run_root"], capsys)
    found = {one["path"]: one for one in document["runs"][0]["checkpoints"]}
    wanted = expected_of(samples, expected["run_root"])
    assert found.keys() <= wanted.keys()
    assert {path for path, one in wanted.items() if one["must_list"]} <= found.keys()
    for path, one in found.items():
        assert_as_expected(one, wanted[path])


def assert_as_expected(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert found["verdict"] in wanted["verdict"], found["why"]
    assert found["resumable"] is wanted["resumable"]
    assert (found["format"], found["step"]) == (wanted["format"], wanted["step"])
    if None not in (found["world_size"], wanted["world_size"]):
        assert found["world_size"] == wanted["world_size"]
    assert found["commit"] in wanted["commit"]
    assert found["missing_roles"] == wanted["missing_roles"]
    codes = {finding["code"] for finding in found["findings"]}
    assert codes >= set(wanted["findings"])
    assert all(codes & set(group) for group in wanted["findings_any"])
    if wanted["reshard"] is not None:
        assert found["reshard"]["possible"] is wanted["reshard"]


def test_all_samples_at_once(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = check(samples, capsys)
    assert code == 2
    assert contract_faults(document) == []
    found = {one["path"] for one in document["runs"]}
    assert found == {str(samples / one["run_root"]) for one in EXPECTED["runs"]}


def test_no_sample_names_the_machine_that_wrote_it() -> None:
    # Put together here, so that this file does not hold them itself.
    homes = [f"/{name}".encode() for name in ("work", "root", "home/")]
    for path in SAMPLES.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not any(home in data for home in homes), path


def test_samples_are_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) < 5 << 20
