"""Which parallel axes readers tell of, from names and from stored arguments."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.coordinates import coordinates_of, coordinates_text, nested_axes
from ckpt_tui.core.facts import ParallelAxis
from ckpt_tui.formats.deepspeed.reader import DeepSpeedReader
from ckpt_tui.formats.megatron.arguments import Arguments, arguments_of
from ckpt_tui.formats.megatron.rank_order import axes_of_arguments
from ckpt_tui.formats.megatron_dist.reader import MegatronDistReader
from ckpt_tui.formats.megatron_legacy.reader import MegatronLegacyReader
from tests.formats.dcp_builder import write_dcp
from tests.formats.deepspeed_builder import MODULE, write_step
from tests.formats.helpers import read_directory
from tests.formats.torch_builder import write_torch

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.facts import CheckpointFacts

JOB = Arguments(there=True, tensor=2, pipeline=3, world_size=24)


def told(facts: CheckpointFacts, rank: int) -> str:
    return coordinates_text(facts.axes, rank)


@pytest.mark.parametrize(
    ("arguments", "rank", "text"),
    [
        (JOB, 23, "PP 2 DP 3 TP 1"),
        (JOB, 8, "PP 1 DP 0 TP 0"),
        (JOB._replace(pipeline_inside_data=True), 8, "DP 1 PP 1 TP 0"),
        (JOB._replace(context=2), 7, "PP 0 DP 1 CP 1 TP 1"),
        (JOB._replace(expert=4), 7, "PP 0 DP 3 TP 1 EP 3"),
        (JOB._replace(expert=4, expert_tensor=1), 7, "PP 0 DP 3 TP 1 EP 3"),
        (JOB._replace(expert=2, expert_tensor=1), 2, "PP 0 DP 1 TP 0 EP 0"),
        (JOB._replace(expert=4, context=2), 7, "PP 0 DP 1 CP 1 TP 1"),
        (JOB._replace(expert=3), 7, "PP 0 DP 3 TP 1"),
        (JOB._replace(tensor=None), 7, ""),
        (JOB._replace(world_size=None), 7, ""),
        (JOB._replace(world_size=23), 7, ""),
        (JOB._replace(world_size=12), 23, ""),
        (JOB._replace(world_size=2**30), 23, ""),
        (JOB._replace(separate_encoder=True), 7, ""),
        (Arguments(), 0, ""),
    ],
)
def test_ranks_of_megatron(arguments: Arguments, rank: int, text: str) -> None:
    assert coordinates_text(axes_of_arguments(arguments, rank), rank) == text


def test_the_arguments_that_tell_the_order() -> None:
    read = arguments_of(
        {"context_parallel_size": 2, "use_tp_pp_dp_mapping": True,
         "encoder_pipeline_model_parallel_size": 0}
    )  # fmt: skip
    assert (read.context, read.pipeline_inside_data, read.separate_encoder) == (2, True, False)
    assert arguments_of({"encoder_pipeline_model_parallel_size": 2}).separate_encoder


def test_megatrons_distributed_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "iter_0000050"
    arguments = Namespace(
        tensor_model_parallel_size=1, pipeline_model_parallel_size=2, world_size=4
    )
    state = {f"layers.{rank}": MODULE["layers.0.bias"] for rank in range(4)}
    write_dcp(path, state, rank_of=lambda key: int(key[-1]))
    write_torch(path / "common.pt", {"iteration": 50, "args": arguments})
    facts = read_directory(MegatronDistReader(), path)
    assert told(facts, 3) == "PP 1 DP 1"


@pytest.mark.parametrize(
    ("names", "sizes", "last"),
    [
        (["mp_rank_00", "mp_rank_01"], {"tensor_model_parallel_size": 2}, "TP 1"),
        (["mp_rank_00", "mp_rank_01"], {}, "TP 1"),
        (["mp_rank_00_000", "mp_rank_00_001"],
         {"tensor_model_parallel_size": 1, "pipeline_model_parallel_size": 2}, "PP 1"),
        (["mp_rank_00_000", "mp_rank_00_001"],
         {"tensor_model_parallel_size": 1, "expert_model_parallel_size": 2}, "EP 1"),
        (["mp_rank_00_000", "mp_rank_00_001"], {}, ""),  # a stage or an expert rank
        (["mp_rank_00_000", "mp_rank_01_001"],
         {"tensor_model_parallel_size": 2, "expert_model_parallel_size": 2,
          "expert_tensor_parallel_size": 1}, "EP 1 TP 1"),
        ([f"mp_rank_0{t}_00{p}_00{e}" for p in (0, 1) for e in (0, 1) for t in (0, 1)],
         {"tensor_model_parallel_size": 2, "pipeline_model_parallel_size": 2,
          "expert_model_parallel_size": 2, "world_size": 8}, "PP 1 EP 1 TP 1"),
    ],
)  # fmt: skip
def test_parts_of_megatron(
    tmp_path: Path, names: list[str], sizes: dict[str, int], last: str
) -> None:
    path = tmp_path / "iter_0000020"
    value = {"iteration": 20, "model": dict(MODULE), "args": Namespace(**sizes)}
    if not sizes:
        value.pop("args")
    for name in names:
        write_torch(path / name / "model_optim_rng.pt", value)
    facts = read_directory(MegatronLegacyReader(), path)
    assert told(facts, len(names) - 1) == last
    for rank, shard in enumerate(facts.shards):
        tensor = coordinates_of(facts.axes, rank).get("TP", 0)
        assert shard.paths[0].startswith(f"mp_rank_{tensor:02d}")


def test_deepspeeds_names(tmp_path: Path) -> None:
    path = write_step(tmp_path / "global_step5", stage=1, dp=3, mp=4)
    facts = read_directory(DeepSpeedReader(), path)
    for shard in facts.shards:
        numbers = coordinates_of(facts.axes, shard.rank)
        ends = f"zero_pp_rank_{numbers['DP']}_mp_rank_{numbers['MP']:02d}_optim_states.pt"
        assert any(name.endswith(ends) for name in shard.paths)
    plain = read_directory(DeepSpeedReader(), write_step(tmp_path / "global_step6", stage=0))
    assert plain.axes == ()


def test_deepspeeds_pipeline_modules_tell_stages_and_tensor_ranks(tmp_path: Path) -> None:
    path = write_step(tmp_path / "global_step5", stage=1, dp=3, mp=4)
    for layer in range(2):
        for tensor in range(2):
            name = f"layer_{layer:02d}-model_{tensor:02d}-model_states.pt"
            write_torch(path / name, dict(MODULE))
    facts = read_directory(DeepSpeedReader(), path)
    assert facts.axes == nested_axes([("TP", 2), ("PP", 2), ("DP", 3)])
    alone = write_step(tmp_path / "global_step6", stage=1, dp=3, mp=4)
    write_torch(alone / "layer_00-model_states.pt", dict(MODULE))
    assert read_directory(DeepSpeedReader(), alone).axes == nested_axes([("PP", 4), ("DP", 3)])
    odd = write_step(tmp_path / "global_step7", stage=1, dp=1, mp=4)
    write_torch(odd / "layer_00-model_02-model_states.pt", dict(MODULE))
    assert read_directory(DeepSpeedReader(), odd).axes == (ParallelAxis("MP", 4, 1),)
