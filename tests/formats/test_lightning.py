"""Lightning's checkpoints: the file, the sharded directory, DeepSpeed's directory, `last.ckpt`."""

from __future__ import annotations

import copy
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.formats.lightning.reader import LightningReader
from ckpt_tui.formats.torch_dcp.reader import TorchDcpReader
from ckpt_tui.formats.torch_file.reader import TorchFileReader
from ckpt_tui.store.index import Store
from tests.artifacts.builders import Global
from tests.formats.dcp_builder import write_dcp
from tests.formats.deepspeed_builder import write_step
from tests.formats.helpers import (
    Row,
    claimed_files,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    read_file,
    remove,
)
from tests.formats.torch_builder import OPTIMIZER, SCHEDULER, WEIGHTS, Shape, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.core.runs import Run

READER = LightningReader()
SINGLE = "torch/lightning_single/checkpoints"
FILE = f"{SINGLE}/epoch=1-step=8-val_loss=3.363.ckpt"
CUT = "torch_broken/lightning_enospc/checkpoints/epoch=1-step=8-val_loss=3.363.ckpt"
SHARDED = "torch/lightning_modelparallel_ws2/checkpoints"
DIRECTORY = f"{SHARDED}/epoch=1-step=4.ckpt"
NOTHING = ("model", "optimizer", "scheduler", "rng", "progress")

FILES = [
    Row(FILE, "inexact", 8, ("rng",)),
    Row(f"{SINGLE}/last.ckpt", "inexact", 12, ("rng",)),
    Row(
        "torch/lightning_weights_only/checkpoints/epoch=0-step=4.ckpt",
        "weights-only",
        4,
        ("optimizer", "scheduler", "rng"),
    ),
    Row(CUT, "corrupt", 8, NOTHING),
    Row("torch_broken/lightning_sigkill_crossfs/checkpoints/last.ckpt", "corrupt", None, NOTHING),
]


def progress(steps: int) -> dict[str, Any]:
    """The loops of a Trainer after so many steps of automatic optimization."""
    step = {"total": {"ready": steps, "completed": steps}}
    return {
        "fit_loop": {
            "epoch_loop.automatic_optimization.optim_progress": {"optimizer": {"step": step}},
            "epoch_loop.manual_optimization.optim_step_progress": {"total": {"completed": 0}},
        }
    }


def trainer_state(step: int = 8, **changes: Any) -> dict[str, Any]:
    """What the Trainer dumps, without model and optimizer."""
    state = {
        "epoch": 1,
        "global_step": step,
        "pytorch-lightning_version": "2.6.6",
        "loops": progress(step),
        "callbacks": {},
        "lr_schedulers": [SCHEDULER],
    }
    return state | changes


def whole(step: int = 8, **changes: Any) -> dict[str, Any]:
    """A checkpoint file's content."""
    return {"state_dict": WEIGHTS, "optimizer_states": [OPTIMIZER]} | trainer_state(step, **changes)


def without(*keys: str) -> dict[str, Any]:
    return {key: value for key, value in whole().items() if key not in keys}


def look(root: Path) -> tuple[Run, ...]:
    store = Store(str(root), wall=lambda: 4e9)
    store.look()
    return store.snapshot().runs


@pytest.mark.parametrize("row", FILES, ids=lambda row: row.path)
def test_files(corpus: Path, row: Row) -> None:
    checkpoint = judged(READER, corpus / row.path)
    assert (checkpoint.verdict, checkpoint.step) == (row.verdict, row.step)
    assert checkpoint.missing_roles == row.missing
    assert (corpus / row.path).name in claimed_files(READER, (corpus / row.path).parent)


