"""Public reports about checkpoints of the Hugging Face Trainer, with and without a backend."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.core.vocabulary import Level, Severity, Verdict
from tests.faults.states import (
    codes,
    drop,
    edit_json,
    finding,
    rename,
    restep_trainer,
    resume_name,
    run_of,
    trainer_series,
    unlink,
    verdict_of,
)
from tests.formats.dcp_builder import write_dcp
from tests.formats.deepspeed_builder import write_step
from tests.formats.helpers import copy_of, cut, spread_rng
from tests.formats.torch_builder import Shape, write_torch

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def whole(corpus: Path, tmp_path: Path) -> Path:
    """A whole checkpoint of one process, at step 10."""
    source = corpus / "torch" / "hf_trainer_single" / "checkpoint-10"
    return copy_of(source, tmp_path / "run" / "checkpoint-10")


@pytest.fixture
def with_deepspeed(whole: Path, corpus: Path) -> Path:
    """A Trainer folder of two processes with a real ZeRO 1 step inside."""
    unlink(whole, "optimizer.pt", "scheduler.pt")
    spread_rng(whole, 0, 1)
    copy_of(corpus / "torch" / "deepspeed_zero1_ws2" / "global_step10", whole / "global_step10")
    (whole / "latest").write_text("global_step10")
    return whole


def with_partitions(whole: Path, stage: int, dp: int) -> Path:
    """A Trainer folder of `dp` processes whose optimizer DeepSpeed keeps; the step is written."""
    unlink(whole, "optimizer.pt")
    spread_rng(whole, *range(dp))
    write_step(whole / "global_step10", stage, dp=dp, step=10, lr_scheduler=None, ds_config={})
    (whole / "latest").write_text("global_step10")
    return whole


@pytest.mark.parametrize(
    ("recorded", "severity"),
    [("/node7/out/checkpoint-5", Severity.WARNING), ("/node7/out/checkpoint-10", Severity.INFO)],
)
def test_b06_the_best_checkpoint_is_recorded_elsewhere(
    tmp_path: Path, recorded: str, severity: Severity
) -> None:
    """huggingface/transformers#48315: moved to another machine; its name may still lie beside."""
    _, last = trainer_series(tmp_path, (10, 20))
    edit_json(last / "trainer_state.json", best_model_checkpoint=recorded)
    checkpoint = verdict_of(last)
    found = finding(checkpoint.findings, "best-model-dangling")
    assert checkpoint.verdict is Verdict.EXACT
    assert found.severity is severity
    assert recorded in found.message
    assert "trainer_state.json" in found.remedy


def test_b07_all_nodes_wrote_random_states_under_local_ranks(whole: Path) -> None:
    """huggingface/transformers#17829: ZeRO's files tell the world size that rng files do not."""
    with_partitions(whole, 2, dp=4)
    unlink(whole, "rng_state_2.pth", "rng_state_3.pth")
    checkpoint = verdict_of(whole)
    assert checkpoint.verdict is Verdict.INEXACT
    assert checkpoint.facts.world_size == 4
    assert "rng of ranks 2–3" in checkpoint.why


def test_b07_a_random_state_torn_by_two_writers(whole: Path) -> None:
    """huggingface/transformers#17829: the Trainer stops at a file that it cannot read."""
    with_partitions(whole, 2, dp=4)
    cut(whole / "rng_state_1.pth", 900)
    checkpoint = verdict_of(whole)
    assert checkpoint.verdict is Verdict.CORRUPT
    assert finding(checkpoint.findings, "truncated-file").path == "rng_state_1.pth"


def test_b08_the_oldest_was_half_removed_by_racing_nodes(tmp_path: Path) -> None:
    """huggingface/transformers#20988: never the resume point, and safe to delete."""
    oldest, *_ = trainer_series(tmp_path, (10, 20, 30))
    unlink(oldest, "optimizer.pt", "rng_state.pth", "training_args.bin")
    run = run_of(tmp_path)
    checkpoint = verdict_of(oldest)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "Safe to delete" in finding(checkpoint.findings, "partly-deleted").remedy
    assert (resume_name(run), run.level) == ("checkpoint-30", Level.OK)


def test_b10_no_latest_beside_a_whole_step(with_deepspeed: Path) -> None:
    """huggingface/transformers#22170: writing the tag makes it whole again."""
    assert verdict_of(with_deepspeed).resumable
    unlink(with_deepspeed, "latest")
    checkpoint = verdict_of(with_deepspeed)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    remedy = finding(checkpoint.findings, "pointer-unreadable").remedy
    assert remedy.startswith("global_step10/ is whole")
    (with_deepspeed / "latest").write_text("global_step10")
    assert verdict_of(with_deepspeed).resumable


