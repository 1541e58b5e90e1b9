"""Numbers in names and small files that ask for more than there can be."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import ArtifactError, Limits
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.base import CheckpointFiles, Claim
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.registry import reader
from ckpt_tui.formats.shared.bounds import MOST_RANKS
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.formats.dcp_builder import write_dcp
from tests.formats.torch_builder import OPTIMIZER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FAR = 99_999_999
STATE = {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 4}
RNG = {"python": 1, "numpy": 1, "cpu": 1}


def hf_trainer(path: Path) -> None:
    write_torch(path / "pytorch_model.bin", WEIGHTS)
    write_torch(path / f"rng_state_{FAR}.pth", RNG)
    (path / "trainer_state.json").write_text('{"global_step": 4}')


def deepspeed(path: Path) -> None:
    write_torch(path / f"zero_pp_rank_{FAR}_mp_rank_00_optim_states.pt", {"step": 4})


def deepspeed_model_parallel(path: Path) -> None:
    write_torch(path / f"mp_rank_{FAR}_model_states.pt", {"global_steps": 4})


def dcp_without_metadata(path: Path) -> None:
    write_torch(path / f"__{FAR}_0.distcp", STATE)


def dcp_with_metadata(path: Path) -> None:
    state = {"model.w": Shape((2, 2)), "optimizer.state.w": Shape((2, 2)), "step": 7}
    write_dcp(path, state, lambda key: FAR)


def dcp_dataloader(path: Path) -> None:
    write_dcp(path, {"model.w": Shape((2, 2)), "step": 7, "dataloader.world_size": FAR})


def hf_storage(path: Path) -> None:
    name = f"shard-{FAR}-model-00001-of-00001.safetensors"
    (path / name).write_bytes((2).to_bytes(8, "little") + b"{}")


def hf_storage_parts(path: Path) -> None:
    name = f"shard-00001-model-00001-of-{FAR}.safetensors"
    (path / name).write_bytes((2).to_bytes(8, "little") + b"{}")


def torch_ranks(path: Path) -> None:
    write_torch(path / f"model_rank{FAR // 100}.pt", STATE)


def torch_world_size(path: Path) -> None:
    write_torch(path / f"model_world_size_{FAR // 100}_rank_0.pt", STATE)


def manifest_world_size(path: Path) -> None:
    (path / "manifest.json").write_text(json.dumps(manifest(world_size=FAR)))


def manifest_rank(path: Path) -> None:
    shard = {"role": "model", "path": "a", "rank": FAR, "checkpoint_id": "x", "size_bytes": 1}
    (path / "manifest.json").write_text(json.dumps(manifest(entries=[shard])))


def manifest_waited_for(path: Path) -> None:
    (path / f"model-rank{FAR}.bin").write_bytes(b"x")


def manifest(**changed: object) -> dict[str, object]:
    return {
        "schema": "ckpt-tui/manifest/1",
        "checkpoint_id": "x",
        "world_size": 1,
        "committed": True,
        "step": 4,
        "entries": [],
    } | changed


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("hf-trainer", hf_trainer),
        ("deepspeed", deepspeed),
        ("deepspeed", deepspeed_model_parallel),
        ("torch-dcp", dcp_without_metadata),
        ("torch-dcp", dcp_with_metadata),
        ("torch-dcp", dcp_dataloader),
        ("megatron-dist", dcp_without_metadata),
        ("torch-dcp", hf_storage),
        ("torch-dcp", hf_storage_parts),
        ("torch-file", torch_ranks),
        ("torch-file", torch_world_size),
        ("manifest", manifest_world_size),
        ("manifest", manifest_rank),
        ("manifest", manifest_waited_for),
    ],
)
def test_absurd_ranks_are_told_and_cost_nothing(
    tmp_path: Path, name: str, write: Callable[[Path], None]
) -> None:
    path = tmp_path / "step_4"
    path.mkdir()
    write(path)
    begun = time.thread_time()
    facts = read_checkpoint(Claim(name, str(path)), list_tree(str(path)), Limits())
    judge(facts)
    assert time.thread_time() - begun < 2
    assert "limit-exceeded" in {finding.code for finding in facts.findings}
    assert all(shard.rank < MOST_RANKS for shard in facts.shards)
    assert (facts.world_size or 0) <= MOST_RANKS
    assert judge(facts).verdict == "unknown" or facts.commit.met is False


def test_many_families_with_a_high_rank_are_told_shortly(tmp_path: Path) -> None:
    for number in range(40):
        write_torch(tmp_path / f"part{number}_rank{MOST_RANKS - 1}.pt", STATE)
    claim = Claim("torch-file", str(tmp_path))
    begun = time.thread_time()
    facts = read_checkpoint(claim, list_tree(str(tmp_path)), Limits())
    assert time.thread_time() - begun < 4
    absent = [finding for finding in facts.findings if finding.code == "missing-shard"]
    assert len(absent) == 10
    assert f"and {40 * (MOST_RANKS - 1) - 10} more like it" in absent[-1].message


def test_a_long_series_is_claimed_in_linear_time(tmp_path: Path) -> None:
    for step in range(1000):
        (tmp_path / f"model{step:06d}.pt").touch()
        (tmp_path / f"opt{step:06d}.pt").touch()
    directory = list_directory(str(tmp_path))
    begun = time.thread_time()
    groups = reader("torch-file").claims_files(directory)
    assert time.thread_time() - begun < 2
    assert len(groups) == 1000
    assert groups[7] == ("model000007.pt", "opt000007.pt")


def test_only_links_and_escapes_are_called_outside(tmp_path: Path) -> None:
    path = tmp_path / "step_4"
    (path / "inner").mkdir(parents=True)
    (path / "away.pt").symlink_to(tmp_path / "other.pt")
    files = CheckpointFiles(Claim("torch-file", str(path)), list_tree(str(path)), Limits())
    found = {}
    for name in ("inner", "away.pt", "../other.pt"):
        with pytest.raises(ArtifactError) as raised:
            files.open(name)
        found[name] = raised.value.code
    assert found == {
        "inner": "io-error",
        "away.pt": "outside-path",
        "../other.pt": "outside-path",
    }