def test_a_file_says_where_it_was_seen(corpus: Path) -> None:
    facts = read_file(READER, corpus / FILE)
    assert facts.format == "lightning"
    assert facts.evidence == "step from key `loops.fit_loop`"
    assert facts.loader.flag == f'Trainer.fit(ckpt_path="{corpus / FILE}")'
    assert facts.reshard is not None
    assert facts.reshard.possible is True
    assert facts.tensors_total > 8
    optimizer = facts.role("optimizer")
    assert optimizer is not None
    assert "key `optimizer_states`" in optimizer.evidence


CONTENTS: list[tuple[dict[str, Any], str, int | None, set[str]]] = [
    (whole(), "inexact", 8, set()),
    # The key is a copy: Lightning goes on from the loops' counter.
    (whole(global_step=99), "inexact", 8, {"step-mismatch"}),
    (without("global_step", "epoch", "callbacks"), "inexact", 8, set()),
    (without("loops"), "incomplete", 8, {"missing-role"}),
    (without("loops") | {"pytorch-lightning_version": "1.5.10"}, "inexact", 8, set()),
    (whole(loops={}), "incomplete", 8, {"missing-role"}),
    (without("lr_schedulers"), "incomplete", 8, {"missing-role"}),
    (whole(lr_schedulers=[]), "inexact", 8, set()),
    (without("optimizer_states"), "weights-only", 8, {"weights-only"}),
    (without("optimizer_states", "lr_schedulers"), "weights-only", 8, {"weights-only"}),
    (whole(optimizer_states=[]), "weights-only", 8, {"weights-only"}),
    (whole(state_dict={}), "incomplete", 8, {"missing-role"}),
    (without("state_dict"), "incomplete", 8, {"missing-role"}),
]


@pytest.mark.parametrize(("value", "verdict", "step", "found"), CONTENTS)
def test_contents(
    tmp_path: Path, value: dict[str, Any], verdict: str, step: int | None, found: set[str]
) -> None:
    checkpoint = judged(READER, write_torch(tmp_path / "epoch=1-step=8.ckpt", value))
    assert (checkpoint.verdict, checkpoint.step) == (verdict, step)
    assert found <= codes(checkpoint)


def test_manual_optimization_has_a_counter_of_its_own(tmp_path: Path) -> None:
    loops = progress(0)
    loops["fit_loop"]["epoch_loop.manual_optimization.optim_step_progress"] = {
        "total": {"completed": 8}
    }
    assert judged(READER, write_torch(tmp_path / "a=1.ckpt", whole(loops=loops))).step == 8


def test_classes_of_the_job_need_trust(tmp_path: Path) -> None:
    parameters = {"path": Global("pathlib.PosixPath", ("data",))}
    path = write_torch(tmp_path / "epoch=1.ckpt", whole(hyper_parameters=parameters))
    facts = read_file(READER, path)
    assert facts.loader.flag.endswith('.ckpt", weights_only=False)')


def test_what_may_run_code_gets_none(tmp_path: Path) -> None:
    parameters = {"path": Global("posix.system", ("true",))}
    path = write_torch(tmp_path / "epoch=1.ckpt", whole(hyper_parameters=parameters))
    assert read_file(READER, path).loader.flag.endswith('.ckpt")')


@pytest.mark.parametrize("size_bytes", [0, 40, 9000, -1])
def test_cut_files(corpus: Path, tmp_path: Path, size_bytes: int) -> None:
    path = copy_of(corpus / FILE, tmp_path / "epoch=1-step=8.ckpt")
    cut(path, size_bytes % path.stat().st_size)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("corrupt", 8)
    assert checkpoint.facts.format == "lightning"


def test_a_name_that_disagrees(corpus: Path, tmp_path: Path) -> None:
    checkpoint = judged(READER, copy_of(corpus / FILE, tmp_path / "epoch=1-step=9-v1.ckpt"))
    assert checkpoint.step == 8
    assert "step-mismatch" in codes(checkpoint)


