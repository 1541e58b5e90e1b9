"""TensorFlow: real runs, copies of them that were damaged, and bundles made by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ckpt_tui.artifacts.limits import Limits
from ckpt_tui.cli.app import run as latest
from ckpt_tui.core.facts import OwnChoice
from ckpt_tui.core.runs import in_order
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.base import ClaimKind
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.reading import read_checkpoint
from ckpt_tui.formats.registry import reader
from ckpt_tui.formats.tensors import tensors_of
from ckpt_tui.fs.listing import list_directory, list_tree
from tests.artifacts.bundle_builder import Tensor, write_bundle
from tests.formats.helpers import codes, copy_of, cut, overwrite

if TYPE_CHECKING:
    from collections.abc import Callable

    from ckpt_tui.core.checkpoint import Checkpoint

SAMPLES = Path(__file__).parent.parent.parent / "sample_runs" / "tensorflow"
READER = reader("tensorflow")
VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"
LONG_AGO = 1_700_000_000


@pytest.fixture
def run(tmp_path: Path) -> Path:
    copied = copy_of(SAMPLES / "manager", tmp_path / "run")
    for path in copied.iterdir():
        os.utime(path, (LONG_AGO, LONG_AGO))
    return copied


def judged_all(root: Path) -> dict[str, Checkpoint]:
    """Verdicts by the names of paths, each judged alone."""
    found = {}
    for claim in discover(str(root)).claims:
        tree = list_tree(claim.path, claim.members)
        found[os.path.relpath(claim.path, root)] = judge(read_checkpoint(claim, tree, Limits()))
    return found


def verdicts(root: Path) -> dict[str, str]:
    return {name: checkpoint.verdict for name, checkpoint in judged_all(root).items()}


def bundle(root: Path, prefix: str, **tensors: Tensor) -> Checkpoint:
    """A bundle of TF1's kind, or of TF2's where names have attributes; alone in its directory."""
    root.mkdir(exist_ok=True)
    write_bundle(root / prefix, {name.replace("__", "/"): t for name, t in tensors.items()})
    return judged_all(root)[f"{prefix}.index"]


def test_a_real_run() -> None:
    found = judged_all(SAMPLES / "manager")
    assert {name: (c.verdict, c.step, c.facts.ordinal) for name, c in found.items()} == {
        "ckpt-1.index": ("exact", 2, 1),
        "ckpt-2.index": ("exact", 4, 2),
        "ckpt-3.index": ("exact", 6, 3),
    }
    facts = found["ckpt-3.index"].facts
    sizes = {role.role: role.size_bytes for role in facts.roles}
    assert (sizes["model"], sizes["optimizer"]) == (848, 1704)
    assert facts.loader.flag.startswith("tf.train.Checkpoint(...).restore(")
    assert facts.loader.flag.endswith('/ckpt-3")')
    assert facts.loader.own_choice is OwnChoice.POINTER


def test_the_model_of_keras_lies_under_the_optimizer() -> None:
    model = judged_all(SAMPLES / "manager")["ckpt-1.index"].facts.role("model")
    assert model is not None
    assert "`optimizer/_trainable_variables/0`" in model.evidence
    assert "object graph" in model.evidence


def test_tensors_are_listed(run: Path) -> None:
    listing = tensors_of(judged_all(run)["ckpt-1.index"])
    kernel = next(t for t in listing.tensors if t.name == "optimizer/_trainable_variables/0")
    assert (kernel.dtype, kernel.shape, kernel.role) == ("float32", (8, 16), "model")
    assert kernel.chunks[0].path == "ckpt-1.data-00000-of-00001"
    assert all(not tensor.name.startswith("_CHECKPOINTABLE") for tensor in listing.tensors)


@pytest.mark.parametrize(
    ("damage", "verdict", "code"),
    [
        (lambda d: (d / "ckpt-3.data-00000-of-00001").unlink(), "incomplete", "missing-shard"),
        (lambda d: cut(d / "ckpt-3.data-00000-of-00001", 6265), "corrupt", "truncated-file"),
        (lambda d: cut(d / "ckpt-3.data-00000-of-00001", 0), "corrupt", "empty-file"),
        (lambda d: cut(d / "ckpt-3.index", 0), "corrupt", "empty-file"),
        (lambda d: cut(d / "ckpt-3.index", 500), "corrupt", "truncated-file"),
        (lambda d: overwrite(d / "ckpt-3.index", 100, b"\0\1"), "corrupt", "checksum-mismatch"),
    ],
)
def test_damage(run: Path, damage: Callable[[Path], object], verdict: str, code: str) -> None:
    damage(run)
    found = judged_all(run)["ckpt-3.index"]
    assert found.verdict == verdict
    assert code in codes(found)
    assert found.facts.ordinal == 3


def test_data_of_another_save_are_no_data_of_this_index(run: Path) -> None:
    shutil.copy(run / "ckpt-2.data-00000-of-00001", run / "ckpt-3.data-00000-of-00001")
    found = judged_all(run)["ckpt-3.index"]
    assert found.verdict == "corrupt"
    assert "checksum-mismatch" in codes(found)


def test_bytes_behind_the_last_tensor_are_left_alone(run: Path) -> None:
    with (run / "ckpt-3.data-00000-of-00001").open("ab") as file:
        file.write(b"more")
    assert verdicts(run)["ckpt-3.index"] == "exact"


def test_an_index_that_is_being_written_is_no_commit(run: Path) -> None:
    (run / "ckpt-3_temp").mkdir()
    cut(run / "ckpt-3.index", 0)
    found = judged_all(run)
    assert found["ckpt-3.index"].verdict == "uncommitted"
    assert "ckpt-3_temp" not in found


def test_a_temporary_directory_beside_a_whole_checkpoint_is_told(run: Path) -> None:
    (run / "ckpt-3_temp").mkdir()
    found = judged_all(run)
    assert sorted(found) == ["ckpt-1.index", "ckpt-2.index", "ckpt-3.index"]
    assert found["ckpt-3.index"].verdict == "exact"
    assert "staging-leftover" in codes(found["ckpt-3.index"])


@pytest.mark.parametrize("moved", [True, False])
def test_a_whole_leftover_can_be_finished(run: Path, moved: bool) -> None:
    temporary = run / "ckpt-3_temp"
    temporary.mkdir()
    (run / "ckpt-3.index").rename(temporary / "part-00000-of-00001.index")
    data = run / "ckpt-3.data-00000-of-00001"
    if not moved:
        data.rename(temporary / "part-00000-of-00001.data-00000-of-00001")
    found = judged_all(run)["ckpt-3_temp"]
    assert (found.verdict, found.step) == ("uncommitted", 6)
    assert {"finishable", "staging-leftover"} <= codes(found)
    subprocess.run(found.facts.commit.finish, shell=True, check=True)
    assert verdicts(run)["ckpt-3.index"] == "exact"


@pytest.mark.parametrize(
    "name", ["part-00000-of-00001.index.tempstate12", "part-00000-of-00002.index"]
)
def test_a_leftover_of_which_more_was_to_come_cannot_be_finished(run: Path, name: str) -> None:
    temporary = run / "ckpt-3_temp"
    temporary.mkdir()
    (run / "ckpt-3.index").rename(temporary / name)
    found = judged_all(run)["ckpt-3_temp"]
    assert found.verdict == "uncommitted"
    assert found.facts.commit.finish == ""


def test_a_leftover_is_the_newest_attempt_by_its_count() -> None:
    found = in_order(list(judged_all(SAMPLES / "killed").values()))
    assert [checkpoint.facts.ordinal for checkpoint in found] == [3, 2, 1]
    assert (found[0].step, found[0].verdict) == (None, "uncommitted")


def test_data_alone_of_a_checkpoint_that_was_kept_is_a_removal_cut_short(run: Path) -> None:
    (run / "ckpt-1.index").unlink()
    found = judged_all(run)["ckpt-1.data-00000-of-00001"]
    assert found.verdict == "uncommitted"
    assert "partly-deleted" in codes(found)


def test_data_alone_of_an_unknown_checkpoint_is_a_save_cut_short(run: Path) -> None:
    for name in ("ckpt-3.index", "checkpoint"):
        (run / name).unlink()
    found = judged_all(run)["ckpt-3.data-00000-of-00001"]
    assert found.verdict == "uncommitted"
    assert "partly-deleted" not in codes(found)


def test_a_file_that_is_named_by_itself_finds_its_data() -> None:
    (claim,) = discover(str(SAMPLES / "manager" / "ckpt-2.index")).claims
    assert claim.members == ("ckpt-2.index", "ckpt-2.data-00000-of-00001")


def test_index_files_of_other_programs_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "faiss.index").write_bytes(b"IxFI" + bytes(100))
    (tmp_path / "weights_temp").mkdir()
    assert discover(str(tmp_path)).claims == ()


def test_tf1(tmp_path: Path) -> None:
    found = bundle(
        tmp_path / "run",
        "model.ckpt-40",
        dense__kernel=Tensor("float32", (1.0, 2.0)),
        dense__kernel__Adam=Tensor("float32", (0.0, 0.5)),
        beta1_power=Tensor("float32", (0.9,), ()),
        global_step=Tensor("int64", (40,), ()),
    )
    assert (found.verdict, found.step) == ("inexact", 40)
    assert found.facts.role_names() == {"model", "optimizer", "progress"}
    assert found.facts.loader.flag.startswith("tf.compat.v1.train.Saver().restore(")


@pytest.mark.parametrize(
    ("operation", "verdict"),
    [
        (b"ResourceApplyGradientDescent", "inexact"),
        (b"ApplyAdam", "weights-only"),
        (b"ApplyGradientDescent\0ResourceApplyAdam", "weights-only"),
        (None, "weights-only"),
    ],
)
def test_gradient_descent_of_tf1_keeps_nothing(
    tmp_path: Path, operation: bytes | None, verdict: str
) -> None:
    """Only the graph tells it from a save of the weights alone."""
    root = tmp_path / "run"
    if operation is not None:
        root.mkdir()
        padding = b"\0" * ((1 << 20) - 7)  # it lies across two reads
        (root / "model.ckpt-40.meta").write_bytes(padding + operation + b"\0")
    found = bundle(
        root,
        "model.ckpt-40",
        dense__kernel=Tensor("float32", (1.0, 2.0)),
        global_step=Tensor("int64", (40,), ()),
    )
    assert (found.verdict, found.step) == (verdict, 40)


@pytest.mark.parametrize(
    ("prefix", "tensors", "step", "ordinal"),
    [
        ("ckpt-3", {"step": 12, "save_counter": 3}, 12, 3),
        ("ckpt-3", {"step": 0, "save_counter": 0}, 0, 3),
        ("ckpt-3", {"save_counter": 3}, None, 3),
        ("ckpt-3", {}, 3, 3),
        ("ckpt-3", {"optimizer/_iterations": 7, "save_counter": 3}, 7, 3),
        ("ckpt-3", {"step": 9, "optimizer/_iterations": 7}, 9, 3),
        ("cp-epoch-3", {"epoch": 4}, None, 4),
        ("weights", {}, None, None),
    ],
)
def test_steps(
    tmp_path: Path, prefix: str, tensors: dict[str, int], step: int | None, ordinal: int | None
) -> None:
    counters = {f"{key}{VALUE}": Tensor("int64", (n,), ()) for key, n in tensors.items()}
    found = bundle(tmp_path / "run", prefix, w=Tensor("float32", (1.0,)), **counters)
    assert (found.step, found.facts.ordinal) == (step, ordinal)


def test_a_name_with_another_number_than_any_counter(tmp_path: Path) -> None:
    counters = {
        f"{key}{VALUE}": Tensor("int64", (n,), ()) for key, n in (("step", 5), ("save_counter", 2))
    }
    found = bundle(tmp_path / "run", "ckpt-30", w=Tensor("float32", (1.0,)), **counters)
    assert "step-mismatch" in codes(found)


def test_shards_that_are_missing_are_named(tmp_path: Path) -> None:
    tensors = {f"w{n}": Tensor("float32", (1.0,), shard=n) for n in range(3)}
    write_bundle(tmp_path / "ckpt-1", tensors, shards=3)
    (tmp_path / "ckpt-1.data-00001-of-00003").unlink()
    (tmp_path / "ckpt-1.data-00000-of-00002").write_bytes(b"old")
    found = judged_all(tmp_path)["ckpt-1.index"]
    assert found.verdict == "incomplete"
    assert {"missing-shard", "extra-shard"} <= codes(found)


def test_an_export_is_one_whole(tmp_path: Path) -> None:
    found = judged_all(SAMPLES / "saved_model")
    assert {name: (c.verdict, c.facts.export) for name, c in found.items()} == {
        "1": ("weights-only", True)
    }
    copied = copy_of(SAMPLES / "saved_model", tmp_path / "model")
    shutil.rmtree(copied / "1" / "variables")
    assert verdicts(copied) == {"1": "incomplete"}


@pytest.mark.parametrize(
    ("name", "size_bytes", "verdict"),
    [
        ("saved_model.pb", 0, "corrupt"),
        ("saved_model.pb", 20_000, "corrupt"),
        ("variables/variables.index", 100, "corrupt"),
        ("variables/variables.data-00000-of-00001", 100, "corrupt"),
    ],
)
def test_a_cut_export(tmp_path: Path, name: str, size_bytes: int, verdict: str) -> None:
    copied = copy_of(SAMPLES / "saved_model", tmp_path / "model")
    cut(copied / "1" / name, size_bytes)
    assert verdicts(copied) == {"1": verdict}


def test_an_export_without_its_program_is_no_checkpoint(tmp_path: Path) -> None:
    copied = copy_of(SAMPLES / "saved_model", tmp_path / "model")
    (copied / "1" / "saved_model.pb").unlink()
    assert READER.claims_directory(list_directory(str(copied / "1"))) is ClaimKind.EXPORT
    assert verdicts(copied) == {"1": "uncommitted"}


def test_the_loader_is_given_the_prefix(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """With the path of the index `restore` finds nothing to restore, and says nothing."""
    assert latest(["latest", str(SAMPLES / "manager")]) == 0
    assert capsysbinary.readouterr().out.decode().strip() == str(SAMPLES / "manager" / "ckpt-3")


def test_a_save_over_a_prefix_is_in_flight_between_its_data_and_its_index(run: Path) -> None:
    data = run / "ckpt-3.data-00000-of-00001"
    shutil.copy(run / "ckpt-2.data-00000-of-00001", data)
    assert judged_all(run)["ckpt-3.index"].facts.commit.rewritten
    os.utime(data, (LONG_AGO, LONG_AGO))
    assert not judged_all(run)["ckpt-3.index"].facts.commit.rewritten
