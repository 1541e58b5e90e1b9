"""What must not be imported, and by whom."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.runs import write_checkpoint

ROOT = Path(__file__).parents[1]
HEAVY = {"textual", "rich", "watchdog", "numpy", "dataclasses", "importlib.metadata", "torch"}

FRAMEWORK_IMPORTS = ("import torch", "from torch", "import numpy", "from numpy", "import jax")


def imported_by(*arguments: str) -> set[str]:
    """Modules that `python -m ckpt_tui ARGUMENTS` imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "ckpt_tui", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}


@pytest.mark.parametrize("command", ["check", "latest", "show"])
def test_commands_start_light(tmp_path: Path, command: str) -> None:
    made = write_checkpoint(tmp_path, 10)
    modules = imported_by(command, str(made if command == "show" else tmp_path))
    assert "ckpt_tui.core.verdict" in modules
    assert not modules & HEAVY


def test_plan_and_version_start_light() -> None:
    assert not imported_by("plan") & HEAVY
    assert not imported_by("--version") & (HEAVY | {"ckpt_tui.store.index"})


def test_the_public_functions_load_on_first_use() -> None:
    code = (
        "import sys, ckpt_tui; assert not [m for m in sys.modules if m.startswith('ckpt_tui.')];"
        "from ckpt_tui import inspect_checkpoint_manifest, expected_failure_overhead,"
        " checkpoint_interval_cost, validate_sharded_checkpoint"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_no_file_names_torch_as_an_import() -> None:
    package = ROOT / "ckpt_tui"
    with_numpy = (  # the extras `sim` and `fast`
        package / "planner" / "simulation",
        package / "verify" / "finite",
    )
    for path in package.rglob("*.py"):
        if any(place in path.parents for place in with_numpy):
            continue
        for line in path.read_text().splitlines():
            assert not line.lstrip().startswith(FRAMEWORK_IMPORTS), f"{path}: {line}"
