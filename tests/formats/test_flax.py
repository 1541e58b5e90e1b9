"""flax's checkpoints that are msgpack files."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ckpt_tui.core.facts import OwnChoice
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.flax.names import FlaxName, flax_name
from ckpt_tui.formats.flax.reader import FlaxReader
from tests.artifacts.msgpack_builder import Array, number, pack, state, tree
from tests.formats.helpers import claimed_files, codes, cut, judged, judged_run, read_file

READER = FlaxReader()
SAMPLES = Path(__file__).parents[2] / "sample_runs" / "flax"


def write(path: Path, value: object) -> Path:
    path.write_bytes(pack(value))
    return path


@pytest.mark.parametrize(
    ("name", "expected", "number_of_step"),
    [
        ("checkpoint_300", FlaxName("checkpoint_", "300"), 300),
        ("ckpt_0.25", FlaxName("ckpt_", "0.25"), None),
        ("checkpoint_200.0", FlaxName("checkpoint_", "200.0"), 200),
        ("checkpoint_1e5", FlaxName("checkpoint_", "1e5"), 100_000),
        ("checkpoint_-3", FlaxName("checkpoint_", "-3"), None),
        ("checkpoint_tmp", FlaxName("checkpoint_", ""), None),
        ("42", FlaxName("", "42"), 42),
        ("lr0.001_checkpoint_30", FlaxName("lr0.001_checkpoint_", "30"), 30),
        ("lr0.001_checkpoint_tmp", FlaxName("lr0.001_checkpoint_", ""), None),
        ("model.ckpt-30", None, None),
        (".hidden_30", None, None),
        ("checkpoint_300_gda", None, None),
        ("events.out.17", None, None),
        ("model.msgpack", None, None),
    ],
)
def test_names(name: str, expected: FlaxName | None, number_of_step: int | None) -> None:
    found = flax_name(name)
    assert found == expected
    assert (found.number if found is not None else None) == number_of_step


def test_real_run() -> None:
    run = SAMPLES / "whole"
    assert claimed_files(READER, run) == ["checkpoint_100", "checkpoint_200", "checkpoint_300"]
    newest = judged(READER, run / "checkpoint_300")
    assert (newest.verdict, newest.facts.step) == (Verdict.EXACT, 300)
    assert newest.facts.loader.own_choice is OwnChoice.HIGHEST_NAME
    assert "checkpoint_300" in newest.facts.loader.flag
    kernel = next(t for t in newest.facts.tensors if t.name == "params.dense.kernel")
    assert (kernel.dtype, kernel.shape, kernel.role) == ("float32", (8, 16), "model")


def test_real_save_on_a_full_disk() -> None:
    left = judged(READER, SAMPLES / "disk_full" / "checkpoint_tmp")
    assert (left.verdict, left.resumable) == (Verdict.UNCOMMITTED, False)
    assert {"truncated-file", "not-committed"} <= codes(left)
    assert "finishable" not in codes(left)


def test_a_whole_file_under_the_temporary_name_can_be_finished(tmp_path: Path) -> None:
    left = judged(READER, write(tmp_path / "ckpt_tmp", state(300)))
    assert left.verdict is Verdict.UNCOMMITTED
    assert left.facts.commit.finish == f"mv -n {tmp_path}/ckpt_tmp {tmp_path}/ckpt_300"
    assert "finishable" in codes(left)


@pytest.mark.parametrize("length", [0, 1, 40, -1])
def test_a_cut_file_under_its_final_name(tmp_path: Path, length: int) -> None:
    path = write(tmp_path / "checkpoint_300", state(300))
    cut(path, length if length >= 0 else path.stat().st_size - 1)
    broken = judged(READER, path)
    assert broken.verdict is Verdict.CORRUPT
    assert {"truncated-file", "empty-file"} & codes(broken)
    write(tmp_path / "checkpoint_200", state(200))
    assert claimed_files(READER, tmp_path) == ["checkpoint_200", "checkpoint_300"]


@pytest.mark.parametrize(
    ("tree_of_file", "verdict", "missing"),
    [
        (state(3), Verdict.INEXACT, ("rng",)),
        (state(3, rng=Array((2,), "uint32")), Verdict.EXACT, ()),
        (state(3, dropout_rng=Array((2,), "uint32")), Verdict.EXACT, ()),
        ({"params": tree(), "step": 3}, Verdict.WEIGHTS_ONLY, ("optimizer", "scheduler", "rng")),
        (
            {"params": tree(), "opt_state": {"0": {}, "1": {}}, "step": 3},
            Verdict.INEXACT,
            ("scheduler", "rng"),
        ),
        ({"0": 3, "1": tree(), "2": state(3)["opt_state"]}, Verdict.INEXACT, ("rng",)),
        ({"state": state(3)}, Verdict.INEXACT, ("rng",)),
        ({"model": state(3)}, Verdict.INEXACT, ("rng",)),
        (
            {
                "optimizer": {
                    "target": tree(),
                    "state": {"step": 3, "param_states": {"dense": {"kernel": Array((4, 8))}}},
                }
            },
            Verdict.INEXACT,
            ("scheduler", "rng"),
        ),
        ({"opt_state": state(3)["opt_state"], "step": 3}, Verdict.INCOMPLETE, ("model", "rng")),
    ],
)
def test_roles(
    tmp_path: Path, tree_of_file: object, verdict: Verdict, missing: tuple[str, ...]
) -> None:
    checkpoint = judged(READER, write(tmp_path / "checkpoint_3", tree_of_file))
    assert checkpoint.verdict is verdict
    assert checkpoint.facts.step == 3
    assert checkpoint.missing_roles == missing


def test_the_content_says_the_step(tmp_path: Path) -> None:
    checkpoint = judged(READER, write(tmp_path / "checkpoint_7", state(300)))
    assert checkpoint.facts.step == 300
    assert "step-mismatch" in codes(checkpoint)


def test_a_damaged_name_of_an_array(tmp_path: Path) -> None:
    """A loader that is given its own tree stops at `kernem`."""
    data = pack(state(300)).replace(b"kernel", b"kernem", 1)
    path = tmp_path / "checkpoint_300"
    path.write_bytes(data)
    checkpoint = judged(READER, path)
    assert checkpoint.verdict is Verdict.CORRUPT
    assert "kerne" in checkpoint.why


def test_a_damaged_place_of_a_tuple(tmp_path: Path) -> None:
    placed = state(300)
    placed["opt_state"] = {"0": {"count": number(3)}, "9": {}}
    checkpoint = judged(READER, write(tmp_path / "checkpoint_300", placed))
    assert checkpoint.verdict is Verdict.CORRUPT
    assert "opt_state.1" in checkpoint.why


def test_arrays_of_several_processes_lie_beside(tmp_path: Path) -> None:
    placed = state(300)
    placed["params"] = {"dense": "//GDAPlaceholder:params/dense"}
    path = write(tmp_path / "checkpoint_300", placed)
    without = read_file(READER, path)
    assert [finding.code for finding in without.findings] == ["missing-shard"]
    assert without.neighbours[0].path == f"{path}_gda/params/dense/.zarray"
    array = tmp_path / "checkpoint_300_gda" / "params" / "dense"
    array.mkdir(parents=True)
    (array / ".zarray").write_text('{"shape": [4, 8], "dtype": "<f4", "chunks": [2, 8]}')
    whole = judged(READER, path)
    assert (whole.verdict, whole.missing_roles) == (Verdict.INEXACT, ("rng",))
    tensor = next(t for t in whole.facts.tensors if t.name == "params.dense")
    assert (tensor.shape, tensor.size_bytes) == ((4, 8), 128)
    assert "checkpoint_300_gda" in whole.facts.not_checked[1]
    (array / ".zarray").write_text("{")
    assert judged(READER, path).verdict is Verdict.CORRUPT


def test_a_placeholder_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    placed = {**state(300), "extra": "//GDAPlaceholder:../../etc"}
    facts = read_file(READER, write(tmp_path / "checkpoint_300", placed))
    assert [finding.code for finding in facts.findings] == ["missing-shard"]
    assert facts.neighbours == ()


def test_arrays_beside_by_a_link_are_not_followed(tmp_path: Path) -> None:
    placed = {**state(300), "extra": "//GDAPlaceholder:extra"}
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "extra").mkdir(parents=True)
    (elsewhere / "extra" / ".zarray").write_text('{"shape": [4, 8], "dtype": "<f4"}')
    run = tmp_path / "run"
    run.mkdir()
    (run / "checkpoint_300_gda").symlink_to(elsewhere)
    facts = read_file(READER, write(run / "checkpoint_300", placed))
    assert [finding.code for finding in facts.findings] == ["outside-path"]


@pytest.mark.parametrize("shape", [[1 << 61] * 64, [1] * 65, [-1], "x", [1 << 70]])
def test_arrays_beside_of_a_shape_that_cannot_be(tmp_path: Path, shape: object) -> None:
    placed = {**state(300), "extra": "//GDAPlaceholder:extra"}
    array = tmp_path / "checkpoint_300_gda" / "extra"
    array.mkdir(parents=True)
    (array / ".zarray").write_text(json.dumps({"shape": shape, "dtype": "<f4"}))
    facts = read_file(READER, write(tmp_path / "checkpoint_300", placed))
    assert [finding.code for finding in facts.findings] == ["invalid-json"]


def test_what_is_no_checkpoint_is_not_claimed(tmp_path: Path) -> None:
    write(tmp_path / "shard_1", {"text": "a", "label": 3})
    (tmp_path / "checkpoint_2").mkdir()
    (tmp_path / "part_3").write_bytes(b"\x89PNG")
    (tmp_path / "log_4").write_text("x")
    os.symlink("checkpoint_9", tmp_path / "checkpoint_8")
    assert claimed_files(READER, tmp_path) == []


def test_siblings_tell_what_is_missing(tmp_path: Path) -> None:
    for step in (1, 2):
        write(tmp_path / f"checkpoint_{step}", state(step, rng=number(1)))
    write(tmp_path / "checkpoint_3", state(3))
    run = judged_run(read_file(READER, path) for path in sorted(tmp_path.iterdir()))
    assert run["checkpoint_3"].verdict is Verdict.INCOMPLETE
    assert run["checkpoint_2"].verdict is Verdict.EXACT
