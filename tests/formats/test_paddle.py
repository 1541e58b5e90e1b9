"""PaddlePaddle: real saves of every form, damaged copies, and names that others have, too."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats import registry
from ckpt_tui.formats.claiming import claim_of
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.paddle.names import epoch_of_stem, groups_by_stem, step_of_stem
from ckpt_tui.formats.paddle.reader import PaddleReader
from ckpt_tui.formats.paddle.states import is_accumulator
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.tensors import tensors_of
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.formats.helpers import claimed_files, claims, codes, copy_of, cut, judged, judged_run

READER = PaddleReader()
SAMPLES = Path(__file__).parents[2] / "sample_runs" / "paddle"
WEIGHTS = {"fc.weight": np.ones((4, 8), "f4"), "fc.bias": np.zeros(8, "f4")}
SCHEDULE = {"last_epoch": 9, "last_lr": 0.1}
ADAM = {"linear_0.w_0_moment1_0": np.ones((4, 8), "f4"), "LR_Scheduler": SCHEDULE}


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(value, 4))
    return path


def run_of(directory: Path) -> dict[str, object]:
    claims = discover(str(directory)).claims
    facts = [read_checkpoint(c, list_tree(c.path, c.members), Limits()) for c in claims]
    return {name: found.verdict for name, found in judged_run(facts).items()}


@pytest.fixture
def step_10(tmp_path: Path) -> Path:
    return copy_of(SAMPLES / "loop_killed/step_10", tmp_path / "step_10")


@pytest.fixture
def distributed(tmp_path: Path) -> Path:
    return copy_of(SAMPLES / "distributed/step_20", tmp_path / "step_20")


@pytest.mark.parametrize("step", [10, 20, 30])
def test_real_loop(corpus: Path, step: int) -> None:
    found = judged(READER, corpus / f"jax/paddle_save_loop/checkpoint-{step}")
    assert (found.verdict, found.facts.step) == ("exact", step)


def test_roles_come_from_content(step_10: Path) -> None:
    facts = judged(READER, step_10).facts
    scheduler, progress = facts.role("scheduler"), facts.role("progress")
    assert scheduler is not None
    assert progress is not None
    assert scheduler.evidence == "key `LR_Scheduler` in optimizer.pdopt"
    assert progress.evidence == "key `global_step` in progress.pdstates"


@pytest.mark.parametrize("name", ["model.pdparams", "optimizer.pdopt", "rng.pdrng"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.9999])
def test_a_cut_file(step_10: Path, name: str, share: float) -> None:
    cut(step_10 / name, int((step_10 / name).stat().st_size * share))
    found = judged(READER, step_10)
    assert found.verdict == "corrupt"
    assert codes(found) & {"truncated-file", "empty-file"}


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("model.pdparams", "incomplete"),
        ("optimizer.pdopt", "weights-only"),
        ("rng.pdrng", "inexact"),
        ("progress.pdstates", "exact"),  # the name has the step
    ],
)
def test_a_missing_file(step_10: Path, name: str, verdict: str) -> None:
    (step_10 / name).unlink()
    assert judged(READER, step_10).verdict == verdict


def test_hapi_counts_epochs() -> None:
    assert claimed_files(READER, SAMPLES / "hapi") == [
        "0.pdparams",
        "1.pdparams",
        "final.pdparams",
    ]
    found = run_of(SAMPLES / "hapi")
    assert (found["0.pdparams"], found["1.pdparams"]) == ("inexact", "inexact")
    assert found["final.pdparams"] == "incomplete"


def test_an_optimizer_with_the_epoch_to_start_from(tmp_path: Path) -> None:
    """PaddleDetection: the final one has no number in its name."""
    write(tmp_path / "model_final.pdparams", WEIGHTS)
    write(tmp_path / "model_final.pdopt", ADAM)
    assert run_of(tmp_path) == {"model_final.pdparams": "incomplete"}
    write(tmp_path / "model_final.pdopt", {**ADAM, "last_epoch": 3})
    (claim,) = discover(str(tmp_path)).claims
    facts = read_checkpoint(claim, list_tree(claim.path, claim.members), Limits())
    assert (facts.step, facts.ordinal) == (None, 3)
    assert run_of(tmp_path) == {"model_final.pdparams": "inexact"}


def test_an_optimizer_that_only_one_epoch_lacks(tmp_path: Path) -> None:
    run = copy_of(SAMPLES / "hapi", tmp_path / "run")
    (run / "1.pdopt").unlink()
    assert run_of(run)["1.pdparams"] == "incomplete"


def test_a_state_that_loops_load_for_each(tmp_path: Path) -> None:
    for epoch in (1, 2, 3):
        write(tmp_path / f"epoch_{epoch}.pdparams", WEIGHTS)
        write(tmp_path / f"epoch_{epoch}.pdopt", ADAM)
        write(tmp_path / f"epoch_{epoch}.pdstates", {"epoch": epoch})
    (tmp_path / "epoch_3.pdstates").unlink()
    assert run_of(tmp_path)["epoch_3.pdparams"] == "incomplete"
    assert run_of(tmp_path)["epoch_2.pdparams"] == "inexact"


def test_files_of_several_saves(step_10: Path) -> None:
    write(step_10 / "scheduler.pdparams", {"last_epoch": 99, "last_lr": 0.1})
    found = judged(READER, step_10)
    assert found.verdict == "incomplete"
    assert "mixed-saves" in codes(found)


def test_paddlenlp_is_no_trainer_of_hugging_face(tmp_path: Path) -> None:
    place = tmp_path / "checkpoint-30"
    write(place / "model_state.pdparams", WEIGHTS)
    write(place / "optimizer.pdopt", ADAM)
    write(place / "scheduler.pdparams", SCHEDULE)
    write(place / "rng_state.pth", {"python": (3, (1,)), "numpy": ("MT19937",), "cpu": 1})
    (place / "trainer_state.json").write_text(json.dumps({"global_step": 30, "epoch": 1.5}))
    claim = claim_of(list_directory(str(place)))
    assert claim is not None
    assert claim.reader == "paddle"
    found = judged(READER, place)
    assert (found.verdict, found.facts.step) == ("exact", 30)
    (place / "scheduler.pdparams").unlink()
    write(place / "optimizer.pdopt", {"linear_0.w_0_moment1_0": np.ones((4, 8), "f4")})
    assert judged(READER, place).verdict == "incomplete"
    write(place / "scheduler.pdparams", SCHEDULE)
    write(place / "training_args.bin", {})
    (place / "trainer_state.json").unlink()  # then it begins at step 0, silently
    assert judged(READER, place).verdict == "incomplete"


def test_distributed_ranks(distributed: Path) -> None:
    facts = judged(READER, distributed).facts
    assert (facts.step, facts.world_size, facts.expected_ranks) == (20, 2, (0, 1))
    assert [shard.rank for shard in facts.shards] == [0, 1]
    assert facts.reshard is not None
    assert facts.reshard.possible


@pytest.mark.parametrize(
    ("name", "verdict", "code"),
    [
        ("1_0.distcp", "incomplete", "missing-shard"),
        ("0.metadata", "incomplete", "missing-shard"),
    ],
)
def test_metadata_comes_first(distributed: Path, name: str, verdict: str, code: str) -> None:
    (distributed / name).unlink()
    found = judged(READER, distributed)
    assert (found.verdict, found.resumable) == (verdict, False)
    assert code in codes(found)


def test_a_rank_whose_file_is_of_something_else(distributed: Path) -> None:
    write(distributed / "1_0.distcp", {})
    found = judged(READER, distributed)
    assert found.verdict == "incomplete"
    assert any("which 0.metadata places there" in f.message for f in found.findings)


@pytest.mark.parametrize("name", ["0.metadata", "0_0.distcp"])
def test_a_cut_part(distributed: Path, name: str) -> None:
    cut(distributed / name, (distributed / name).stat().st_size - 1)
    assert judged(READER, distributed).verdict == "corrupt"


def test_metadata_that_lacks_a_shape(distributed: Path) -> None:
    described = {"w": [{"global_offset": (0,), "dtype": "float32"}]}
    write(distributed / "0.metadata", {"storage_metadata": {}, "state_dict_metadata": described})
    assert "unreadable-archive" in codes(judged(READER, distributed))


def test_its_lock_is_no_empty_file(distributed: Path) -> None:
    (distributed / "0.metadata.lock").touch()
    found = judged(READER, distributed)
    assert found.resumable
    assert "empty-file" not in codes(found)


def test_the_names_of_torch_are_not_ours(distributed: Path) -> None:
    torch = SAMPLES.parent / "torch-dcp/nested/step-20"
    assert not claims(READER, torch)
    assert not claims(registry.reader("torch-dcp"), distributed)
    assert claims(READER, distributed)


def test_tensors() -> None:
    found = tensors_of(judged(READER, SAMPLES / "loop_killed/step_10"))
    names = {tensor.name: tensor for tensor in found.tensors}
    assert names["0.weight"].shape == (8, 16)
    assert names["0.weight"].role == "model"
    assert any("moment1" in name for name in names)


def test_tensors_of_ranks_are_put_together() -> None:
    found = tensors_of(judged(READER, SAMPLES / "distributed/step_20"))
    weight = next(tensor for tensor in found.tensors if tensor.name == "model.weight")
    assert (weight.shape, weight.role, weight.stored_bytes) == ((4, 8), "model", 128)
    assert [(c.rank, c.offsets, c.shape) for c in weight.chunks] == [
        (0, (0, 0), (2, 8)),
        (1, (2, 0), (2, 8)),
    ]
    begin = weight.chunks[1].begin
    assert begin is not None
    data = (SAMPLES / "distributed/step_20/1_0.distcp").read_bytes()[begin : begin + 64]
    assert np.frombuffer(data, "<f4").tolist() == [float(n + 20) for n in range(16, 32)]


@pytest.mark.parametrize(
    ("stem", "step", "epoch"),
    [
        ("2", None, 2),
        ("epoch_3", None, 3),
        ("step_10", 10, None),
        ("opt_10", 10, None),
        ("model_10", 10, None),
        ("resnet50", None, None),
        ("final", None, None),
        ("iter_epoch_3", None, 3),
    ],
)
def test_numbers_of_names(stem: str, step: int | None, epoch: int | None) -> None:
    assert (step_of_stem(stem), epoch_of_stem(stem)) == (step, epoch)


def test_names_that_belong_together() -> None:
    names = ["opt_10.pdopt", "model_10.pdparams", "scheduler_10.pdparams", "model_5.pdparams"]
    assert groups_by_stem(names) == [
        ("model_10.pdparams", "scheduler_10.pdparams", "opt_10.pdopt"),
        ("model_5.pdparams",),
    ]


def test_verdict_alone_of_weights(tmp_path: Path) -> None:
    place = tmp_path / "step_5"
    write(place / "model.pdparams", WEIGHTS)
    claim = claim_of(list_directory(str(place)))
    assert claim is not None
    facts = read_checkpoint(claim, list_tree(claim.path), Limits())
    assert judge(facts).verdict == "weights-only"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("linear_0.w_0_moment1_0", True),
        ("fc.weight.moment1_0", True),  # of `Optimizer.sharded_state_dict`
        ("fc.weight.beta2_pow_acc_0", True),
        ("fc.weight", False),
        ("moment1_0", False),
    ],
)
def test_names_of_an_optimizers_tensors(name: str, expected: bool) -> None:
    assert is_accumulator(name) is expected