@pytest.mark.parametrize(
    ("name", "claimed"),
    [
        ("epoch=1-step=8.ckpt", True),
        ("epoch=1-step=8-v1.ckpt", True),
        ("val_loss=0.33.ckpt", True),
        ("last.ckpt", True),
        ("last-v2.ckpt", True),
        ("gpt--val_loss=2.1-step=8-last.ckpt", True),
        ("hpc_ckpt_3.ckpt", True),
        ("model.ckpt", False),
        ("model-000100.ckpt", False),
        ("lasting.ckpt", False),
        ("epoch=1-step=8.pt", False),
    ],
)
def test_names(tmp_path: Path, name: str, claimed: bool) -> None:
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    assert claimed_files(READER, tmp_path) == ([name] if claimed else [])


def test_content_decides_whose_file_it_is(tmp_path: Path) -> None:
    plain = {"model": WEIGHTS, "optimizer": OPTIMIZER, "step": 8}
    write_torch(tmp_path / "plain" / "epoch=1-step=8.ckpt", plain)
    write_torch(tmp_path / "own" / "model-000008.ckpt", whole())
    runs = {run.name: run for run in look(tmp_path)}
    assert {run.format for run in runs.values()} == {"torch-file", "lightning"}
    plain_facts = read_file(READER, tmp_path / "plain" / "epoch=1-step=8.ckpt")
    assert plain_facts.format == "torch-file"
    own = read_file(TorchFileReader(), tmp_path / "own" / "model-000008.ckpt")
    assert (own.format, own.step) == ("lightning", 8)


def test_directory(corpus: Path) -> None:
    for name, step in (("epoch=0-step=2.ckpt", 2), ("epoch=2-step=6.ckpt", 6), ("last.ckpt", 6)):
        path = corpus / SHARDED / name
        assert claims(READER, path)
        checkpoint = judged(READER, path)
        assert (checkpoint.verdict, checkpoint.step) == ("inexact", step)
        assert checkpoint.missing_roles == ("rng",)
        assert checkpoint.facts.world_size == 2
        assert "meta.pt" in checkpoint.facts.commit.rule


DAMAGE: list[tuple[Callable[[Path], None], str]] = [
    (remove("meta.pt"), "uncommitted"),
    (remove(".metadata"), "uncommitted"),
    (remove("meta.pt", ".metadata"), "uncommitted"),
    (lambda path: cut(path / "meta.pt", 500), "corrupt"),
    (lambda path: cut(path / "meta.pt", 0), "corrupt"),
    (lambda path: cut(path / ".metadata", 500), "corrupt"),
    (lambda path: cut(path / "__1_0.distcp", 500), "corrupt"),
    (remove("__1_0.distcp"), "incomplete"),
    (lambda path: (path / "__7_0.distcp").touch(), "inexact"),
]


