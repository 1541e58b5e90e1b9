"""Files that are not what their names promise: directories, pipes, holes, states of nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.checkpoint import Activity
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.deepspeed.reader import DeepSpeedReader
from ckpt_tui.formats.hf_trainer.reader import HfTrainerReader
from ckpt_tui.formats.manifest.reader import ManifestReader
from ckpt_tui.formats.torch_dcp.reader import TorchDcpReader
from ckpt_tui.formats.torch_file.reader import TorchFileReader
from tests.formats.helpers import codes, copy_of, judged, read_directory
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.formats.base import Reader

TRAINER = "torch/hf_trainer_single/checkpoint-10"
TITAN = "torch/dcp_titan_ws4/checkpoint/step-10"
DEEPSPEED = "torch/deepspeed_zero1_ws2/global_step10"
ACCELERATE = "torch/accelerate_plain/checkpoints/checkpoint_1"
MIB = 1024 * 1024


@pytest.mark.parametrize(
    ("reader", "source", "name"),
    [
        (TorchDcpReader(), TITAN, ".metadata"),
        (TorchDcpReader(), TITAN, "__1_0.distcp"),
        (HfTrainerReader(), TRAINER, "trainer_state.json"),
        (DeepSpeedReader(), DEEPSPEED, "mp_rank_00_model_states.pt"),
    ],
)
@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_what_is_no_regular_file_is_called_so(
    reader: Reader, source: str, name: str, kind: str, corpus: Path, tmp_path: Path
) -> None:
    path = copy_of(corpus / source, tmp_path / source.rpartition("/")[2])
    (path / name).unlink()
    if kind == "pipe":
        os.mkfifo(path / name)
    else:
        (path / name).mkdir()
    checkpoint = judged(reader, path)
    assert not checkpoint.resumable
    assert "outside-path" not in codes(checkpoint)
    assert any(kind in f.message and "no regular file" in f.message for f in checkpoint.findings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("optimizer.pt", {"state": {}, "param_groups": []}),
        ("scheduler.pt", {}),
    ],
)
def test_a_state_of_nothing_stops_the_trainer(
    name: str, value: object, corpus: Path, tmp_path: Path
) -> None:
    path = copy_of(corpus / TRAINER, tmp_path / "checkpoint-10")
    write_torch(path / name, value)
    checkpoint = judged(HfTrainerReader(), path)
    assert checkpoint.verdict == "incomplete"
    assert name.partition(".")[0] in checkpoint.missing_roles
    assert any(f.path == name and f.code == "missing-role" for f in checkpoint.findings)


@pytest.mark.parametrize(
    ("name", "value"), [("optimizer.pt", OPTIMIZER), ("scheduler.pt", SCHEDULER)]
)
def test_a_small_state_is_one(name: str, value: object, corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / TRAINER, tmp_path / "checkpoint-10")
    write_torch(path / name, value)
    assert "missing-role" not in codes(judged(HfTrainerReader(), path))


@pytest.mark.parametrize("name", ["trainer_state.json", "config.json"])
def test_json_with_a_byte_order_mark_stops_the_trainer(
    name: str, corpus: Path, tmp_path: Path
) -> None:
    path = copy_of(corpus / TRAINER, tmp_path / "checkpoint-10")
    (path / name).write_bytes(b"\xef\xbb\xbf" + (path / name).read_bytes())
    checkpoint = judged(HfTrainerReader(), path)
    assert checkpoint.verdict == "corrupt"
    assert "invalid-json" in codes(checkpoint)


def hollow(path: Path) -> None:
    """A file of 4 MiB with nothing on disk behind its start."""
    path.write_bytes(b"begins well")
    os.truncate(path, 4 * MIB)


def test_a_file_without_blocks_is_a_remark(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / TRAINER, tmp_path / "checkpoint-10")
    hollow(path / "vocabulary.bin")
    checkpoint = judged(HfTrainerReader(), path)
    assert checkpoint.verdict == "exact"
    (found,) = [f for f in checkpoint.findings if f.code == "preallocated"]
    assert (found.path, found.severity) == ("vocabulary.bin", "warning")


@pytest.mark.parametrize(
    ("reader", "source"),
    [
        (TorchDcpReader(), TITAN),
        (DeepSpeedReader(), DEEPSPEED),
        (TorchFileReader(), ACCELERATE),
    ],
)
def test_every_reader_tells_files_without_blocks(
    reader: Reader, source: str, corpus: Path, tmp_path: Path
) -> None:
    path = copy_of(corpus / source, tmp_path / source.rpartition("/")[2])
    assert "preallocated" not in codes(judged(reader, path))
    hollow(path / "notes.txt")
    assert "preallocated" in codes(judged(reader, path))


def test_a_torch_file_without_blocks(tmp_path: Path) -> None:
    path = write_torch(tmp_path / "ckpt_000010.pt", {"model": {"w": Shape((4 * MIB,))}, "step": 10})
    data = path.read_bytes()
    with path.open("wb") as file:
        file.write(data[:1024])
        file.seek(len(data) - 1024)
        file.write(data[-1024:])
    assert "preallocated" in codes(judged(TorchFileReader(), path))


def test_ranks_of_a_save_in_flight_are_waiting(tmp_path: Path) -> None:
    path = tmp_path / "step-10"
    path.mkdir()
    for name in ("model-rank0.bin", "optimizer-rank0.bin", "model-rank2.bin.tmp"):
        (path / name).write_bytes(b"data")
    facts = read_directory(ManifestReader(), path)
    assert [(s.rank, s.problem, s.size_bytes) for s in facts.shards] == [
        (0, "waiting", 8),
        (2, "waiting", 4),
    ]
    assert facts.expected_ranks == (0, 1, 2)
    saving = judge(facts, activity=Activity(True, "grew 1 s ago"))
    assert (saving.verdict, codes(saving)) == ("saving", {"missing-shard"})
    assert judge(facts).verdict == "uncommitted"


@pytest.mark.parametrize(
    ("reader", "source"),
    [(TorchDcpReader(), TITAN), (HfTrainerReader(), TRAINER), (DeepSpeedReader(), DEEPSPEED)],
)
def test_a_copy_is_marked_as_one(reader: Reader, source: str, corpus: Path, tmp_path: Path) -> None:
    name = source.rpartition("/")[2]
    assert not read_directory(reader, corpus / source).alias
    assert read_directory(reader, copy_of(corpus / source, tmp_path / f"{name}-copy")).alias
