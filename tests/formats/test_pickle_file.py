"""Pickles of hand-written loops: real ones, damaged copies, and files that are no checkpoints."""

from __future__ import annotations

import json
import pickle
import sys
from collections import namedtuple
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from ckpt_tui.formats.pickle_file.floats import floating_arrays
from ckpt_tui.formats.pickle_file.reader import PickleFileReader
from ckpt_tui.formats.tensors import tensors_of
from tests.formats.helpers import (
    claimed_files,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    read_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable

READER = PickleFileReader()
SAMPLES = Path(__file__).parents[2] / "sample_runs" / "pickle-file"
MODEL = {"dense": {"kernel": np.ones((4, 8), "f4"), "bias": np.zeros(8, "f4")}}
MOMENTS = {"mu": MODEL, "nu": MODEL}
MATRIX = np.ones((3, 2), "f4")
FLAT = {"params/w": MATRIX, "opt_state/0/mu/w": MATRIX, "step": 5}
CURVE = np.ones(3, "f4")


def write(path: Path, *values: object, protocol: int = 4) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(pickle.dumps(value, protocol) for value in values))
    return path


def state(step: int | np.int64, **more: object) -> dict[str, object]:
    return {"step": step, "params": MODEL, "opt_state": MOMENTS, **more}


def test_real_saves(corpus: Path) -> None:
    for step in (1000, 2000, 3000):
        found = judged(READER, corpus / f"jax/raw_pickle/ckpt_{step:07d}.pkl")
        assert (found.verdict, found.facts.step) == ("exact", step)
        found = judged(READER, corpus / f"jax/raw_pickle_jaxarrays/train_state_{step}.pickle")
        assert (found.verdict, found.missing_roles) == ("inexact", ("rng",))


def test_the_schedule_is_in_the_state_of_optax() -> None:
    role = judged(READER, SAMPLES / "atomic/ckpt_000200.pkl").facts.role("scheduler")
    assert role is not None
    assert role.evidence == "`ScaleByScheduleState.count` in ckpt_000200.pkl"


def test_a_tuple_tells_its_items_apart() -> None:
    facts = judged(READER, SAMPLES / "tuple/ckpt_000200.pkl").facts
    found = {role.role: role.evidence for role in facts.roles}
    assert found["progress"] == "item 0 in ckpt_000200.pkl"
    assert found["model"] == "item 1 in ckpt_000200.pkl"
    assert facts.step == 200


@pytest.mark.parametrize(
    "log",
    [
        {"model/grad_norm": CURVE, "optimizer/lr": CURVE, "train/loss": CURVE, "step": CURVE},
        {"model.acc": CURVE, "optimizer.lr": CURVE},
        {"model/params": MATRIX, "optimizer/lr": 0.1, "step": 5},
    ],
)
def test_a_log_is_no_flattened_state(tmp_path: Path, log: dict[str, object]) -> None:
    write(tmp_path / "metrics_5.pkl", log)
    assert not judged(READER, write(tmp_path / "ckpt_5.pkl", log)).resumable


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.9, 0.9999])
def test_a_cut_file_is_corrupt(tmp_path: Path, share: float) -> None:
    path = copy_of(SAMPLES / "atomic/ckpt_000200.pkl", tmp_path / "ckpt_000200.pkl")
    cut(path, int(path.stat().st_size * share))
    found = judged(READER, path)
    assert found.verdict == "corrupt"
    assert codes(found) & {"truncated-file", "empty-file"}
    assert claimed_files(READER, tmp_path) == [path.name]


def test_a_cut_between_two_pickles(tmp_path: Path) -> None:
    for step in (5, 10):
        write(tmp_path / f"ckpt_{step}.pkl", {"params": MODEL}, {"opt_state": MOMENTS}, step)
    newest = tmp_path / "ckpt_10.pkl"
    cut(newest, newest.stat().st_size - len(pickle.dumps(10, 4)))
    facts = [read_file(READER, tmp_path / f"ckpt_{step}.pkl") for step in (5, 10)]
    found = judged_run(facts)
    assert found["ckpt_5.pkl"].resumable
    assert found["ckpt_10.pkl"].verdict == "incomplete"
    cut(newest, newest.stat().st_size + 1)
    assert judged(READER, newest).resumable  # a zero behind the end
    write(newest, {"params": MODEL}, {"opt_state": MOMENTS}, 10)
    cut(newest, newest.stat().st_size - len(pickle.dumps(10, 4)) + 1)
    assert judged(READER, newest).verdict == "corrupt"


