"""The framework is the judge: what it loads and what it refuses, against our verdicts.

Every test here adds its states to one tally, whose closing line is printed at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.framework.tally import Tally

if TYPE_CHECKING:
    from pathlib import Path

_TALLY = pytest.StashKey[Tally]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_TALLY] = Tally()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """These modules import torch: they are not even collected where the marker is ruled out."""
    ruled_out = config.getoption("markexpr") == "not frameworks"
    return True if ruled_out and collection_path.name.startswith("test_") else None


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> Tally:
    """Counts judged states and keeps the wrong ones."""
    return pytestconfig.stash[_TALLY]


@pytest.hookimpl
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    counted = config.stash.get(_TALLY, None)
    if counted is not None and counted.states:
        terminalreporter.write_line(counted.line())
