"""msgpack and numpy files of loops of their own: which are checkpoints, and what they hold."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from ckpt_tui.artifacts.source import FileSource
from ckpt_tui.core.vocabulary import Verdict
from ckpt_tui.formats.gguf_file.reader import GgufFileReader
from ckpt_tui.formats.msgpack_file.reader import MsgpackFileReader
from ckpt_tui.formats.npz_file.reader import NpzFileReader
from ckpt_tui.formats.shared import plain_groups
from ckpt_tui.formats.shared.array_tree import tree_of_names
from ckpt_tui.formats.shared.plain_names import PlainName, plain_name_of
from ckpt_tui.fs.listing import list_directory
from tests.artifacts.gguf_builder import gguf
from tests.artifacts.msgpack_builder import Array, pack, state, tree
from tests.artifacts.npy_builder import npy, npz, number
from tests.formats.helpers import (
    claimed_files,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    read_directory,
    read_file,
)

MSGPACK = MsgpackFileReader()
NUMPY = NpzFileReader()
SAMPLES = Path(__file__).parents[2] / "sample_runs"
WEIGHTS = {"params/w": npy("<f4", (3, 4)), "params/b": npy("<f4", (4,))}
MOMENTS = {
    "opt_state/mu/w": npy("<f4", (3, 4)),
    "opt_state/nu/w": npy("<f4", (3, 4)),
    "opt_state/count": number(3),
}


@pytest.mark.parametrize(
    ("name", "step", "role", "staged"),
    [
        ("state-1000.npz", 1000, None, False),
        ("params_20.npz", 20, "model", False),
        ("opt_state_20.npz", 20, "optimizer", False),
        ("000100.npz", 100, None, False),
        ("resnet50.npz", None, None, False),
        ("ckpt_20.npz.tmp", 20, None, True),
        ("ckpt_20.tmp.npz", 20, None, True),
        ("tmp_ckpt.npz", None, None, True),
        ("params.npz", None, "model", False),
        ("checkpoint.npz-000001000", 1000, None, False),
    ],
)
def test_names(name: str, step: int | None, role: str | None, staged: bool) -> None:
    found = plain_name_of(name, (".npz",))
    assert found is not None
    assert (found.step, found.role, found.staged) == (step, role, staged)


def test_flat_names_are_paths_of_a_tree() -> None:
    flat = {"['opt_state'][1].count": 1, "params/dense/w": 2, "params/dense": 3, "a.b": 4}
    assert tree_of_names(flat) == {
        "opt_state": {"1": {"count": 1}},
        "params": {"dense": {"w": 2}},
        "params/dense": 3,
        "a": {"b": 4},
    }


@pytest.mark.parametrize(
    ("reader", "run", "steps"),
    [
        (MSGPACK, "msgpack-file/loop", {"state-100.msgpack": 100, "state-200.msgpack": 200}),
        (NUMPY, "npz-file/loop", {"step_100.npz": 100, "step_200.npz": 200}),
    ],
)
def test_real_files(
    reader: MsgpackFileReader | NpzFileReader, run: str, steps: dict[str, int]
) -> None:
    directory = SAMPLES / run
    assert claimed_files(reader, directory) == list(steps)
    for name, step in steps.items():
        checkpoint = judged(reader, directory / name)
        assert (checkpoint.verdict, checkpoint.facts.step) == (Verdict.EXACT, step)


def test_real_directories() -> None:
    directory = SAMPLES / "msgpack-file" / "roles_apart" / "ckpt-200"
    assert claims(MSGPACK, directory)
    checkpoint = judged(MSGPACK, directory)
    assert (checkpoint.verdict, checkpoint.facts.step) == (Verdict.INEXACT, 200)
    assert checkpoint.missing_roles == ("rng",)


@pytest.mark.parametrize("name", ["flax_model.msgpack", "opt_state.msgpack", "training_state.json"])
def test_a_directory_that_lacks_a_file(tmp_path: Path, name: str) -> None:
    run = copy_of(SAMPLES / "msgpack-file" / "roles_apart", tmp_path / "run")
    shutil.copytree(run / "ckpt-100", run / "ckpt-300")
    (run / "ckpt-200" / name).unlink()
    found = judged_run(read_directory(MSGPACK, path) for path in sorted(run.iterdir()))
    assert found["ckpt-200"].verdict is Verdict.INCOMPLETE
    assert found["ckpt-100"].resumable


def test_a_broken_side_file_stops_a_loop_that_has_its_step_there_only(tmp_path: Path) -> None:
    run = copy_of(SAMPLES / "msgpack-file", tmp_path / "run")
    cut(run / "roles_apart" / "ckpt-200" / "training_state.json", 3)
    assert judged(MSGPACK, run / "roles_apart" / "ckpt-200").verdict is Verdict.CORRUPT
    cut(run / "loop" / "state-200.json", 3)
    assert judged(MSGPACK, run / "loop" / "state-200.msgpack").verdict is Verdict.EXACT


def test_states_in_files_of_their_own_beside_each_other(tmp_path: Path) -> None:
    (tmp_path / "params_20.msgpack").write_bytes(pack(tree()))
    (tmp_path / "opt_state_20.msgpack").write_bytes(pack(state(20)["opt_state"]))
    (tmp_path / "meta_20.json").write_text(json.dumps({"step": 20}))
    (tmp_path / "meta_30.json").write_text(json.dumps({"step": 30}))
    ((main, *beside),) = _groups(MSGPACK, tmp_path)
    assert main == "params_20.msgpack"
    assert sorted(beside) == ["meta_20.json", "opt_state_20.msgpack"]


def _groups(reader: MsgpackFileReader | NpzFileReader, path: Path) -> tuple[tuple[str, ...], ...]:
    return reader.claims_files(list_directory(str(path)))


@pytest.mark.parametrize(
    ("members", "verdict", "step"),
    [
        ({**WEIGHTS, **MOMENTS, "step": number(30)}, Verdict.INEXACT, 30),
        ({**WEIGHTS, **MOMENTS}, Verdict.INEXACT, 20),
        ({**WEIGHTS, "step": number(30)}, Verdict.WEIGHTS_ONLY, 30),
        (
            {
                "W1": npy("<f8", (2, 2)),
                "m_W1": npy("<f8", (2, 2)),
                "v_W1": npy("<f8", (2, 2)),
                "step": number(30),
            },
            Verdict.INEXACT,
            30,
        ),
        (
            {
                "arr_0": number(3),
                **{f"arr_{n}": npy("<f4", (n % 2 + 1, 3)) for n in range(1, 7)},
                "arr_7": number(30),
            },
            Verdict.INEXACT,
            30,
        ),
    ],
)
def test_arrays_by_name(
    tmp_path: Path, members: dict[str, bytes], verdict: Verdict, step: int
) -> None:
    path = tmp_path / "ckpt_20.npz"
    path.write_bytes(npz(members))
    checkpoint = judged(NUMPY, path)
    assert (checkpoint.verdict, checkpoint.facts.step) == (verdict, step)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("train-00001.npz", npz({"tokens": npy("<i4", (4, 8)), "labels": npy("<i4", (4,))})),
        ("mnist.npz", npz({"x_train": npy("<f4", (4, 8)), "y_train": npy("<f4", (4,))})),
        ("fid_stats.npz", npz({"mu": npy("<f4", (4,)), "sigma": npy("<f4", (4, 4))})),
        ("model_predictions_100.npz", npz({"logits": npy("<f4", (4, 4))})),
        ("cache_10.npz", npz({"data": npy("<f4", (4,)), "step": number(10)})),
        ("step_7.npz", npz({"hidden": npy("<f4", (4, 4))})),
        ("embeddings.npy", npy("<f4", (100, 4))),
        ("X_100.npy", npy("<f4", (100, 4))),
        ("broken.npz", b"PK\x03\x04"),
        ("shard-00001.msgpack", pack([{"text": "a", "id": 1}])),
        ("embedding.msgpack", pack({"embedding": Array((8, 4))})),
        ("train-00009.msgpack", b"\x95\x81"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_data_is_no_checkpoint(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    reader = MSGPACK if name.endswith(".msgpack") else NUMPY
    assert claimed_files(reader, tmp_path) == []
    assert not claims(reader, tmp_path)


def test_a_list_of_states(tmp_path: Path) -> None:
    path = tmp_path / "ckpt_20.msgpack"
    path.write_bytes(pack([20, tree(), state(20)["opt_state"]]))
    assert claimed_files(MSGPACK, tmp_path) == [path.name]
    checkpoint = judged(MSGPACK, path)
    assert (checkpoint.verdict, checkpoint.facts.step) == (Verdict.INEXACT, 20)


def test_few_of_a_data_set_s_shards_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard = npz({"tokens": npy("<i4", (4, 8))})
    for number_of_shard in range(50):
        (tmp_path / f"train-{number_of_shard:05}.npz").write_bytes(shard)
    opened: list[str] = []

    class Counting(FileSource):
        def __init__(self, path: str) -> None:
            opened.append(path)
            super().__init__(path)

    monkeypatch.setattr("ckpt_tui.formats.npz_file.reader.FileSource", Counting)
    assert claimed_files(NUMPY, tmp_path) == []
    assert len(opened) == 2


def test_files_whose_names_tell_nothing_are_read_up_to_a_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ckpt_tui.formats.shared.plain_groups._MOST_UNTOLD", 20)
    data = npz({"tokens": npy("<i4", (4, 8))})
    for first in "abcdefgh":
        for second in "abcdefgh":
            (tmp_path / f"{first}{second}.npz").write_bytes(data)
    (tmp_path / "zz.npz").write_bytes(npz({**WEIGHTS, **MOMENTS}))
    (tmp_path / "ckpt_20.npz").write_bytes(npz({**WEIGHTS, **MOMENTS}))
    assert claimed_files(NUMPY, tmp_path) == ["ckpt_20.npz"]
    monkeypatch.setattr("ckpt_tui.formats.shared.plain_groups._MOST_UNTOLD", 1000)
    assert claimed_files(NUMPY, tmp_path) == ["ckpt_20.npz", "zz.npz"]


def test_many_checkpoints_with_files_beside_take_time_by_their_number(tmp_path: Path) -> None:
    state_file = npz({**WEIGHTS, **MOMENTS})
    for step in range(400):
        (tmp_path / f"ckpt_{step}.npz").write_bytes(state_file)
        (tmp_path / f"ckpt_{step}.json").write_text("{}")
        (tmp_path / f"metrics_{step}.json").write_text("{}")
    asked = 0
    real = plain_groups.plain_name_of

    def counting(name: str, endings: tuple[str, ...]) -> PlainName | None:
        nonlocal asked
        asked += 1
        return real(name, endings)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain_groups, "plain_name_of", counting)
        groups = NUMPY.claims_files(list_directory(str(tmp_path)))
    assert len(groups) == 400
    assert ("ckpt_7.npz", "ckpt_7.json", "metrics_7.json") in groups
    assert asked < 10_000


def test_a_cut_file_is_claimed_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "ckpt_20.npz").write_bytes(npz({**WEIGHTS, **MOMENTS})[:100])
    assert claimed_files(NUMPY, tmp_path) == ["ckpt_20.npz"]
    broken = judged(NUMPY, tmp_path / "ckpt_20.npz")
    assert broken.verdict is Verdict.CORRUPT
    assert "truncated-file" in codes(broken)


def test_big_vision_takes_its_step_from_the_optimizer(tmp_path: Path) -> None:
    """It keeps copies with the step at the end, and the clock of the run beside the states."""
    states = {**WEIGHTS, **{k.replace("opt_state", "opt"): v for k, v in MOMENTS.items()}}
    for name in ("checkpoint.npz", "checkpoint.npz-000000003"):
        (tmp_path / name).write_bytes(npz({**states, "extra/accum_train_time": number(8)}))
    assert claimed_files(NUMPY, tmp_path) == ["checkpoint.npz", "checkpoint.npz-000000003"]
    latest = judged(NUMPY, tmp_path / "checkpoint.npz")
    assert (latest.verdict, latest.facts.step) == (Verdict.INEXACT, 3)
    (tmp_path / "checkpoint.npz").write_bytes(npz(states))
    assert judged(NUMPY, tmp_path / "checkpoint.npz").verdict == Verdict.INCOMPLETE


def test_weights_alone_are_an_export(tmp_path: Path) -> None:
    (tmp_path / "flax_model.msgpack").write_bytes(pack(tree()))
    facts = read_file(MSGPACK, tmp_path / "flax_model.msgpack")
    assert (facts.export, facts.step) == (True, None)


def test_a_whole_temporary_file_can_be_finished(tmp_path: Path) -> None:
    path = tmp_path / "ckpt_20.msgpack.tmp"
    path.write_bytes(pack(state(20)))
    assert claimed_files(MSGPACK, tmp_path) == [path.name]
    finish = read_file(MSGPACK, path).commit.finish
    assert finish == f"mv -n {path} {tmp_path / 'ckpt_20.msgpack'}"


@pytest.mark.parametrize("ending", [".npy", ".npz"])
def test_dictionaries_in_a_pickle(tmp_path: Path, ending: str) -> None:
    """What `numpy.save` makes of a dictionary is read, and nothing of it is executed."""
    weights = np.ones((3, 4), np.float32)
    moments = {"mu": weights, "nu": weights, "count": np.int32(3)}
    path = tmp_path / f"ckpt_20{ending}"
    if ending == ".npy":
        whole = {"params": {"w": weights}, "opt_state": moments, "step": 30}
        np.save(path, np.array(whole, dtype=object), allow_pickle=True)
    else:
        np.savez(path, params=np.array({"w": weights}), opt_state=np.array(moments), step=30)
    assert claimed_files(NUMPY, tmp_path) == [path.name]
    checkpoint = judged(NUMPY, path)
    assert (checkpoint.verdict, checkpoint.facts.step) == (Verdict.INEXACT, 30)
    assert "params.w" in {tensor.name for tensor in checkpoint.facts.tensors}
    cut(path, path.stat().st_size - 40)
    assert judged(NUMPY, path).verdict is Verdict.CORRUPT


def test_a_pickle_that_names_code_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ckpt_20.npy"
    path.write_bytes(npy("|O", (), b"cos\nsystem\n(S'true'\ntR."))
    assert "unsafe-pickle" in codes(judged(NUMPY, path))


def test_gguf_is_an_export(tmp_path: Path) -> None:
    reader = GgufFileReader()
    names = ("m-00001-of-00002.gguf", "model.gguf")
    for name in names:
        (tmp_path / name).write_bytes(gguf({"token_embd.weight": ((32, 5), 0)}))
    assert claimed_files(reader, tmp_path) == list(names)
    whole = judged(reader, tmp_path / "model.gguf")
    assert (whole.verdict, whole.facts.export) == (Verdict.WEIGHTS_ONLY, True)
    assert "missing-shard" in codes(judged(reader, tmp_path / "m-00001-of-00002.gguf"))
    cut(tmp_path / "model.gguf", 300)
    assert judged(reader, tmp_path / "model.gguf").verdict is Verdict.CORRUPT
