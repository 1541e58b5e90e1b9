"""Files that are seen through a link elsewhere below the root."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.store.index import Store
from tests.store.test_index import TIMELESS, cold, summary

if TYPE_CHECKING:
    from pathlib import Path

WEIGHTS = "model.safetensors"


@pytest.fixture(params=["relative", "absolute", "through-a-link"])
def store(request: pytest.FixtureRequest, tmp_path: Path, corpus: Path) -> Store:
    """A Trainer's run whose final weights are a link into the newest checkpoint."""
    run = tmp_path / "run"
    shutil.copytree(corpus / "torch/hf_trainer_single", run)
    (run / WEIGHTS).unlink()
    target = f"checkpoint-30/{WEIGHTS}"
    (run / WEIGHTS).symlink_to(target if request.param == "relative" else run / target)
    cold(run)
    (tmp_path / "link").symlink_to("run")
    return Store(str(tmp_path / ("link" if request.param == "through-a-link" else "run")), TIMELESS)


def look(store: Store, inner: str) -> list[object]:
    """A look after an event; it must say what a new store says."""
    seen = summary(store.look(frozenset({os.path.join(store.root, inner)})))
    assert seen == summary(Store(store.root, TIMELESS).look())
    return seen


def test_an_export_changes_with_what_its_link_leads_to(store: Store) -> None:
    """Events name the file in the checkpoint, not the link to it in the run's directory."""
    before = summary(store.look())
    named = f"checkpoint-30/{WEIGHTS}"
    weights = os.path.join(store.root, named)
    for size in (30, 20):
        os.truncate(weights, size)
        assert look(store, named) != before
    os.rename(weights, weights + ".old")
    gone = look(store, named)
    os.rename(weights + ".old", weights)
    assert look(store, named) != gone


def test_it_changes_when_the_whole_checkpoint_goes(store: Store) -> None:
    store.look()
    shutil.rmtree(os.path.join(store.root, "checkpoint-30"))
    look(store, "checkpoint-30")


def test_a_link_that_is_gone_is_not_followed_any_more(store: Store) -> None:
    store.look()
    os.unlink(os.path.join(store.root, WEIGHTS))
    look(store, WEIGHTS)
    os.truncate(os.path.join(store.root, f"checkpoint-30/{WEIGHTS}"), 30)
    look(store, f"checkpoint-30/{WEIGHTS}")