def test_bytes_behind_the_end_are_told(tmp_path: Path) -> None:
    path = write(tmp_path / "ckpt_5.pkl", state(5))
    path.write_bytes(path.read_bytes() + b"left")
    found = judged(READER, path)
    assert found.resumable
    assert "extra-shard" in codes(found)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("ckpt_5.pkl", (state(5),)),
        ("ckpt_5.pickle", (state(np.int64(5)),)),
        ("ckpt_5.pkl", ({"state": state(5)},)),
        ("ckpt_5.pkl", ({"params": MODEL}, {"opt_state": MOMENTS}, {"step": 5})),
        ("ckpt_5.pkl", ({"params": MODEL, "opt_state": MOMENTS},)),
        ("checkpoint_5", (state(5),)),
        ("ckpt_5.pkl", (FLAT,)),
        ("ckpt_5.pkl", ({tuple(name.split("/")): part for name, part in FLAT.items()},)),
        ("ckpt_5.pkl", ({name.replace("/", "."): part for name, part in FLAT.items()},)),
    ],
)
def test_forms_of_loops(tmp_path: Path, name: str, values: tuple[object, ...]) -> None:
    path = write(tmp_path / name, *values)
    assert claimed_files(READER, tmp_path) == [name]
    found = judged(READER, path)
    assert (found.verdict, found.facts.step) == ("inexact", 5), found.why


class Loop(NamedTuple):
    """A job's own tuple: pickle keeps its class and values, and no names of fields."""

    params: object
    opt_state: object
    rng: object
    step: object


@pytest.fixture
def adam(monkeypatch: pytest.MonkeyPatch) -> object:
    """A state of optax, which need not be installed for it."""
    module = ModuleType("optax")
    kind = namedtuple("ScaleByAdamState", "count mu nu", module="optax")
    vars(module)["ScaleByAdamState"] = kind
    monkeypatch.setitem(sys.modules, "optax", module)
    return kind(np.int32(5), MODEL, MODEL)


@pytest.mark.parametrize("form", [lambda loop: loop, lambda loop: {"state": loop, "step": 5},
                                  lambda loop: (loop, 5)])  # fmt: skip
def test_a_named_tuple_tells_its_items_apart(
    tmp_path: Path, adam: object, form: Callable[[Loop], object]
) -> None:
    key = np.zeros(2, "u4")
    path = write(tmp_path / "state_5.pkl", form(Loop(MODEL, (adam,), key, 5)))
    assert claimed_files(READER, tmp_path) == [path.name]
    found = judged(READER, path)
    assert (found.verdict, found.facts.step) == ("exact", 5), found.why
    path = write(tmp_path / "state_6.pkl", form(Loop(MODEL, (), key, 6)))
    assert judged(READER, path).verdict == "weights-only"


def test_tuples_within_tuples_are_not_opened_without_end(tmp_path: Path) -> None:
    """Each holds the next one twice: as many ways lead down as two to the power of their number."""
    nested: object = MODEL
    for _ in range(60):
        nested = Loop(nested, nested, 1, 2)
    path = write(tmp_path / "state_5.pkl", {"params": MODEL, "opt_state": MOMENTS, "x": nested})
    assert judged(READER, path).resumable


@pytest.mark.parametrize(
    "key",
    ["a/" * 200_000, 10**4000, ("a",) * 200_000, (1, "a")],
    ids=["long", "number", "long tuple", "tuple with a number"],
)
def test_keys_that_are_no_flat_names_are_left_as_they_are(tmp_path: Path, key: object) -> None:
    path = write(tmp_path / "state_5.pkl", {**FLAT, key: 1})
    assert judged(READER, path).verdict != "corrupt"


def test_a_state_of_an_optimizer_is_no_model(tmp_path: Path, adam: object) -> None:
    write(tmp_path / "state_5.pkl", adam)
    assert claimed_files(READER, tmp_path) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("train_data.pkl", {"data": np.zeros((4, 4)), "labels": [1, 2]}),
        ("vocab.pkl", {"a": 1}),
        ("metrics_20.pkl", {"step": [1, 2], "loss": [0.5, 0.4]}),
        ("episode_5.pkl", {"step": 5, "obs": np.zeros(3)}),
        ("arrays_1.pkl", {"x": np.zeros(3), "y": np.zeros(3)}),
        ("results.pkl", [1, 2, 3]),
    ],
)
def test_other_pickles_are_left_alone(tmp_path: Path, name: str, value: object) -> None:
    write(tmp_path / name, value)
    assert claimed_files(READER, tmp_path) == []
    assert not claims(READER, tmp_path)