@pytest.mark.parametrize(("damage", "verdict"), DAMAGE)
def test_damaged_directories(
    corpus: Path, tmp_path: Path, damage: Callable[[Path], None], verdict: str
) -> None:
    path = copy_of(corpus / DIRECTORY, tmp_path / "epoch=1-step=4.ckpt")
    damage(path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == (verdict, 4)
    assert "finishable" not in codes(checkpoint)


def test_a_kill_before_meta_pt_leaves_a_whole_dcp(corpus: Path, tmp_path: Path) -> None:
    """Under any name: torch-dcp hands over what has Lightning's keys and no step."""
    path = copy_of(corpus / DIRECTORY, tmp_path / "any")
    (path / "meta.pt").unlink()
    checkpoint = judged(TorchDcpReader(), path)
    assert checkpoint.facts.format == "lightning"
    assert checkpoint.verdict == "uncommitted"
    assert checkpoint.facts.commit.missing == "meta.pt"


def test_a_rename_that_is_missing_can_be_made_by_hand(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / DIRECTORY, tmp_path / "epoch=1-step=4.ckpt")
    (path / ".metadata").rename(path / ".metadata.tmp")
    assert "finishable" in codes(judged(READER, path))


@pytest.mark.parametrize("names", [("__0_0.distcp", "__1_0.distcp"), ("__1_0.distcp",)])
@pytest.mark.parametrize("index", [(".metadata",), ()])
def test_a_save_over_an_older_one(
    corpus: Path, tmp_path: Path, names: tuple[str, ...], index: tuple[str, ...]
) -> None:
    """`last.ckpt/` is written over: Lightning loads new weights with the old step, silently."""
    path = copy_of(corpus / DIRECTORY, tmp_path / "last.ckpt")
    for name in (*names, *index):
        shutil.copy2(corpus / SHARDED / "epoch=2-step=6.ckpt" / name, path)
    checkpoint = judged(READER, path)
    assert not checkpoint.resumable
    assert codes(checkpoint) & {"mixed-saves", "truncated-file", "unreadable-archive"}


def test_a_count_that_lags_is_a_remark(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / DIRECTORY, tmp_path / "last.ckpt")
    shutil.copy2(corpus / SHARDED / "epoch=2-step=6.ckpt" / "meta.pt", path)
    checkpoint = judged(READER, path)
    assert checkpoint.resumable
    assert "step-mismatch" in codes(checkpoint)


def test_meta_pt_of_another_loop(tmp_path: Path) -> None:
    """Fabric's directory looks the same; its state is the loop's own."""
    path = write_dcp(tmp_path / "step-8", {"model.w": Shape((2, 2)), "optimizer.w.m": Shape((2,))})
    write_torch(path / "meta.pt", {"iteration": 8})
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.facts.format, checkpoint.step) == ("torch-dcp", 8)


@pytest.mark.parametrize("stage", [1, 3])
def test_deepspeed(tmp_path: Path, stage: int) -> None:
    path = tmp_path / "epoch=1-step=8.ckpt"
    write_step(path / "checkpoint", stage, **trainer_state(), lr_scheduler=None, rng=None)
    (path / "latest").write_text("checkpoint")
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict, checkpoint.step) == ("inexact", 8)
    assert checkpoint.missing_roles == ("rng",)
    assert checkpoint.facts.expected_ranks == (0, 1)
    (run,) = look(tmp_path)
    assert [c.facts.format for c in run.checkpoints] == ["lightning"]


@pytest.mark.parametrize(
    ("damage", "verdict"),
    [
        (remove("latest"), "incomplete"),
        (lambda path: (path / "latest").write_text(""), "incomplete"),
        (lambda path: (path / "latest").write_text("global_step5"), "incomplete"),
        (remove("checkpoint/mp_rank_00_model_states.pt"), "incomplete"),
        (remove("checkpoint/bf16_zero_pp_rank_1_mp_rank_00_optim_states.pt"), "incomplete"),
        (lambda path: cut(path / "checkpoint" / "mp_rank_00_model_states.pt", 90), "corrupt"),
    ],
)
def test_damaged_deepspeed(tmp_path: Path, damage: Callable[[Path], None], verdict: str) -> None:
    path = tmp_path / "epoch=1-step=8.ckpt"
    write_step(path / "checkpoint", 1, **trainer_state())
    (path / "latest").write_text("checkpoint")
    damage(path)
    assert judged(READER, path).verdict == verdict


def run_of(root: Path, **steps: int) -> Path:
    """A run's directory with a file for each name; `_` stands for a dash, times rise."""
    for number, (name, step) in enumerate(steps.items()):
        file = "last.ckpt" if name == "last" else f"epoch={name[1:]}-step={step}.ckpt"
        path = write_torch(root / file, whole(step))
        os.utime(path, (1e9 + number, 1e9 + number))
    return root


def test_last_as_a_copy(tmp_path: Path) -> None:
    (run,) = look(run_of(tmp_path, e0=4, e1=8, last=8))
    assert run.resume is not None
    assert run.resume.facts.name == "epoch=1-step=8.ckpt"
    (pointer,) = run.pointers
    assert (pointer.kind, pointer.state, pointer.default) == ("copy", "ok", True)
    assert run.findings == ()


