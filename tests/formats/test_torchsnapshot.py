"""torchsnapshot: real saves, damaged copies of them, and manifests made by hand."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.torchsnapshot.reader import TorchSnapshotReader
from tests.formats.helpers import Row, check_row, claims, codes, copy_of, cut, judged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

READER = TorchSnapshotReader()
RUN = "torch/torchsnapshot_ws2"
METADATA = ".snapshot_metadata"
BETAS = "1/optim/param_groups/0/betas"


@pytest.fixture
def snapshot(corpus: Path, tmp_path: Path) -> Path:
    return copy_of(corpus / RUN / "step-10", tmp_path / "step-10")


def slab(path: Path) -> Path:
    return min((path / "batched").iterdir())


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    document = json.loads((path / METADATA).read_text())
    change(document)
    (path / METADATA).write_text(json.dumps(document, indent=2))


@pytest.mark.parametrize("step", [5, 10, 15])
def test_real_saves(corpus: Path, step: int) -> None:
    check_row(READER, corpus, Row(f"{RUN}/step-{step}", "exact", step, ()))


def test_facts(corpus: Path) -> None:
    facts = judged(READER, corpus / RUN / "step-15").facts
    assert (facts.world_size, facts.expected_ranks) == (2, (0, 1))
    model = facts.role("model")
    assert model is not None
    assert model.size_bytes == 8512
    assert {shard.rank for shard in facts.shards} == {0, 1}
    assert all(shard.size_bytes > 26_000 for shard in facts.shards)
    assert facts.evidence == "step from key `progress.step`"
    assert facts.tensors_total > 20


def test_the_cut_marker(corpus: Path) -> None:
    checkpoint = judged(READER, corpus / "torch_broken/torchsnapshot_enospc/step-10")
    assert (checkpoint.verdict, checkpoint.commit) == ("uncommitted", "uncommitted")
    assert "truncated-file" in codes(checkpoint)
    assert "finishable" not in codes(checkpoint)


@pytest.mark.parametrize("size_bytes", [0, 1, 2, 30, 31, 400, 9000, 20_011, 33_720])
def test_every_cut_of_the_marker_is_no_commit(snapshot: Path, size_bytes: int) -> None:
    cut(snapshot / METADATA, size_bytes)
    assert claims(READER, snapshot)
    assert judged(READER, snapshot).verdict == "uncommitted"


def test_a_marker_of_holes_is_no_commit(snapshot: Path) -> None:
    size_bytes = (snapshot / METADATA).stat().st_size
    cut(snapshot / METADATA, 1000)
    os.truncate(snapshot / METADATA, size_bytes)
    assert judged(READER, snapshot).verdict == "uncommitted"


def test_without_the_marker(snapshot: Path) -> None:
    (snapshot / METADATA).unlink()
    assert claims(READER, snapshot)
    checkpoint = judged(READER, snapshot)
    assert (checkpoint.verdict, checkpoint.step) == ("uncommitted", 10)


def test_yaml_of_an_older_version_is_told_as_not_read(snapshot: Path) -> None:
    (snapshot / METADATA).write_text("version: 0.0.3\nworld_size: 2\nmanifest:\n  0/a: {}\n")
    checkpoint = judged(READER, snapshot)
    assert checkpoint.verdict == "unknown"
    assert "unsupported-version" in codes(checkpoint)
    cut(snapshot / METADATA, 40)
    assert judged(READER, snapshot).verdict == "uncommitted"


def remove(name: str) -> Callable[[Path], object]:
    return lambda path: (path / name).unlink()


@pytest.mark.parametrize(
    ("damage", "verdict", "code"),
    [
        (remove(BETAS), "incomplete", "missing-shard"),
        (lambda path: slab(path).unlink(), "incomplete", "missing-shard"),
        (lambda path: cut(path / BETAS, 700), "corrupt", "truncated-file"),
        (lambda path: cut(path / BETAS, 0), "corrupt", "empty-file"),
        (lambda path: cut(slab(path), 9000), "corrupt", "truncated-file"),
        (lambda path: cut(slab(path), 0), "corrupt", "empty-file"),
        (lambda path: (path / BETAS).write_bytes(b"garbage"), "corrupt", "unreadable-archive"),
        (lambda path: (path / METADATA).write_bytes(b'{"manifest": 3, "x": {}}'), "corrupt",
         "invalid-json"),
        (lambda path: (path / METADATA).write_text('{"a": }\n}'), "corrupt", "invalid-json"),
    ],
)  # fmt: skip
def test_damage(snapshot: Path, damage: Callable[[Path], object], verdict: str, code: str) -> None:
    damage(snapshot)
    checkpoint = judged(READER, snapshot)
    assert checkpoint.verdict == verdict
    assert code in codes(checkpoint)
    assert not checkpoint.resumable


def change_entry(key: str, **fields: object) -> Callable[[dict[str, Any]], object]:
    return lambda document: document["manifest"][key].update(fields)


@pytest.mark.parametrize(
    ("change", "verdict", "code"),
    [
        (change_entry("0/rng/rng_state", byte_range=[0, 10]), "corrupt", "size-mismatch"),
        (change_entry("0/rng/rng_state", byte_range=[9, 1]), "corrupt", "invalid-json"),
        (change_entry("0/rng/rng_state", dtype="torch.odd"), "corrupt", "invalid-json"),
        (change_entry("0/rng/rng_state", shape=["a"]), "corrupt", "invalid-json"),
        (change_entry("0/rng/rng_state", serializer="x"), "corrupt", "invalid-json"),
        (change_entry("0/rng/rng_state", shape=[10**300] * 5000), "corrupt", "invalid-json"),
        (change_entry("0/rng/rng_state", byte_range=[0, 10**4000]), "corrupt", "invalid-json"),
        (change_entry("0/rng/rng_state", location="../x"), "unknown", "outside-path"),
        (change_entry("0/rng/rng_state", origin="other"), "unknown", "outside-path"),
        (change_entry("0/progress/step", serialized_value="x"), "corrupt", "invalid-json"),
        (
            change_entry("0/optim/param_groups/0/lr", type="NewKind"),
            "unknown",
            "unsupported-version",
        ),
        (lambda d: d["manifest"].pop("1/rng/rng_state"), "incomplete", "missing-shard"),
        (lambda d: d["manifest"].pop("0/model/module.norm.bias"), "incomplete", "missing-shard"),
        (lambda d: d["manifest"].pop("0/progress/step"), "incomplete", "missing-shard"),
        (lambda d: d["manifest"].pop("1/optim/state"), "incomplete", "missing-shard"),
        (lambda d: d.pop("version"), "corrupt", "invalid-json"),
        (lambda d: d.update(world_size=1), "corrupt", "invalid-json"),
        (lambda d: d.update(world_size=0), "corrupt", "invalid-json"),
        (lambda d: d.update(world_size=3), "incomplete", "missing-shard"),
        (lambda d: d.update(world_size=10**12), "unknown", "limit-exceeded"),
        (lambda d: d.update(manifest={"x/y": {"type": "list"}}), "corrupt", "invalid-json"),
    ],
)
def test_wrong_manifests(
    snapshot: Path, change: Callable[[dict[str, Any]], object], verdict: str, code: str
) -> None:
    edit(snapshot, change)
    checkpoint = judged(READER, snapshot)
    assert (checkpoint.verdict, code in codes(checkpoint)) == (verdict, True)


def test_a_step_that_differs_from_the_name(snapshot: Path) -> None:
    edit(snapshot, change_entry("0/progress/step", serialized_value="7"))
    checkpoint = judged(READER, snapshot)
    assert (checkpoint.verdict, checkpoint.step) == ("exact", 7)
    assert "step-mismatch" in codes(checkpoint)


def test_a_slab_of_an_earlier_save_is_a_remark(snapshot: Path) -> None:
    (snapshot / "batched" / "left-over").write_bytes(b"12")
    checkpoint = judged(READER, snapshot)
    assert checkpoint.verdict == "exact"
    assert "extra-shard" in codes(checkpoint)


@pytest.mark.parametrize("name", ["config.yaml", ".DS_Store", "batched/._slab", "code/train.py"])
def test_files_beside_the_data_are_no_remark(snapshot: Path, name: str) -> None:
    (snapshot / name).parent.mkdir(exist_ok=True)
    (snapshot / name).write_bytes(b"x")
    assert "extra-shard" not in codes(judged(READER, snapshot))


def test_a_marker_that_leads_out(snapshot: Path, tmp_path: Path) -> None:
    (snapshot / METADATA).rename(tmp_path / "elsewhere")
    (snapshot / METADATA).symlink_to(tmp_path / "elsewhere")
    assert judged(READER, snapshot).verdict == "unknown"


def entry(kind: str, **fields: object) -> dict[str, object]:
    return {"type": kind, "replicated": False, **fields}


def tensor(path: Path, location: str, *shape: int, replicated: bool = False) -> dict[str, object]:
    file = path / location
    file.parent.mkdir(parents=True, exist_ok=True)
    size_bytes = 4
    for length in shape:
        size_bytes *= length
    file.write_bytes(bytes(size_bytes))
    return {
        "type": "Tensor",
        "location": location,
        "serializer": "buffer_protocol",
        "dtype": "torch.float32",
        "shape": list(shape),
        "replicated": replicated,
        "byte_range": None,
    }


def made(path: Path, world_size: int, **states: dict[str, Any]) -> Path:
    """A snapshot by hand: for every rank the same states, each of one level."""
    manifest: dict[str, Any] = {}
    for rank in range(world_size):
        for key, state in states.items():
            manifest[f"{rank}/{key}"] = entry("dict", keys=[k for k in state if "/" not in k])
            for name, make in state.items():
                value = make(rank) if callable(make) else make
                if value is not None:
                    manifest[f"{rank}/{key}/{name}"] = value
    document = {"version": "0.1.0", "world_size": world_size, "manifest": manifest}
    (path / METADATA).write_text(json.dumps(document))
    return path


def count(value: int, *, replicated: bool = False) -> dict[str, object]:
    return {"type": "int", "serialized_value": str(value), "replicated": replicated,
            "readable": None}  # fmt: skip


def shared(value: object) -> Callable[[int], object]:
    """A replicated entry is stored under rank 0 alone."""
    return lambda rank: value if rank == 0 else None


def loads(path: Path) -> list[int]:
    facts = judged(READER, path).facts
    asked = {size: Requirements(("model", "progress"), size) for size in (1, 2, 3, 4)}
    return [size for size, requirements in asked.items() if judge(facts, requirements).resumable]


def optimizer(path: Path, **options: bool) -> dict[str, Any]:
    whole = tensor(path, "replicated/optim/state", 3, replicated=True)
    own = {rank: tensor(path, f"{rank}/optim/state", 3) for rank in (0, 1)}
    make = shared(whole) if options.get("replicated") else own.__getitem__
    return {"state": make, "param_groups": lambda rank: entry("list")}


def test_what_is_replicated_loads_at_any_size(tmp_path: Path) -> None:
    weight = shared(tensor(tmp_path, "replicated/w", 4, replicated=True))
    step = shared(count(7, replicated=True))
    state = optimizer(tmp_path, replicated=True)
    path = made(tmp_path, 2, model={"w": weight}, optim=state, progress={"step": step})
    assert loads(path) == [1, 2, 3, 4]


def test_what_each_rank_keeps_loads_with_fewer_ranks(tmp_path: Path) -> None:
    weight = shared(tensor(tmp_path, "replicated/w", 4, replicated=True))
    state = optimizer(tmp_path)
    path = made(tmp_path, 2, model={"w": weight}, optim=state, progress={"step": count(7)})
    checkpoint = judged(READER, path)
    assert checkpoint.facts.reshard is not None
    assert "optim is stored for each rank alone" in checkpoint.facts.reshard.how
    assert loads(path) == [1, 2]


def test_ranks_with_tensors_of_their_own_need_all_ranks(tmp_path: Path) -> None:
    own = {rank: tensor(tmp_path, f"{rank}/w", 4 + rank) for rank in (0, 1)}
    state = optimizer(tmp_path)
    path = made(tmp_path, 2, model={"w": own.__getitem__}, optim=state, progress={"step": count(7)})
    assert loads(path) == [2]


def sharded(path: Path, key: str) -> Callable[[int], object]:
    def make(rank: int) -> object:
        part = tensor(path, f"sharded/{key}.{rank}", 2, 3)
        shard = {"offsets": [2 * rank, 0], "sizes": [2, 3], "tensor": part}
        return {"type": "ShardedTensor", "shards": [shard]}

    return make


def test_sharded_tensors_at_the_root_load_at_any_size(tmp_path: Path) -> None:
    step = shared(count(7, replicated=True))
    state = optimizer(tmp_path, replicated=True)
    weights = {"w": sharded(tmp_path, "w")}
    path = made(tmp_path, 2, model=weights, optim=state, progress={"step": step})
    assert loads(path) == [1, 2, 3, 4]
    assert judged(READER, path).facts.tensors[0].shape == (2, 3)


def test_sharded_tensors_deep_in_a_state_are_refused(tmp_path: Path) -> None:
    weights = {"deep": lambda rank: entry("dict", keys=["w"]), "deep/w": sharded(tmp_path, "w")}
    path = made(tmp_path, 2, model=weights, progress={"step": count(7)})
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "unknown"
    assert "refuses to restore" in checkpoint.why


def test_a_step_in_a_slab(tmp_path: Path) -> None:
    weight = tensor(tmp_path, "0/w", 4)
    step = tensor(tmp_path, "0/step") | {"dtype": "torch.int64", "byte_range": [4, 12]}
    (tmp_path / "0" / "step").write_bytes(bytes(4) + (1234).to_bytes(8, "little"))
    path = made(tmp_path, 1, model={"w": weight}, progress={"step": step})
    assert judged(READER, path).step == 1234
