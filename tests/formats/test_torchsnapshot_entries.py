"""torchsnapshot: manifests that lack entries, or name what its loader refuses."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.artifacts.builders import Global
from tests.formats.helpers import codes, copy_of, judged
from tests.formats.test_torchsnapshot import BETAS, METADATA, READER, RUN, edit, entry
from tests.formats.torch_builder import write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def snapshot(corpus: Path, tmp_path: Path) -> Path:
    return copy_of(corpus / RUN / "step-10", tmp_path / "step-10")


def dropped(*paths: str) -> Callable[[dict[str, Any]], object]:
    return lambda document: [document["manifest"].pop(path) for path in paths]


PARAMS = "0/optim/param_groups/0/params"


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_missing_element_of_a_list(snapshot: Path, number: int) -> None:
    manifest = json.loads((snapshot / METADATA).read_text())["manifest"]
    elements = sorted(
        (p for p in manifest if p.startswith(f"{PARAMS}/")), key=lambda p: (len(p), p)
    )
    edit(snapshot, dropped(elements[number]))
    checkpoint = judged(READER, snapshot)
    assert (checkpoint.verdict, "missing-shard" in codes(checkpoint)) == ("incomplete", True)


def test_a_list_with_an_absurd_number_is_bounded(snapshot: Path) -> None:
    far = entry("int", serialized_value="1")
    edit(snapshot, lambda d: d["manifest"].update({f"{PARAMS}/999999999": far}))
    assert judged(READER, snapshot).verdict == "incomplete"


def test_an_object_that_the_loader_refuses(snapshot: Path) -> None:
    write_torch(snapshot / BETAS, Global("pathlib.PosixPath", ("x",)))
    checkpoint = judged(READER, snapshot)
    assert (checkpoint.verdict, "refused-pickle" in codes(checkpoint)) == ("incomplete", True)


def test_many_states_cost_no_more_than_their_number(snapshot: Path) -> None:
    more = {f"0/a%2Fb{number}": entry("dict", keys=[]) for number in range(5000)}
    edit(snapshot, lambda d: d["manifest"].update(more))
    before = time.thread_time()
    assert judged(READER, snapshot).verdict == "exact"
    assert time.thread_time() - before < 1.5