def test_last_as_an_old_copy(tmp_path: Path) -> None:
    (run,) = look(run_of(tmp_path, last=4, e0=4, e1=8))
    assert "pointer-stale" in {finding.code for finding in run.findings}


def test_last_as_a_cut_copy(tmp_path: Path) -> None:
    run_of(tmp_path, e0=4, e1=8, last=8)
    cut(tmp_path / "last.ckpt", 200)
    (run,) = look(tmp_path)
    assert run.resume is not None
    assert run.resume.step == 8
    assert "pointer-ahead" in {finding.code for finding in run.findings}


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("epoch=1-step=8.ckpt", None),
        ("epoch=0-step=4.ckpt", "pointer-stale"),  # save_top_k: the best is older
        ("epoch=7-step=99.ckpt", "pointer-dangling"),
        ("last.ckpt", "pointer-unreadable"),  # a link to itself
    ],
)
def test_last_as_a_link(tmp_path: Path, target: str, code: str | None) -> None:
    run_of(tmp_path, e0=4, e1=8).joinpath("last.ckpt").symlink_to(target)
    (run,) = look(tmp_path)
    assert run.resume is not None
    assert run.resume.step == 8
    assert {f.code for f in run.findings} == ({code} if code else set())


def test_the_newest_last_is_followed(tmp_path: Path) -> None:
    run_of(tmp_path, e1=8, last=4)
    os.utime(write_torch(tmp_path / "last-v1.ckpt", whole(8)), (2e9, 2e9))
    (run,) = look(tmp_path)
    followed = {pointer.path.rpartition("/")[2]: pointer.default for pointer in run.pointers}
    assert followed == {"last.ckpt": False, "last-v1.ckpt": True}
    assert run.findings == ()


def test_last_as_a_directory(corpus: Path) -> None:
    (run,) = look(corpus / SHARDED)
    assert run.resume is not None
    assert run.resume.facts.name == "epoch=2-step=6.ckpt"
    assert [pointer.state for pointer in run.pointers] == ["ok"]


@pytest.mark.parametrize("only", [True, False])
def test_nemos_marker(tmp_path: Path, only: bool) -> None:
    """A whole checkpoint beside its marker: NeMo passes it over and starts from step 0."""
    name = "gpt--val_loss=2.1-step=8-last"
    write_torch(tmp_path / f"{name}.ckpt", whole(8))
    if not only:
        write_torch(tmp_path / "gpt--val_loss=2.2-step=4.ckpt", whole(4))
    (tmp_path / f"{name}-unfinished").touch()
    (run,) = look(tmp_path)
    marked = next(c for c in run.checkpoints if c.facts.name == f"{name}.ckpt")
    assert marked.verdict == "uncommitted"
    assert "finishable" in codes(marked)
    assert (run.resume.step if run.resume else None) == (None if only else 4)


def test_a_directory_without_files_is_named_like_its_siblings(corpus: Path, tmp_path: Path) -> None:
    copy_of(corpus / DIRECTORY, tmp_path / "epoch=1-step=4.ckpt")
    (tmp_path / "epoch=2-step=6.ckpt").mkdir()
    (run,) = look(tmp_path)
    assert {(c.facts.format, c.step, c.verdict) for c in run.checkpoints} == {
        ("lightning", 4, "inexact"),
        ("lightning", 6, "uncommitted"),
    }


def test_a_hostile_state_is_bounded(tmp_path: Path) -> None:
    nested: dict[str, Any] = {}
    inner = nested
    for _ in range(200):
        inner["fit_loop"] = {}
        inner = inner["fit_loop"]
    value = copy.copy(whole(loops=nested)) | {"pytorch-lightning_version": ["x"] * 100}
    path = write_torch(tmp_path / "epoch=1.ckpt", value)
    assert judged(READER, path).verdict == "incomplete"
