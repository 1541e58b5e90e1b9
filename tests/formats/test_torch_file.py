from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.formats.base import CheckpointFiles, Claim
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.shared import archive_roles
from ckpt_tui.formats.torch_file.reader import TorchFileReader
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.artifacts.builders import LIMITS, Global, tensor, torch_zip
from tests.formats.helpers import (
    Row,
    claimed_files,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    overwrite,
    read_file,
)
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path

    from ckpt_tui.core.facts import CheckpointFacts

READER = TorchFileReader()
NUMBERED = "torch/plain_numbered/ckpt_000100.pt"

ROWS = [
    Row(NUMBERED, "exact", 100, ()),
    Row("torch/plain_legacy_nonzip/ckpt_000300.pt", "exact", 300, ()),
    Row("torch/plain_nanogpt_like/ckpt.pt", "inexact", 2000, ("scheduler", "rng")),
    Row("torch/plain_atomic_symlink/step_20.pt", "inexact", 20, ("scheduler", "rng")),
]


def read_group(path: Path, members: tuple[str, ...]) -> CheckpointFacts:
    first = str(path / members[0])
    claim = Claim(READER.name, first, members)
    return READER.read(CheckpointFiles(claim, list_tree(first, members), LIMITS))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_verdicts(corpus: Path, row: Row) -> None:
    path = corpus / row.path
    assert path.name in claimed_files(READER, path.parent)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == (row.verdict, row.step)
    assert checkpoint.missing_roles == row.missing


def test_a_whole_file(corpus: Path) -> None:
    facts = read_file(READER, corpus / NUMBERED)
    assert facts.world_size is None
    assert facts.expected_ranks is None
    assert facts.commit.met is None
    assert facts.reshard is None
    assert facts.size_bytes == (corpus / NUMBERED).stat().st_size
    model = facts.role("model")
    assert model is not None
    assert "key `model` in ckpt_000100.pt" in model.evidence
    assert facts.tensors_total > 8
    # It holds numpy's random state, at which torch since 2.6 stops by default.
    assert facts.loader.flag == f'torch.load("{corpus / NUMBERED}", weights_only=False)'


def test_what_torch_loads_by_default_needs_no_more(tmp_path: Path) -> None:
    path = write_torch(tmp_path / "ckpt_10.pt", {"model": WEIGHTS, "step": 10})
    assert read_file(READER, path).loader.flag == f'torch.load("{path}")'


def test_frames_of_newer_pickles_need_trust(tmp_path: Path) -> None:
    path = tmp_path / "ckpt_10.pt"
    path.write_bytes(torch_zip({"model": {"w": 1.0}, "step": 10}, protocol=4))
    assert read_file(READER, path).loader.flag == f'torch.load("{path}", weights_only=False)'


def test_no_call_is_told_that_would_run_code(tmp_path: Path) -> None:
    value = {"model": WEIGHTS, "step": 10, "x": Global("posix.system", ("true",))}
    path = write_torch(tmp_path / "ckpt_10.pt", value)
    facts = read_file(READER, path)
    assert "unsafe-pickle" in {finding.code for finding in facts.findings}
    assert facts.loader.flag == f'torch.load("{path}")'


@pytest.mark.parametrize("where", ["torch/plain_numbered", "torch/plain_legacy_nonzip"])
@pytest.mark.parametrize("size_bytes", [0, 40, 20_000, -1])
def test_cut_files(corpus: Path, tmp_path: Path, where: str, size_bytes: int) -> None:
    path = copy_of(corpus / where / "ckpt_000300.pt", tmp_path / "ckpt_000300.pt")
    cut(path, size_bytes % path.stat().st_size)
    assert claimed_files(READER, tmp_path) == ["ckpt_000300.pt"]
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("corrupt", 300)
    assert codes(checkpoint) & {"truncated-file", "empty-file"}


def test_garbage_in_the_pickle(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / NUMBERED, tmp_path / "ckpt_000100.pt")
    overwrite(path, 300, b"\xff" * 64)
    assert judged(READER, path).verdict == "corrupt"


