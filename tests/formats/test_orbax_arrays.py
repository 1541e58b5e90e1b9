"""Items that are one array: no `_METADATA` lists it before 0.12, and no target tells where to."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from ckpt_tui.formats.orbax.reader import OrbaxReader
from ckpt_tui.formats.orbax.roles import branches
from ckpt_tui.formats.orbax.tree import Leaf
from tests.formats.helpers import codes, copy_of, judged

READER = OrbaxReader()
WHOLE = Path(__file__).parents[2] / "sample_runs/orbax/whole/20"
HANDLER = "orbax.checkpoint._src.handlers.array_checkpoint_handler.ArrayCheckpointHandler"
DESCRIPTION = {
    "chunks": [1], "compressor": None, "dimension_separator": ".", "dtype": "<i4",
    "fill_value": None, "filters": None, "order": "C", "shape": [1], "zarr_format": 2,
}  # fmt: skip


@pytest.fixture(params=["told", "by its files"])
def step(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A step with the item `step`, an array, as Orbax 0.11 writes it, or 0.6 without handlers."""
    path = copy_of(WHOLE, tmp_path / "20")
    array = path / "step" / "checkpoint"
    array.mkdir(parents=True)
    (array / ".zarray").write_text(json.dumps(DESCRIPTION))
    (array / "0").write_bytes(struct.pack("<i", 20))
    document = json.loads((path / "_CHECKPOINT_METADATA").read_text())
    document["item_handlers"]["step"] = HANDLER
    if request.param != "told":
        del document["item_handlers"]
    (path / "_CHECKPOINT_METADATA").write_text(json.dumps(document))
    return path


def test_an_array_needs_no_list_of_leaves(step: Path) -> None:
    found = judged(READER, step)
    assert found.verdict == "exact", found.why
    progress = found.facts.role("progress")
    assert progress is not None
    assert "step" in progress.evidence


@pytest.mark.parametrize("name", [".zarray", "0"])
def test_an_array_without_one_of_its_files(step: Path, name: str) -> None:
    (step / "step/checkpoint" / name).unlink()
    found = judged(READER, step)
    assert found.verdict == "incomplete"
    assert "missing-shard" in codes(found)


def test_since_0_12_it_goes_where_it_lay(step: Path) -> None:
    (step / "step/commit_success.txt").write_text("20")
    (step / "step/_sharding").write_text("")
    listed = {
        "('checkpoint',)": {
            "key_metadata": [{"key": "checkpoint", "key_type": 2}],
            "value_metadata": {"value_type": "jax.Array", "skip_deserialize": False},
        }
    }
    (step / "step/_METADATA").write_text(json.dumps({"tree_metadata": listed}))
    document = json.loads((step / "_CHECKPOINT_METADATA").read_text())
    if "item_handlers" in document:
        assert judged(READER, step).verdict == "corrupt"
    else:  # a tree, for all that is known: it is restored with a target
        assert judged(READER, step).resumable


@pytest.mark.parametrize(
    ("item", "role"),
    [("step", "progress"), ("key", "rng"), ("params", "model"), ("weights_0", "model")],
)
def test_what_an_array_is_says_its_item(item: str, role: str) -> None:
    (branch,) = branches(item, [Leaf(("checkpoint",), "jax.Array")])
    assert branch.role == role