def test_of_very_many_pickles_some_are_looked_at_for_torch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ckpt_tui.formats.pickle_file.claims._MOST_SAMPLED", 10)
    write(tmp_path / "ckpt_1.pkl", {"params": np.zeros(3), "opt_state": np.zeros(3), "step": 1})
    for number in range(30):
        copy_of(SAMPLES.parent / "torch-file/numbered/ckpt_000100.pt", tmp_path / f"t{number}.pkl")
    for first in "abcdefgh":
        write(tmp_path / f"{first}.pkl", {"a": 1})
    assert claimed_files(READER, tmp_path) == ["ckpt_1.pkl"]


def test_a_torch_file_is_not_ours(tmp_path: Path) -> None:
    copy_of(SAMPLES.parent / "torch-file/numbered/ckpt_000100.pt", tmp_path / "ckpt_100.pkl")
    (tmp_path / "ckpt_200.pkl").touch()
    assert claimed_files(READER, tmp_path) == []


def test_states_in_files_of_their_own(tmp_path: Path) -> None:
    place = tmp_path / "step_5"
    write(place / "params.pkl", MODEL)
    write(place / "opt_state.pkl", MOMENTS)
    assert claims(READER, place)
    assert judged(READER, place).verdict == "inexact"
    (place / "opt_state.pkl").write_bytes(b"")
    assert judged(READER, place).verdict == "corrupt"


def test_states_of_one_step_side_by_side(tmp_path: Path) -> None:
    for step in (5, 10):
        write(tmp_path / f"params_{step}.pkl", MODEL)
        write(tmp_path / f"opt_state_{step}.pkl", MOMENTS)
        (tmp_path / f"params_{step}.json").write_text(json.dumps({"step": step}))
    assert claimed_files(READER, tmp_path) == ["params_10.pkl", "params_5.pkl"]


def test_weights_alone(tmp_path: Path) -> None:
    path = write(tmp_path / "params_7.pkl", MODEL)
    assert claimed_files(READER, tmp_path) == [path.name]
    assert judged(READER, path).verdict == "weights-only"


def test_tensors_have_their_places() -> None:
    path = SAMPLES / "atomic/ckpt_000200.pkl"
    listing = tensors_of(judged(READER, path))
    kernel = next(t for t in listing.tensors if t.name == "params.kernel")
    assert (kernel.dtype, kernel.shape, kernel.role) == ("float32", (8, 64), "model")
    begin = kernel.chunks[0].begin
    assert begin is not None
    data = np.frombuffer(path.read_bytes()[begin : begin + kernel.size_bytes], "<f4")
    assert 0.1 < float(np.abs(data).mean()) < 2


def test_tensors_below_a_key_that_wraps_the_states_are_listed_once(tmp_path: Path) -> None:
    wrapped = {"params": {"w": np.ones(3)}, "opt_state": {"mu": {"w": np.zeros(3)}}, "x": {"y": 0}}
    path = write(tmp_path / "ckpt_3.pkl", {"state": wrapped, "step": 3, "extra": np.ones(2)})
    found = [(t.name, t.role) for t in tensors_of(judged(READER, path)).tensors]
    assert [role for _, role in found[:2]] == ["model", "optimizer"]
    assert [name for name, _ in found[2:]] == ["extra"]


def test_floating_arrays_for_a_scan(tmp_path: Path) -> None:
    from ckpt_tui.artifacts.limits import Limits
    from ckpt_tui.artifacts.source import FileSource

    bad = np.array([1.0, np.nan] * 20, "f4")
    path = write(tmp_path / "ckpt_1.pkl", {"step": 1, "params": {"w": bad, "n": np.arange(9)}})
    with FileSource(path) as source:
        (found,) = floating_arrays(source, Limits())
        assert (found.name, found.dtype, found.size_bytes) == ("params.w", "float32", 160)
        assert found.offset is not None
        assert source.read_at(found.offset, found.size_bytes) == bad.tobytes()


def test_code_is_named(tmp_path: Path) -> None:
    class Loud:
        def __reduce__(self) -> Any:
            return print, ("ran",)

    class Bomb:
        def __reduce__(self) -> Any:
            return eval, ("1",)

    found = judged(READER, write(tmp_path / "ckpt_3.pkl", state(3, x=Bomb(), y=Loud())))
    assert "unsafe-pickle" in codes(found)
    assert found.resumable
