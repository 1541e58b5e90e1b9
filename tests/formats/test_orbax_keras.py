"""Steps of Keras' `OrbaxCheckpoint`, of which `load_weights` reads the state alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.fs.listing import list_tree
from tests.formats.helpers import copy_of, cut, judged_run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def run(corpus: Path, tmp_path: Path) -> Path:
    return copy_of(corpus / "jax/keras_orbax_checkpoint", tmp_path / "run")


def verdicts(run: Path) -> dict[str, str]:
    claims = discover(str(run)).claims
    facts = [read_checkpoint(c, list_tree(c.path, c.members), Limits()) for c in claims]
    return {name: str(found.verdict) for name, found in judged_run(facts).items()}


@pytest.mark.parametrize("name", ["_METADATA", "_strings.json"])
@pytest.mark.parametrize("size_bytes", [None, 0, 40])
def test_the_models_configuration_is_not_asked_for(
    run: Path, name: str, size_bytes: int | None
) -> None:
    damaged = run / "2" / "model_config" / name
    damaged.unlink() if size_bytes is None else cut(damaged, size_bytes)
    assert verdicts(run) == dict.fromkeys("012", "inexact")


def test_the_state_is(run: Path) -> None:
    (run / "2" / "pytree" / "_METADATA").unlink()
    assert verdicts(run)["2"] == "incomplete"


def test_a_step_whose_metadata_is_gone_is_still_one(run: Path) -> None:
    (run / "2" / "_CHECKPOINT_METADATA").unlink()
    assert verdicts(run) == dict.fromkeys("012", "inexact")
