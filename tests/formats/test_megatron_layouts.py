"""What NeMo and Megatron-Bridge build around Megatron-Core's distributed checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ckpt_tui.fs.listing import list_directory
from tests.formats.dcp_builder import write_dcp
from tests.formats.helpers import claims, copy_of, cut, judged
from tests.formats.test_megatron_dist import GOOD, NEW_LAYOUT, READER, write_index
from tests.formats.torch_builder import write_torch

if TYPE_CHECKING:
    from pathlib import Path


def test_nemo_2_keeps_the_data_one_directory_down(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "llama--step=20-last"
    copy_of(corpus / GOOD, path / "weights")
    (path / "context").mkdir()
    (path / "context" / "model.yaml").write_text("a: 1")
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 20)
    assert checkpoint.facts.loader.flag == f"resume.resume_from_path={path}"
    assert checkpoint.facts.loader.own_choice == "none"
    (tmp_path / f"{path.name}-unfinished").touch()
    assert judged(READER, path).verdict == "uncommitted"
    (tmp_path / f"{path.name}-unfinished").unlink()
    cut(path / "weights" / "__1_1.distcp", 100)
    damaged = judged(READER, path)
    assert damaged.verdict == "corrupt"
    assert "weights/__1_1.distcp" in {finding.path for finding in damaged.findings}


def bridge_checkpoint(path: Path) -> Path:
    """Megatron-Bridge keeps no `args`; the step is in a file of its own."""
    common = {"iteration": 50, "opt_param_scheduler": {"max_lr": 0.1}, "optimizer": {"a": 1}}
    write_dcp(path, NEW_LAYOUT | {"common_state": common})
    write_index(path)
    write_torch(path / "train_state.pt", {"step": 50, "consumed_train_samples": 400})
    (path / "run_config.yaml").write_text("model: {}")
    return path


@pytest.mark.parametrize(
    ("name", "size", "verdict"),
    [("", 0, "exact"), ("train_state.pt", 100, "corrupt"), ("train_state.pt", None, "exact"),
     ("run_config.yaml", 0, "corrupt"), ("run_config.yaml", None, "incomplete")],
)  # fmt: skip
def test_megatron_bridge(tmp_path: Path, name: str, size: int | None, verdict: str) -> None:
    path = bridge_checkpoint(tmp_path / "iter_0000050")
    if name and size is None:
        (path / name).unlink()
    elif name:
        cut(path / name, size or 0)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == verdict
    if verdict == "exact":
        assert checkpoint.facts.loader.flag == (
            f"checkpoint.load={tmp_path} checkpoint.ckpt_step=50"
        )


def test_megatron_bridges_tracker_comes_first(tmp_path: Path) -> None:
    bridge_checkpoint(tmp_path / "iter_0000050")
    write_torch(tmp_path / "latest_train_state.pt", {"step": 50})
    (tmp_path / "latest_checkpointed_iteration.txt").write_text("40")
    own, text = READER.pointers(list_directory(str(tmp_path)))
    assert (own.kind, own.raw, own.default, text.default) == ("copy", "step 50", True, False)
    assert own.targets[0] == str(tmp_path / "iter_0000050")
    cut(tmp_path / "latest_train_state.pt", 50)
    assert READER.pointers(list_directory(str(tmp_path)))[0].problem == "unreadable"


def test_release_is_an_export(corpus: Path, tmp_path: Path) -> None:
    checkpoint = judged(READER, copy_of(corpus / GOOD, tmp_path / "release"))
    assert (checkpoint.verdict, checkpoint.facts.export) == ("weights-only", True)
    assert checkpoint.facts.loader.flag == f"--load {tmp_path}"


@pytest.mark.parametrize("text", ["\u00b2\u00b3", "9" * 4000, "-1", "20 30", "1e3"])
def test_a_tracker_with_anything_in_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "latest_checkpointed_iteration.txt").write_text(text)
    (pointer,) = READER.pointers(list_directory(str(tmp_path)))
    assert pointer.problem == "unreadable"