def test_b10_no_latest_and_a_step_that_is_not_whole(with_deepspeed: Path) -> None:
    """huggingface/transformers#22170: the same report, where a tag would not be enough."""
    unlink(with_deepspeed, "latest", "global_step10/*rank_1_*")
    remedy = finding(verdict_of(with_deepspeed).findings, "pointer-unreadable").remedy
    assert remedy.startswith("Resume from another checkpoint")


def test_b10_no_step_at_all_leaves_the_weights(with_deepspeed: Path) -> None:
    """huggingface/transformers#22170: the partitions were never there."""
    unlink(with_deepspeed, "latest")
    drop(with_deepspeed / "global_step10")
    checkpoint = verdict_of(with_deepspeed)
    assert checkpoint.verdict is Verdict.WEIGHTS_ONLY
    assert {"optimizer", "scheduler"} <= set(checkpoint.missing_roles)


@pytest.mark.parametrize(("here", "there"), [((0, 1), (2, 3)), ((2, 3), (0, 1))])
def test_b11_one_nodes_part_with_an_adapter(
    whole: Path, here: tuple[int, ...], there: tuple[int, ...]
) -> None:
    """deepspeedai/DeepSpeed#5452: 2 nodes of 2; the count inside tells of the first node's part."""
    with_partitions(whole, 2, dp=4)
    rename(whole / "model.safetensors", "adapter_model.safetensors")
    rename(whole / "config.json", "adapter_config.json")
    for rank in there:
        unlink(whole, f"rng_state_{rank}.pth", f"global_step10/*pp_rank_{rank}_*")
    checkpoint = verdict_of(whole)
    absent = {f.path for f in checkpoint.findings if f.code == "missing-shard"}
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert len(absent) == 2
    assert all(any(f"pp_rank_{rank}_" in path for path in absent) for rank in there)
    assert ("node-local-part" in codes(checkpoint.findings)) == (here[0] > 0)


@pytest.mark.parametrize("part", ["pytorch_model_fsdp_0", "pytorch_model_0"])
def test_b21_the_sharded_models_index_is_not_there(tmp_path: Path, part: str) -> None:
    """axolotl-ai-cloud/axolotl#554: two formats in one folder, each judged; two names by age."""
    older, newer = trainer_series(tmp_path, (400, 600))
    for saved in (older, newer):
        unlink(saved, "optimizer.pt", "model.safetensors")
        write_dcp(saved / part, {"model.w": Shape((4, 2))})
        write_dcp(saved / "optimizer_0", {"optimizer.state.w.exp_avg": Shape((4, 2))})
    assert verdict_of(newer).verdict is Verdict.EXACT
    unlink(newer, f"{part}/.metadata")
    checkpoint = verdict_of(newer)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert f"the model in {part}/ was never committed" in checkpoint.why
    assert checkpoint.facts.role("optimizer") is not None
    assert resume_name(run_of(tmp_path)) == "checkpoint-400"


def test_b21_parts_of_two_steps(tmp_path: Path) -> None:
    """axolotl-ai-cloud/axolotl#554: each part must also be of the step of `trainer_state.json`."""
    (only,) = trainer_series(tmp_path, (600,))
    unlink(only, "optimizer.pt", "model.safetensors")
    write_dcp(only / "pytorch_model_fsdp_0", {"model.w": Shape((4, 2))})
    state = {"optimizer.state.w.exp_avg": Shape((4, 2)), "optimizer.state.w.step": 600}
    write_dcp(only / "optimizer_0", state)
    assert verdict_of(only).verdict is Verdict.EXACT
    write_dcp(only / "optimizer_0", state | {"optimizer.state.w.step": 400})
    checkpoint = verdict_of(only)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "mixed-saves" in codes(checkpoint.findings)


def test_b47_an_adapter_of_a_few_bytes_beside_whole_partitions(with_deepspeed: Path) -> None:
    """ymcui/Chinese-LLaMA-Alpaca-2#389: resumable, but the exported adapter is empty."""
    unlink(with_deepspeed, "model.safetensors")
    rename(with_deepspeed / "config.json", "adapter_config.json")
    write_torch(with_deepspeed / "adapter_model.bin", {})
    checkpoint = verdict_of(with_deepspeed)
    assert checkpoint.resumable
    found = finding(checkpoint.findings, "empty-tensors")
    assert (found.path, found.severity) == ("adapter_model.bin", Severity.WARNING)
    assert "partitions" in found.remedy


def test_b48_an_export_without_any_tensor(tmp_path: Path) -> None:
    """tloen/alpaca-lora#293: training ended well, and the adapter was never really written."""
    trainer_series(tmp_path, (10, 20))
    write_torch(tmp_path / "adapter_model.bin", {})
    (tmp_path / "adapter_config.json").write_text("{}")
    run = run_of(tmp_path)
    export = next(c for c in run.checkpoints if c.facts.export)
    assert "another checkpoint" in finding(export.findings, "empty-tensors").remedy
    assert (resume_name(run), run.level) == ("checkpoint-20", Level.OK)


