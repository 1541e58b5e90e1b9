"""Trainer checkpoints: what real runs and killed saves left, and copies damaged by hand."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.checkpoint import Activity, Requirements
from ckpt_tui.core.verdict import judge
from ckpt_tui.core.vocabulary import Commit, Verdict
from ckpt_tui.formats.base import CheckpointFiles, Claim, ClaimKind
from ckpt_tui.formats.hf_trainer.reader import HfTrainerReader
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.artifacts.builders import Global, safetensors
from tests.formats.helpers import (
    Row,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    read_directory,
    remove,
    spread_rng,
)
from tests.formats.torch_builder import OPTIMIZER, Shape, torch_bytes, write_torch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ckpt_tui.core.facts import CheckpointFacts

READER = HfTrainerReader()
SINGLE = "torch/hf_trainer_single"
WHOLE = f"{SINGLE}/checkpoint-10"
SHARDED = "torch/hf_trainer_sharded/checkpoint-10"
IN_MODEL = "torch_broken/hf_sigkill_in_model/checkpoint-20"
INDEX = "model.safetensors.index.json"
SHARD = "model-00002-of-00003.safetensors"

NO_STATE = ("optimizer", "scheduler", "rng")
ROWS = [
    Row(WHOLE, "exact", 10, ()),
    Row(SHARDED, "exact", 10, ()),
    Row("torch/hf_trainer_modelonly/checkpoint-30", "weights-only", 30, NO_STATE),
    Row(IN_MODEL, "uncommitted", 20, ("model", *NO_STATE, "progress")),
    Row(
        "torch_broken/hf_sigkill_in_optimizer/checkpoint-20",
        "uncommitted",
        20,
        (*NO_STATE, "progress"),
    ),
    Row("torch_broken/hf_enospc/checkpoint-20", "uncommitted", 20, (*NO_STATE, "progress")),
]


@pytest.fixture
def whole(corpus: Path, tmp_path: Path) -> Path:
    """A whole checkpoint to damage."""
    return copy_of(corpus / WHOLE, tmp_path / "checkpoint-10")


@pytest.fixture
def sharded(corpus: Path, tmp_path: Path) -> Path:
    """A whole checkpoint whose model lies in three files."""
    return copy_of(corpus / SHARDED, tmp_path / "checkpoint-10")


def edit_json(path: Path, **changes: Any) -> None:
    """Changes top-level fields; None takes a field away."""
    document = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({k: v for k, v in document.items() if v is not None}))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_what_the_framework_left(corpus: Path, row: Row) -> None:
    path = corpus / row.path
    assert claims(READER, path)
    checkpoint = judged(READER, path)
    assert (checkpoint.verdict.value, checkpoint.step) == (row.verdict, row.step)
    assert checkpoint.missing_roles == row.missing


def test_roles_come_from_content(corpus: Path) -> None:
    facts = read_directory(READER, corpus / SHARDED)
    model = facts.role("model")
    assert model is not None
    assert model.size_bytes == 32512
    assert len(model.paths) == 3
    assert facts.tensors_total == 28
    rng = facts.role("rng")
    assert rng is not None
    assert rng.missing_ranks == ()
    assert facts.world_size == 1
    assert facts.loader.flag == f"--resume_from_checkpoint {corpus / SHARDED}"


def test_the_marker_gives_the_time(corpus: Path) -> None:
    facts = read_directory(READER, corpus / WHOLE)
    marker = (corpus / WHOLE / "trainer_state.json").stat().st_mtime_ns / 1e9
    assert facts.commit.committed_at == marker
    assert facts.save_seconds == pytest.approx(0.0802, abs=1e-3)
    assert facts.save_seconds_is_lower_bound


def test_a_preallocated_temporary_file_is_a_leftover(corpus: Path, tmp_path: Path) -> None:
    assert "staging-leftover" in codes(judged(READER, corpus / IN_MODEL))
    directory = copy_of(corpus / IN_MODEL, tmp_path / "checkpoint-20")
    with (directory / ".tmpAbC123").open("wb") as file:
        file.truncate(10_000_000)
    assert "preallocated" in codes(judged(READER, directory))


@pytest.mark.parametrize(
    ("damage", "verdict", "code"),
    [
        # Optimizer and scheduler are restored together, or neither is.
        (remove("scheduler.pt"), Verdict.INCOMPLETE, "lossy-loader"),
        (remove("optimizer.pt"), Verdict.WEIGHTS_ONLY, "lossy-loader"),
        (remove("optimizer.pt", "scheduler.pt"), Verdict.WEIGHTS_ONLY, "lossy-loader"),
        # What the loader passes over.
        (remove("rng_state.pth"), Verdict.INEXACT, "missing-role"),
        (remove("training_args.bin"), Verdict.EXACT, ""),
        (remove("config.json", "generation_config.json"), Verdict.EXACT, ""),
        (lambda d: cut(d / "training_args.bin", 50), Verdict.EXACT, ""),
        (lambda d: cut(d / "generation_config.json", 0), Verdict.EXACT, ""),
        (lambda d: (d / "tokenizer.json").write_text("{"), Verdict.EXACT, ""),
        # What stops it.
        (remove("model.safetensors"), Verdict.INCOMPLETE, "missing-role"),
        (remove("trainer_state.json"), Verdict.UNCOMMITTED, "not-committed"),
        (lambda d: cut(d / "trainer_state.json", 300), Verdict.CORRUPT, "invalid-json"),
        (lambda d: cut(d / "trainer_state.json", 0), Verdict.CORRUPT, "empty-file"),
        (lambda d: (d / "trainer_state.json").write_text("[]"), Verdict.CORRUPT, "invalid-json"),
        (lambda d: cut(d / "config.json", 20), Verdict.CORRUPT, "invalid-json"),
        (lambda d: cut(d / "rng_state.pth", 100), Verdict.CORRUPT, "truncated-file"),
        (lambda d: cut(d / "rng_state.pth", 0), Verdict.CORRUPT, "empty-file"),
        (lambda d: cut(d / "optimizer.pt", 40_000), Verdict.CORRUPT, "truncated-file"),
        (lambda d: cut(d / "scheduler.pt", 900), Verdict.CORRUPT, "truncated-file"),
        (lambda d: cut(d / "model.safetensors", 20_000), Verdict.CORRUPT, "truncated-file"),
        (lambda d: cut(d / "model.safetensors", 90_000), Verdict.CORRUPT, "size-mismatch"),
        # Files of another kind.
        (
            lambda d: shutil.copy(d / "scheduler.pt", d / "optimizer.pt"),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            lambda d: shutil.copy(d / "optimizer.pt", d / "scheduler.pt"),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            lambda d: shutil.copy(d / "scheduler.pt", d / "rng_state.pth"),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            lambda d: write_torch(d / "scheduler.pt", {"f": Global("os.system", ("true",))}),
            Verdict.INCOMPLETE,
            "unsafe-pickle",
        ),
        (
            lambda d: write_torch(
                d / "optimizer.pt", OPTIMIZER | {"x": Global("pathlib.PosixPath", ("x",))}
            ),
            Verdict.INCOMPLETE,
            "refused-pickle",
        ),
        # A model without tensors, and a step that is none.
        (
            lambda d: (d / "model.safetensors").write_bytes(safetensors(b"{}")),
            Verdict.INCOMPLETE,
            "empty-tensors",
        ),
        (
            lambda d: edit_json(d / "trainer_state.json", global_step=None),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            lambda d: edit_json(d / "trainer_state.json", global_step=10.0),
            Verdict.INCOMPLETE,
            "missing-role",
        ),
        (
            lambda d: edit_json(d / "trainer_state.json", global_step=11),
            Verdict.EXACT,
            "step-mismatch",
        ),
    ],
)
def test_damaged_checkpoints(
    whole: Path, damage: Callable[[Path], object], verdict: Verdict, code: str
) -> None:
    damage(whole)
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is verdict
    assert not code or code in codes(checkpoint)


def rewrite_map(change: Callable[[dict[str, str]], object]) -> Callable[[Path], None]:
    def damage(directory: Path) -> None:
        document = json.loads((directory / INDEX).read_text())
        change(document["weight_map"])
        (directory / INDEX).write_text(json.dumps(document))

    return damage


def add_foreign_shard(directory: Path) -> None:
    shutil.copy(directory / SHARD, directory / "model-00004-of-00005.safetensors")


@pytest.mark.parametrize(
    ("damage", "verdict", "code"),
    [
        (remove(SHARD), Verdict.INCOMPLETE, "missing-shard"),
        (remove(INDEX), Verdict.INCOMPLETE, "missing-shard"),
        (lambda d: cut(d / SHARD, 5000), Verdict.CORRUPT, "truncated-file"),
        (lambda d: cut(d / INDEX, 500), Verdict.CORRUPT, "invalid-json"),
        (lambda d: (d / INDEX).write_text('{"weight_map": {}}'), Verdict.CORRUPT, "invalid-json"),
        (
            lambda d: shutil.copy(d / "model-00001-of-00003.safetensors", d / SHARD),
            Verdict.INCOMPLETE,
            "missing-shard",
        ),
        (
            rewrite_map(lambda m: m.update(dict.fromkeys(list(m)[:1], "../x.safetensors"))),
            Verdict.UNKNOWN,
            "outside-path",
        ),
        # Every shard is loaded whole, so a tensor may lie in another one than the index says.
        (rewrite_map(lambda m: m.update(dict.fromkeys(list(m)[:1], SHARD))), Verdict.EXACT, ""),
        (rewrite_map(lambda m: m.pop(next(iter(m)))), Verdict.EXACT, ""),
        (add_foreign_shard, Verdict.EXACT, "extra-shard"),
    ],
)
def test_damaged_shards(
    sharded: Path, damage: Callable[[Path], object], verdict: Verdict, code: str
) -> None:
    damage(sharded)
    checkpoint = judged(READER, sharded)
    assert checkpoint.verdict is verdict
    assert not code or code in codes(checkpoint)


def test_one_whole_file_wins_over_shards(corpus: Path, sharded: Path) -> None:
    shutil.copy(corpus / WHOLE / "model.safetensors", sharded)
    (sharded / SHARD).unlink()
    assert judged(READER, sharded).verdict is Verdict.EXACT


def test_weights_of_torch_are_read_too(whole: Path) -> None:
    (whole / "model.safetensors").unlink()
    write_torch(whole / "pytorch_model.bin", {"a.weight": Shape((2, 2))})
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is Verdict.EXACT
    assert checkpoint.facts.tensors[0].name == "a.weight"


@pytest.mark.parametrize("name", ["adapter_model.safetensors", "default/adapter_model.bin"])
def test_an_adapter_is_the_model_of_its_run(whole: Path, name: str) -> None:
    (whole / "model.safetensors").rename(whole / "whole")
    (whole / name).parent.mkdir(exist_ok=True)
    if name.endswith(".bin"):
        write_torch(whole / name, {"lora_A": Shape((2, 4))})
    else:
        shutil.copy(whole / "whole", whole / name)
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is Verdict.EXACT
    assert any("base model" in phrase for phrase in checkpoint.facts.not_checked)
    empty = torch_bytes({}) if name.endswith(".bin") else safetensors(b"{}")
    (whole / name).write_bytes(empty)
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "empty-tensors" in codes(checkpoint)


def test_each_process_has_a_random_state(whole: Path) -> None:
    spread_rng(whole, 0, 1, 2)
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is Verdict.EXACT
    assert checkpoint.facts.world_size == 3
    (whole / "rng_state_1.pth").unlink()
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is Verdict.INEXACT
    assert "rng of rank 1" in checkpoint.why


def test_another_world_size_loads_it(whole: Path) -> None:
    spread_rng(whole, 0, 1)
    facts = read_directory(READER, whole)
    assert judge(facts, Requirements(world_size=1)).resumable
    assert facts.reshard is not None
    assert facts.reshard.loses == ("rng",)


@pytest.mark.parametrize(
    ("recorded", "severity"),
    [
        ("checkpoint-10", None),
        ("/elsewhere/run/checkpoint-10", "info"),
        ("/elsewhere/run/checkpoint-5", "warning"),
        ("checkpoint-5", "warning"),
        ("/etc", "warning"),  # it exists, but nothing outside of the run is looked at
        ("..", "warning"),
        ("bad\0path", "warning"),
    ],
)
def test_the_best_checkpoints_path(whole: Path, recorded: str, severity: str | None) -> None:
    edit_json(whole / "trainer_state.json", best_model_checkpoint=recorded)
    checkpoint = judged(READER, whole)
    found = [f for f in checkpoint.findings if f.code == "best-model-dangling"]
    assert checkpoint.verdict is Verdict.EXACT
    assert [f.severity.value for f in found] == ([severity] if severity else [])


def run_of(corpus: Path, tmp_path: Path) -> list[Path]:
    source = corpus / SINGLE
    return [
        copy_of(source / f"checkpoint-{step}", tmp_path / f"checkpoint-{step}")
        for step in (10, 20, 30)
    ]


def facts_of(paths: list[Path]) -> list[CheckpointFacts]:
    return [read_directory(READER, path) for path in paths]


def test_a_removal_that_was_cut_is_not_thinning(corpus: Path, tmp_path: Path) -> None:
    run = run_of(corpus, tmp_path)
    remove("optimizer.pt", "scheduler.pt", "rng_state.pth", "training_args.bin")(run[0])
    found = judged_run(facts_of(run))["checkpoint-10"]
    assert found.verdict is Verdict.INCOMPLETE
    assert "partly-deleted" in codes(found)


def test_a_lost_optimizer_in_the_middle(corpus: Path, tmp_path: Path) -> None:
    run = run_of(corpus, tmp_path)
    remove("optimizer.pt")(run[1])
    assert judged_run(facts_of(run))["checkpoint-20"].verdict is Verdict.INCOMPLETE


def test_an_export_in_the_runs_own_directory(corpus: Path) -> None:
    path = corpus / SINGLE
    assert READER.claims_directory(list_directory(str(path))) is ClaimKind.EXPORT
    claim = Claim(READER.name, str(path), (), True)
    facts = READER.read(CheckpointFiles(claim, list_tree(str(path)), Limits()))
    assert facts.export
    assert judge(facts).verdict is Verdict.WEIGHTS_ONLY
    assert facts.step == 30
    assert all("/" not in file.path for file in facts.files)


@pytest.mark.parametrize(
    ("name", "files", "claim"),
    [
        ("checkpoint-20", ["config.json"], ClaimKind.CHECKPOINT),
        ("checkpoint-20", [".tmpAb12", "config.json"], ClaimKind.CHECKPOINT),
        ("checkpoint-20", ["trainer_state.json"], ClaimKind.CHECKPOINT),
        ("checkpoint-20", ["optimizer.pt", "scheduler.pt"], ClaimKind.CHECKPOINT),
        ("checkpoint-20", ["model.pt", "optimizer.pt", "config.json"], ClaimKind.NO),
        ("checkpoint-20", [".metadata", "__0_0.distcp"], ClaimKind.NO),
        ("checkpoint-20", ["model.safetensors", "random_states_0.pkl"], ClaimKind.NO),
        ("checkpoint-20", ["notes.txt"], ClaimKind.NO),
        ("checkpoint-20", [], ClaimKind.NO),
        ("best", ["trainer_state.json", "model.safetensors", "optimizer.pt"], ClaimKind.CHECKPOINT),
        ("best", ["trainer_state.json", "model.safetensors"], ClaimKind.EXPORT),
        ("best", ["config.json", "model.safetensors"], ClaimKind.EXPORT),
        ("best", ["adapter_config.json", "adapter_model.safetensors"], ClaimKind.EXPORT),
        ("best", ["config.json", "model.safetensors", "optimizer.pt"], ClaimKind.NO),
        ("best", ["config.json", "tokenizer.json"], ClaimKind.NO),
        ("best", ["model.safetensors"], ClaimKind.NO),
    ],
)
def test_claims(tmp_path: Path, name: str, files: list[str], claim: ClaimKind) -> None:
    directory = tmp_path / name
    directory.mkdir()
    for file in files:
        (directory / file).write_bytes(b"x")
    assert READER.claims_directory(list_directory(str(directory))) is claim


def test_a_directory_with_nothing_in_it_is_an_attempt(tmp_path: Path) -> None:
    (tmp_path / "checkpoint-20").mkdir()
    checkpoint = judged(READER, tmp_path / "checkpoint-20")
    assert checkpoint.verdict is Verdict.UNCOMMITTED
    assert checkpoint.step == 20


def test_a_marker_that_is_being_written_is_a_save_in_flight(whole: Path) -> None:
    cut(whole / "trainer_state.json", 0)
    facts = read_directory(READER, whole)
    moving = Activity(True, "grew 0.1 s ago")
    assert judge(facts, activity=moving).commit is Commit.SAVING
    assert judge(facts).verdict is Verdict.CORRUPT


def test_a_save_over_an_old_one_is_in_flight_while_it_moves(whole: Path) -> None:
    (whole / "optimizer.pt").write_bytes(b"PK\x03\x04 half")
    facts = read_directory(READER, whole)
    assert facts.commit.rewritten
    assert judge(facts, activity=Activity(True, "grew 0.1 s ago")).verdict is Verdict.SAVING


def test_links_that_lead_out_are_not_followed(whole: Path, tmp_path: Path) -> None:
    (whole / "optimizer.pt").rename(tmp_path / "optimizer.pt")
    (whole / "optimizer.pt").symlink_to(tmp_path / "optimizer.pt")
    checkpoint = judged(READER, whole)
    assert checkpoint.verdict is Verdict.UNKNOWN
    assert "outside-path" in codes(checkpoint)


def test_hostile_json_gives_findings(whole: Path) -> None:
    for text in ('{"global_step": 1e400}', '{"global_step": [[]]}', "[" * 100_000, "\ud800"):
        (whole / "trainer_state.json").write_bytes(text.encode("utf-8", "surrogatepass"))
        assert not judged(READER, whole).resumable


def test_names_with_surrogates_do_not_matter(whole: Path) -> None:
    path = os.path.join(os.fsencode(whole), b"\xff\n[x]")
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    assert judged(READER, whole).verdict is Verdict.EXACT
