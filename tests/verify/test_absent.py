"""Files that an index demands and that are not there are wrong; nobody remembers them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ckpt_tui.verify.engine import verify
from ckpt_tui.verify.rows import rows_of
from tests.verify.files import SAMPLES, results_below


@pytest.mark.parametrize(
    ("run", "gone"),
    [
        ("torch-dcp/nested", "step-10/__1_0.distcp"),
        ("orbax/whole", "10/params/d/dd9b1a24c91e11ee00e62615d6aa7581"),
        ("orbax/whole", "10/params/manifest.ocdbt"),
        ("tensorflow/manager", "ckpt-1.data-00000-of-00001"),
        ("keras/sharded", "cp-01_00001.weights.h5"),
        ("paddle/distributed", "step_10/1_0.distcp"),
        ("deepspeed/zero1", "global_step10/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"),
    ],
)
def test_a_demanded_file_that_is_gone_is_wrong(tmp_path: Path, run: str, gone: str) -> None:
    copy = Path(shutil.copytree(SAMPLES / run, tmp_path / "run"))
    assert gone in results_below(copy)
    (copy / gone).unlink()
    found = results_below(copy)
    assert [name for name, file in found.items() if file.ok is False] == [gone]
    assert found[gone].size_bytes == 0
    assert found[gone].checkpoint
    (fault,) = found[gone].faults
    assert fault.code == "missing-shard"
    assert fault.message == found[gone].message


def test_it_is_not_remembered(tmp_path: Path) -> None:
    run = Path(shutil.copytree(SAMPLES / "torch-dcp" / "nested", tmp_path / "run"))
    (run / "step-10" / "__1_0.distcp").unlink()
    found = verify((str(run),))
    assert not found.ok
    kept = {Path(row[0].decode()).name for row in rows_of(found, 1.0) if b"step-10/" in row[0]}
    assert kept == {".metadata", "__0_0.distcp", "__2_0.distcp", "__3_0.distcp"}


@pytest.mark.parametrize("run", ["torch-dcp/flat_killed", "orbax/killed", "tensorflow/killed"])
def test_a_save_that_was_never_committed_may_lack_files(run: str) -> None:
    assert verify((str(SAMPLES / run),)).ok


def test_of_a_checkpoint_s_one_file_the_others_are_not_asked(tmp_path: Path) -> None:
    run = Path(shutil.copytree(SAMPLES / "torch-dcp" / "nested", tmp_path / "run"))
    (run / "step-10" / "__1_0.distcp").unlink()
    found = verify((str(run / "step-10" / "__0_0.distcp"),))
    assert [Path(file.path).name for file in found.files] == ["__0_0.distcp"]