@pytest.mark.parametrize(("cut_to", "verdict"), [(5000, "corrupt"), (None, "incomplete")])
def test_b62_a_save_in_a_folder_named_by_a_number_was_cut(
    whole: Path, tmp_path: Path, cut_to: int | None, verdict: str
) -> None:
    """vllm-project/speculators#739: model and configuration alone look like an export."""
    run_directory = tmp_path / "numbers"
    for step in (1, 2, 3):
        saved = run_directory / str(step)
        saved.mkdir(parents=True)
        for name in ("model.safetensors", "config.json"):
            shutil.copy2(whole / name, saved)
        if step < 3:
            shutil.copy2(whole / "optimizer.pt", saved / "optimizer_state_dict.pt")
            shutil.copy2(whole / "scheduler.pt", saved / "scheduler_state_dict.pt")
            (saved / "training_state.json").write_text(f'{{"global_step": {step}}}')
    if cut_to:
        cut(run_directory / "3" / "model.safetensors", cut_to)
    run = run_of(run_directory)
    assert (resume_name(run), run.level) == ("2", Level.WARNING)
    newest = verdict_of(run_directory / "3")
    assert newest.verdict.value == verdict
    code = "truncated-file" if cut_to else "missing-role"
    assert "another checkpoint" in finding(newest.findings, code).remedy


def test_b62_alone_it_is_an_export_that_was_cut(whole: Path, tmp_path: Path) -> None:
    """vllm-project/speculators#739: the header of the weights asks for more than there is."""
    folder = tmp_path / "numbers" / "3"
    folder.mkdir(parents=True)
    for name in ("model.safetensors", "config.json"):
        shutil.copy2(whole / name, folder)
    cut(folder / "model.safetensors", 5000)
    checkpoint = verdict_of(folder)
    assert checkpoint.verdict is Verdict.CORRUPT
    assert "5000 of the" in finding(checkpoint.findings, "truncated-file").message


def test_b64_a_folder_that_looks_full_is_weights_only(corpus: Path, tmp_path: Path) -> None:
    """hiyouga/LlamaFactory#7614: sharded weights and `trainer_state.json`, no other state."""
    source = corpus / "torch" / "hf_trainer_sharded" / "checkpoint-10"
    saved = copy_of(source, tmp_path / "run" / "checkpoint-4016")
    restep_trainer(saved, 4016)
    unlink(saved, "optimizer.pt", "scheduler.pt", "rng_state.pth")
    checkpoint = verdict_of(saved)
    assert checkpoint.verdict is Verdict.WEIGHTS_ONLY
    assert checkpoint.missing_roles == ("optimizer", "scheduler", "rng")
    assert "start anew" in finding(checkpoint.findings, "weights-only").remedy


def test_b67_the_scheduler_was_not_saved_with_fsdp(whole: Path) -> None:
    """huggingface/transformers#25849: found under FSDP's name, and still dropped without a word."""
    rename(whole / "optimizer.pt", "optimizer.bin")
    write_torch(whole / "pytorch_model_fsdp.bin", {"w": Shape((4, 2))})
    assert verdict_of(whole).verdict is Verdict.EXACT
    unlink(whole, "scheduler.pt")
    checkpoint = verdict_of(whole)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert checkpoint.missing_roles == ("scheduler",)
    assert checkpoint.facts.role("optimizer") is not None
    assert "neither" in finding(checkpoint.findings, "lossy-loader").message


def test_b69_uploaded_in_any_order_the_index_decides(corpus: Path, tmp_path: Path) -> None:
    """axolotl-ai-cloud/axolotl#3948: in a bucket `trainer_state.json` is no commit mark."""
    run_directory = copy_of(corpus / "torch" / "hf_trainer_sharded", tmp_path / "run")
    newest = max(run_directory.glob("checkpoint-*"), key=lambda path: path.name)
    unlink(newest, "model-00002-of-00003.safetensors")
    run = run_of(run_directory)
    checkpoint = verdict_of(newest)
    assert checkpoint.verdict is Verdict.INCOMPLETE
    assert "model.safetensors.index.json" in finding(checkpoint.findings, "missing-shard").message
    assert run.resume is not None
    assert run.resume.path != str(newest)


def test_b71_a_whole_checkpoint_of_four_ranks(whole: Path) -> None:
    """deepspeedai/DeepSpeed#5430: nothing is missing; another world size needs a conversion."""
    checkpoint = verdict_of(with_partitions(whole, 2, dp=4))
    facts = checkpoint.facts
    assert checkpoint.verdict is Verdict.EXACT
    assert [shard.rank for shard in facts.shards] == [0, 1, 2, 3]
    assert not any(role.missing_ranks for role in facts.roles)
    assert facts.reshard is not None
    assert "ds_to_universal" in facts.reshard.how
    assert not checkpoint.findings