CONTENTS = [
    ("ckpt.pt", WEIGHTS, "weights-only", None, set()),
    ("ckpt.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 4}, "inexact", 4, set()),
    ("ckpt.pt", {"model": WEIGHTS, "optimizer": None, "step": 4}, "weights-only", 4, set()),
    ("ckpt.pt", {"model": WEIGHTS, "optimizer": {}, "step": 4}, "weights-only", 4, set()),
    ("ckpt.pt", {"model": "gpt2", "optimizer": OPTIMIZER, "step": 4}, "incomplete", 4, set()),
    ("ckpt.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER}, "incomplete", None, set()),
    ("ckpt_50.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER}, "inexact", 50, set()),
    ("net50.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER}, "inexact", 50, set()),
    ("resnet50.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER}, "incomplete", None, set()),
    ("ckpt_60.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 4}, "inexact", 4,
     {"step-mismatch"}),
    ("ckpt_3.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 900, "epoch": 3}, "inexact",
     900, set()),
    ("c.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER, "epoch": 3}, "inexact", None, set()),
    ("c.pt", {"model": WEIGHTS, "optim": OPTIMIZER, "step": 2, "rng": b"x", "sched": SCHEDULER},
     "exact", 2, set()),
    ("c.pt", {"state": {"model": WEIGHTS, "optimizers": OPTIMIZER, "step": 2}}, "inexact", 2,
     set()),
    ("c.pt", {"net": WEIGHTS, "last_opt": OPTIMIZER, "train_state": {"step": 6}}, "inexact", 6,
     set()),
    ("c.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": True}, "incomplete", None, set()),
    ("c.pt", {"model": WEIGHTS, "optimizer": OPTIMIZER, "scheduler": SCHEDULER}, "incomplete",
     None, set()),
    ("c.pt", {"model": WEIGHTS, "x": Global("os.system", ("true",))}, "weights-only", None,
     {"unsafe-pickle"}),
    ("c.pt", [], "incomplete", None, set()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "verdict", "step", "found"), CONTENTS)
def test_contents(
    tmp_path: Path, name: str, value: object, verdict: str, step: int | None, found: set[str]
) -> None:
    checkpoint = judged(READER, write_torch(tmp_path / name, value))
    assert (checkpoint.verdict, checkpoint.step) == (verdict, step)
    mentioned = codes(checkpoint) - {"missing-role", "weights-only"}
    assert mentioned == found


def test_an_empty_optimizer_is_said(tmp_path: Path) -> None:
    value = {"model": WEIGHTS, "optimizer": None, "step": 4}
    checkpoint = judged(READER, write_torch(tmp_path / "ckpt_4.pt", value))
    assert "nothing under `optimizer`" in checkpoint.why
    fresh = value | {"optimizer": {"state": {}, "param_groups": [{"lr": 0.1}]}}
    role = read_file(READER, write_torch(tmp_path / "ckpt_5.pt", fresh)).role("optimizer")
    assert role is not None
    assert "without any state tensor" in role.evidence


def test_which_files_are_claimed(tmp_path: Path) -> None:
    for name in ("ckpt_1.pt", "ckpt_2.pt", "model_final.bin", "last.ckpt", "best.pth.tar"):
        write_torch(tmp_path / name, {"model": WEIGHTS, "step": 1})
    (tmp_path / "ckpt_3.pt").touch()
    (tmp_path / "other.bin").write_bytes(b"no torch")
    (tmp_path / "raw_1.pkl").write_bytes(b"\x80\x04K\x01.")
    (tmp_path / "training_args.bin").write_bytes(b"PK\x03\x04")
    (tmp_path / "ckpt_4.pt.tmp").write_bytes(b"PK\x03\x04")
    (tmp_path / ".ckpt_5.pt.tmp").write_bytes(b"PK\x03\x04")
    (tmp_path / "latest.pt").symlink_to("ckpt_2.pt")
    (tmp_path / "gone.pt").symlink_to("gone.pt")
    assert sorted(claimed_files(READER, tmp_path)) == [
        "best.pth.tar", "ckpt_1.pt", "ckpt_2.pt", "ckpt_3.pt", "ckpt_4.pt.tmp", "last.ckpt",
        "model_final.bin",
    ]  # fmt: skip
    pointers = {os.path.basename(p.path): p for p in READER.pointers(list_directory(str(tmp_path)))}
    assert pointers["latest.pt"].targets == (str(tmp_path / "ckpt_2.pt"),)
    assert pointers["gone.pt"].problem == "loop"


def test_a_temporary_file_is_never_committed(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / NUMBERED, tmp_path / "ckpt_000100.pt.tmp")
    claim = Claim(READER.name, str(path), (path.name,))
    facts = read_checkpoint(claim, list_tree(str(path), claim.members), LIMITS)
    assert facts.staging
    assert facts.commit.met is False
    assert facts.step == 100


def test_parts_of_other_formats_are_left_alone(corpus: Path, tmp_path: Path) -> None:
    legacy = corpus / "torch/megatron_legacy_tp2/iter_0000010"
    assert not claims(READER, legacy)
    assert claimed_files(READER, legacy / "mp_rank_00") == []
    deepspeed = corpus / "torch/deepspeed_zero1_ws2/global_step5"
    assert not claims(READER, deepspeed)
    assert claimed_files(READER, deepspeed) == []


def test_an_export_and_a_copy(tmp_path: Path) -> None:
    export = read_file(READER, write_torch(tmp_path / "model_final.pt", WEIGHTS))
    copy = read_file(READER, write_torch(tmp_path / "last.ckpt", {"state_dict": WEIGHTS}))
    series = read_file(READER, write_torch(tmp_path / "model_20.pt", WEIGHTS))
    assert (export.export, copy.export, series.export) == (True, False, False)
    assert (export.alias, copy.alias, series.alias) == (False, True, False)


def test_nemos_marker(tmp_path: Path) -> None:
    value = {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 4}
    path = write_torch(tmp_path / "gpt-last.ckpt", value)
    assert judged(READER, path).verdict == "inexact"
    (tmp_path / "gpt-last-unfinished").touch()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "uncommitted"
    assert "finishable" in codes(checkpoint)


def test_shards_of_many_ranks_are_one_checkpoint(tmp_path: Path) -> None:
    for shard in range(4):
        name = f"checkpoint_2_500-model_part-{shard // 2}-shard{shard}.pt"
        write_torch(tmp_path / name, {"model": WEIGHTS, "optimizer": OPTIMIZER})
    write_torch(tmp_path / "checkpoint_last-model_part-0-shard0.pt", {"model": WEIGHTS})
    (tmp_path / "checkpoint_last-model_part-0-shard1.pt").touch()
    groups = {g[0]: g for g in READER.claims_files(list_directory(str(tmp_path)))}
    assert sorted(map(len, groups.values())) == [2, 4]
    first = "checkpoint_2_500-model_part-0-shard0.pt"
    run = judged_run([read_group(tmp_path, group) for group in groups.values()])
    assert (run[first].verdict, run[first].step) == ("inexact", 500)
    assert run[first].facts.expected_ranks == (0, 1, 2, 3)
    last = run["checkpoint_last-model_part-0-shard0.pt"]
    assert last.verdict == "corrupt"
    assert [shard.problem for shard in last.facts.shards] == ["", "empty"]


def test_a_shard_that_still_has_its_temporary_name(tmp_path: Path) -> None:
    for shard in range(3):
        write_torch(tmp_path / f"ckpt_9-shard{shard}.pt", {"model": WEIGHTS})
    (tmp_path / "ckpt_9-shard1.pt").rename(tmp_path / "ckpt_9-shard1.pt.tmp")
    (group,) = READER.claims_files(list_directory(str(tmp_path)))
    assert group[0] == "ckpt_9-shard0.pt"
    checkpoint = judged_run([read_group(tmp_path, group)])["ckpt_9-shard0.pt"]
    assert checkpoint.verdict == "incomplete"
    assert {"missing-shard", "staging-leftover"} <= codes(checkpoint)
    assert checkpoint.missing_ranks == (1,)


def test_ranks_of_different_saves(tmp_path: Path) -> None:
    for rank, step in enumerate((5, 5, 6)):
        value = {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": step}
        write_torch(tmp_path / f"ckpt-rank{rank}.pt", value)
    (group,) = READER.claims_files(list_directory(str(tmp_path)))
    checkpoint = judged_run([read_group(tmp_path, group)])["ckpt-rank0.pt"]
    assert checkpoint.verdict == "incomplete"
    assert "mixed-saves" in codes(checkpoint)


def test_states_of_one_step_in_files_of_their_own(tmp_path: Path) -> None:
    for step in (1000, 2000):
        write_torch(tmp_path / f"model{step:06d}.pt", WEIGHTS)
        write_torch(tmp_path / f"opt{step:06d}.pt", OPTIMIZER)
    groups = READER.claims_files(list_directory(str(tmp_path)))
    assert ("model002000.pt", "opt002000.pt") in groups
    run = judged_run([read_group(tmp_path, group) for group in groups])
    assert (run["model002000.pt"].verdict, run["model002000.pt"].step) == ("inexact", 2000)


def test_sniffing_survives_what_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "ckpt_1.pt").mkdir()
    os.mkfifo(tmp_path / "ckpt_2.pt")
    name = os.fsdecode(b"ckpt_3\xff[red]\n.pt")
    write_torch(tmp_path / name, {"model": WEIGHTS, "x": Shape(())})
    assert claimed_files(READER, tmp_path) == [name]
    assert judged(READER, tmp_path / name).verdict == "weights-only"


def test_a_dictionary_under_many_keys_is_walked_a_few_times_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = {f"layers.{place}": 0 for place in range(50)}
    walked: list[object] = []

    def has_tensor(value: object) -> bool:
        walked.append(value)
        return False

    monkeypatch.setattr(archive_roles, "has_tensor", has_tensor)
    value: dict[str, object] = {f"m{place}_state_dict": shared for place in range(300)}
    path = tmp_path / "ckpt.pt"
    for held in (value, {"state": {"model": shared, "step": 1, **value}}):
        walked.clear()
        path.write_bytes(torch_zip(held))
        read_file(READER, path)
        assert 0 < len(walked) < 40


def test_names_without_a_role_do_not_hide_the_model(tmp_path: Path) -> None:
    shared = {"w": tensor("0", (4, 2))}
    value = {f"agent_{place}": shared for place in range(10)}
    value |= {"model": shared, "optimizer": OPTIMIZER | {"state": {}}, "step": 3}
    for held in (value, {"state": value}):
        path = tmp_path / "ckpt.pt"
        path.write_bytes(torch_zip(held, {"0": bytes(32)}))
        assert judged(READER, path).verdict == "inexact"
