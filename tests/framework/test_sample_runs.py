"""The sample runs of torch's own two formats, loaded again by the torch that is installed."""

from __future__ import annotations

import shutil
import warnings
from typing import TYPE_CHECKING

import pytest
import torch
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save

from tests.contract.cases import CASES, Case, name_of
from tests.framework.tally import Framework, our_verdict

if TYPE_CHECKING:
    from pathlib import Path

    from tests.framework.tally import Tally

pytestmark = pytest.mark.frameworks

SAMPLES = [
    case
    for case in CASES
    if case.source == "samples" and case.format in ("torch-file", "torch-dcp")
]


def torch_says(checkpoint: Path, scratch: Path) -> Framework:
    """Loads all of it; the samples are ours, so their pickles (numpy's random state) are safe."""
    try:
        if checkpoint.is_dir():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                dcp_to_torch_save(checkpoint, scratch / "all.pt")
            checkpoint = scratch / "all.pt"
        loaded = torch.load(checkpoint, weights_only=False)
    except (Exception, CheckpointException) as error:
        return Framework(False, False, type(error).__name__)
    return Framework(True, "optimizer" in loaded)


@pytest.mark.parametrize("case", SAMPLES, ids=name_of)
def test_sample(tmp_path: Path, tally: Tally, case: Case) -> None:
    original = case.find(tmp_path)
    copy = tmp_path / original.name
    shutil.copytree(original, copy) if original.is_dir() else shutil.copy(original, copy)
    framework = torch_says(copy, tmp_path)
    tally.add(case.path, framework, our_verdict(copy))
    assert framework.loads is case.resumable
    tally.assert_right()
