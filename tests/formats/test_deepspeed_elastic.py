"""Elastic partitions: their loader wants the count of steps that torch's optimizers do not give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.formats.deepspeed.reader import DeepSpeedReader
from tests.formats.deepspeed_builder import write_step
from tests.formats.helpers import judged
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

READER = DeepSpeedReader()
STEP = "base_optimizer_state_step"
BARE = [{"exp_avg": Shape((6,)), "exp_avg_sq": Shape((6,))}]
RIGID = {"state": {0: {"step": 5, "exp_avg": Shape((6,))}}, "param_groups": [{"lr": 0.1}]}


@pytest.mark.parametrize(
    ("version", "state", "resumable"),
    [
        ("0.19.8", {"base_optimizer_state": BARE}, False),
        ("0.12.0", {"base_optimizer_state": BARE}, False),
        ("0.19.8", {"base_optimizer_state": BARE, STEP: 5}, True),
        ("0.9.5", {"base_optimizer_state": BARE}, True),  # its loader asked for no count
        ("no number", {"base_optimizer_state": BARE}, True),
        ("0.19.8", {"base_optimizer_state": RIGID}, True),
    ],
)
def test_a_bare_state_needs_the_count_beside_it(
    tmp_path: Path, version: str, state: dict[str, Any], resumable: bool
) -> None:
    directory = write_step(tmp_path / "global_step5", 1, dp=1)
    inner = {"zero_stage": 1, "partition_count": [1]} | state
    write_torch(
        directory / "bf16_zero_pp_rank_0_mp_rank_00_optim_states.pt",
        {"optimizer_state_dict": inner, "ds_version": version},
    )
    checkpoint = judged(READER, directory)
    assert checkpoint.resumable is resumable
    if not resumable:
        assert checkpoint.verdict == "incomplete"
        assert f"`{STEP}`" in checkpoint.why
