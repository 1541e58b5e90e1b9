"""Orbax: real steps of all versions and forms, and each of their files removed or cut."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ckpt_tui.core.checkpoint import Requirements
from ckpt_tui.core.verdict import judge
from ckpt_tui.formats.discovery import discover
from ckpt_tui.formats.orbax.reader import OrbaxReader
from ckpt_tui.formats.tensors import tensors_of
from tests.formats.helpers import (
    Row,
    check_row,
    claims,
    codes,
    copy_of,
    cut,
    judged,
    judged_run,
    read_directory,
)

READER = OrbaxReader()
SAMPLES = Path(__file__).parents[2] / "sample_runs" / "orbax"
WHOLE = SAMPLES / "whole"
NO_RNG = ("rng",)
WEIGHTS = ("optimizer", "scheduler", "rng")

ROWS = [
    Row("jax/orbax_async_composite/30", "exact", 30, ()),
    Row("jax/orbax_sharded8_ocdbt/20", "exact", 20, ()),
    Row("jax/orbax_sharded8_zarr/20", "exact", 20, ()),
    Row("jax/orbax_sync_standard/30", "inexact", 30, NO_RNG),
    Row("jax/orbax_commit_file/30", "inexact", 30, NO_RNG),
    Row("jax/orbax_multiproc2_ocdbt/20", "inexact", 20, NO_RNG),
    Row("jax/orbax_pytreecheckpointer/ckpt_20", "inexact", 20, NO_RNG),
    Row("jax/orbax_zarr_no_ocdbt/20", "inexact", 20, NO_RNG),
    Row("jax/orbax_zarr3_no_ocdbt/20", "inexact", 20, NO_RNG),
    Row("jax/orbax_v1_training_checkpointer/30", "inexact", 30, NO_RNG),
    Row("jax/orbax_v1_checkpointables/30", "inexact", 30, NO_RNG),
    Row("jax/orbax_v1_free_save/step_30", "inexact", 30, NO_RNG),
    Row("jax/orbax_0.11.13_composite/30", "inexact", 30, NO_RNG),
    Row("jax/orbax_0.6.4_legacy_api/30", "weights-only", 30, WEIGHTS),
    Row("jax/orbax_0.4.8_legacy_api/30", "weights-only", 30, WEIGHTS),
    Row("jax/flax_legacy_orbax_backend/checkpoint_400", "inexact", 400, NO_RNG),
]


@pytest.fixture
def step(tmp_path: Path) -> Path:
    return copy_of(WHOLE / "20", tmp_path / "run" / "20")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.path)
def test_real_saves(corpus: Path, row: Row) -> None:
    check_row(READER, corpus, row)


def test_facts() -> None:
    facts = judged(READER, WHOLE / "20").facts
    assert facts.role_names() == {
        "model", "optimizer", "scheduler", "rng", "progress", "dataloader",
    }  # fmt: skip
    model = facts.role("model")
    assert model is not None
    assert model.size_bytes == 4 * (16 * 32 + 32) + 2 * 32 * 8
    assert (facts.world_size, facts.expected_ranks) == (1, (0,))
    assert facts.save_seconds is not None
    assert facts.commit.committed_at is not None
    assert facts.started_at is not None
    assert facts.commit.committed_at - facts.started_at == pytest.approx(facts.save_seconds)
    assert not facts.save_seconds_is_lower_bound
    assert facts.loader.flag == f'CheckpointManager("{WHOLE}").restore(20, args=…)'
    assert {tensor.name for tensor in facts.tensors} > {"params.encoder.kernel"}


def test_keras_names_epochs_and_counts_iterations(corpus: Path) -> None:
    facts = judged(READER, corpus / "jax/keras_orbax_checkpoint/2").facts
    assert (facts.step, facts.ordinal) == (6, 2)
    assert facts.loader.flag == f'model.load_weights("{corpus}/jax/keras_orbax_checkpoint")'
    assert not any(finding.code == "step-mismatch" for finding in facts.findings)


def test_two_processes(corpus: Path) -> None:
    facts = judged(READER, corpus / "jax/orbax_multiproc2_ocdbt/20").facts
    assert (facts.world_size, [shard.rank for shard in facts.shards]) == (2, [0, 1])
    one = judge(facts, Requirements(world_size=1))
    assert one.resumable
    assert facts.reshard is not None
    assert facts.reshard.loses == ("dataloader",)


def test_an_iterator_of_one_process_is_gone(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / "jax/orbax_multiproc2_ocdbt/20", tmp_path / "20")
    state = path / "dataset/process_1-of-2.json"
    cut(state, state.stat().st_size // 2)
    assert judged(READER, path).verdict == "corrupt"
    state.unlink()
    checkpoint = judged(READER, path)
    assert checkpoint.verdict == "incomplete"
    assert "missing-shard" in codes(checkpoint)


def test_the_run_has_directories_that_are_no_steps(corpus: Path, tmp_path: Path) -> None:
    metadata = copy_of(corpus / "jax/orbax_0.6.4_legacy_api/30", tmp_path / "metadata")
    trash = copy_of(WHOLE / "10", tmp_path / "trash" / "10")
    assert not claims(READER, metadata)
    assert claims(READER, trash)  # a job of its own, by chance of that name
    copy_of(WHOLE / "20", tmp_path / "20")
    assert not claims(READER, trash)
    assert not claims(READER, WHOLE)


def test_small_values_outlive_their_files(step: Path) -> None:
    shutil.rmtree(step / "params" / "ocdbt.process_0")
    assert judged(READER, step).verdict == "incomplete"  # the kernel has more than fits a node
    shutil.rmtree(step / "rng")
    for item in ("params", "opt_state"):
        for path in (step / item).glob("ocdbt.process_*/d/*"):
            assert path.stat().st_size  # values of a kernel
    assert claims(READER, step)


def test_the_corpus_has_values_that_all_lie_in_nodes(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / "jax/orbax_sync_standard/30", tmp_path / "30")
    shutil.rmtree(path / "default" / "ocdbt.process_0")
    assert judged(READER, path).verdict == "inexact"


NOT_NEEDED = [
    "_CHECKPOINT_METADATA", "commit_success.txt", "params/commit_success.txt",
    "params/_sharding", "opt_state/ocdbt.process_0/manifest.ocdbt",
]  # fmt: skip
NEEDED = [
    "params/manifest.ocdbt", "opt_state/_METADATA", "dataset/metadata",
    "rng/jax_random_key/_sharding", "rng/jax_random_key_metadata/metadata",
    "rng/jax_random_key/checkpoint/.zarray", "rng/jax_random_key/checkpoint/0",
]  # fmt: skip


@pytest.mark.parametrize("name", NOT_NEEDED)
@pytest.mark.parametrize("damage", ["gone", "empty", "cut"])
def test_files_that_a_restore_does_without(step: Path, name: str, damage: str) -> None:
    hurt(step / name, damage)
    assert judged(READER, step).resumable


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize("damage", ["gone", "empty", "cut"])
def test_files_that_stop_a_restore(step: Path, name: str, damage: str) -> None:
    hurt(step / name, damage)
    assert not judged(READER, step).resumable


@pytest.mark.parametrize("name", ["params/_METADATA", "opt_state/array_metadatas/process_0"])
def test_files_that_may_be_gone_but_not_damaged(step: Path, name: str) -> None:
    content = (step / name).read_bytes()
    (step / name).unlink()
    assert judged(READER, step).resumable  # a target of dictionaries alone tells its structure
    for size in (0, len(content) // 2):
        (step / name).write_bytes(content[:size])
        assert judged(READER, step).verdict == "corrupt"


def hurt(path: Path, damage: str) -> None:
    if damage == "gone":
        path.unlink()
    else:
        cut(path, 0 if damage == "empty" else path.stat().st_size // 2)


def test_every_data_file_is_needed_as_far_as_the_tree_names_it(step: Path) -> None:
    reader_says = {}
    for path in sorted((step / "params").glob("**/d/*")):
        content = path.read_bytes()
        path.unlink()
        reader_says[path.relative_to(step / "params").parts[0]] = judged(READER, step).verdict
        path.write_bytes(content)
    assert reader_says["d"] == "incomplete"  # the root of the tree


@pytest.mark.parametrize("form", ["orbax_zarr_no_ocdbt", "orbax_zarr3_no_ocdbt"])
def test_each_chunk_file_is_needed_as_a_whole(corpus: Path, tmp_path: Path, form: str) -> None:
    path = copy_of(corpus / "jax" / form / "20", tmp_path / "20")
    chunks = [p for p in path.glob("state/params.*/**/*") if p.is_file() and p.name[0].isdigit()]
    assert chunks
    for chunk in chunks:
        content = chunk.read_bytes()
        for size in (0, len(content) // 2, len(content) - 1):
            chunk.write_bytes(content[:size])
            assert judged(READER, path).verdict == "corrupt"
        chunk.unlink()
        assert judged(READER, path).verdict == "incomplete"
        chunk.write_bytes(content)
    assert judged(READER, path).verdict == "inexact"


def test_a_flipped_byte_in_a_node_is_seen(step: Path) -> None:
    (root,) = (step / "opt_state" / "d").iterdir()
    data = bytearray(root.read_bytes())
    data[len(data) // 2] ^= 1
    root.write_bytes(data)
    checkpoint = judged(READER, step)
    assert checkpoint.verdict == "corrupt"
    assert "checksum-mismatch" in codes(checkpoint)


def test_an_item_that_the_step_names_is_gone(step: Path) -> None:
    shutil.rmtree(step / "dataset")
    assert judged(READER, step).verdict == "incomplete"


def test_metrics_may_be_gone_but_not_cut(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / "jax/orbax_v1_training_checkpointer/30", tmp_path / "30")
    metrics = path / "metrics" / "metrics"
    cut(metrics, 3)
    assert judged(READER, path).verdict == "corrupt"  # a manager reads those of every step
    metrics.unlink()
    assert judged(READER, path).resumable


def test_a_free_save_is_known_by_its_metadata(corpus: Path, tmp_path: Path) -> None:
    path = copy_of(corpus / "jax/orbax_v1_free_save/step_30", tmp_path / "step_30")
    assert "empty-file" not in codes(judged(READER, path))
    (path / "_CHECKPOINT_METADATA").unlink()
    assert claims(READER, path)
    assert judged(READER, path).verdict == "incomplete"


def test_a_leaf_that_disagrees_with_the_name(corpus: Path, tmp_path: Path) -> None:
    same = corpus / "jax/orbax_sync_standard/30"
    checkpoint = judged(READER, copy_of(same, tmp_path / "4"))
    assert checkpoint.facts.step == 30
    assert "step-mismatch" in codes(checkpoint)
    counts_from_one = judged(READER, copy_of(same, tmp_path / "29"))
    assert counts_from_one.facts.step == 29
    assert "step-mismatch" not in codes(counts_from_one)


@pytest.mark.parametrize(("name", "step"), [("4", 4), ("latest", 30)])
def test_an_optimizer_counts_its_own_updates(
    corpus: Path, tmp_path: Path, name: str, step: int
) -> None:
    path = copy_of(corpus / "jax/orbax_sync_standard/30", tmp_path / name)
    (path / "default").rename(path / "optimizer")
    metadata = path / "_CHECKPOINT_METADATA"
    metadata.write_text(metadata.read_text().replace('"default"', '"optimizer"'))
    checkpoint = judged(READER, path)
    assert checkpoint.facts.step == step
    assert "step-mismatch" not in codes(checkpoint)


def test_a_role_that_only_one_step_lacks(tmp_path: Path) -> None:
    run = copy_of(WHOLE, tmp_path / "run")
    shutil.rmtree(run / "20" / "opt_state")
    (run / "20" / "_CHECKPOINT_METADATA").unlink()
    found = judged_run(read_directory(READER, run / name) for name in ("10", "20"))
    assert [found[name].verdict for name in ("10", "20")] == ["exact", "incomplete"]


@pytest.mark.parametrize("item", ["model", "dataset", "optimizer", "rng"])
def test_a_step_of_which_one_item_is_left(tmp_path: Path, item: str) -> None:
    """Without the step's own file only the names of items tell; an item is no step of its own."""
    run = copy_of(WHOLE, tmp_path / "run")
    (run / "10" / "params").rename(tmp_path / item)
    shutil.rmtree(run / "10")
    (run / "10").mkdir()
    (tmp_path / item).rename(run / "10" / item)
    found = {claim.path for claim in discover(str(run)).claims}
    assert found == {str(run / "10"), str(run / "20")}


@pytest.mark.parametrize("text", ["[]", '{"item_handlers": 7}', '{"item_handlers": {"a/b": []}}'])
def test_any_step_metadata_is_read(step: Path, text: str) -> None:
    (step / "_CHECKPOINT_METADATA").write_text(text)
    assert judged(READER, step).facts.format == "orbax"


def test_hostile_names_in_the_tree_stay_inside(step: Path) -> None:
    path = step / "params" / "_METADATA"
    document = json.loads(path.read_text())
    entry = document["tree_metadata"].popitem()[1]
    entry["key_metadata"] = [{"key": "../../../etc/passwd\n\ud800", "key_type": 2}]
    document["tree_metadata"]["x"] = entry
    path.write_text(json.dumps(document))
    assert judged(READER, step).verdict == "incomplete"


def test_the_tensors_with_the_place_of_each_chunk() -> None:
    listing = tensors_of(judged(READER, WHOLE / "20"))
    assert (listing.total, listing.notes) == (12, ())
    by_name = {tensor.name: tensor for tensor in listing.tensors}
    kernel = by_name["params.encoder.kernel"]
    assert (kernel.dtype, kernel.shape, kernel.role) == ("float32", (16, 32), "model")
    (chunk,) = kernel.chunks
    assert chunk.begin is not None
    stored = (WHOLE / "20" / chunk.path).read_bytes()[chunk.begin :]
    assert stored.startswith(b"\x28\xb5\x2f\xfd")
    (inline,) = by_name["params.encoder.bias"].chunks
    assert (inline.record, inline.begin) == ("params.encoder.bias/0", None)
    assert by_name["opt_state.1.0.mu.head.kernel"].role == "optimizer"
    assert by_name["rng.checkpoint"].role == "rng"


def test_chunks_of_a_sharded_array(corpus: Path) -> None:
    listing = tensors_of(judged(READER, corpus / "jax/orbax_sharded8_zarr/20"))
    kernel = next(t for t in listing.tensors if t.name == "state.params.encoder.kernel")
    assert len(kernel.chunks) == 8
    assert sum(chunk.size_bytes for chunk in kernel.chunks) == kernel.size_bytes
    assert kernel.chunks[0].path == "state/params.encoder.kernel/0.0"
    assert kernel.chunks[1].offsets == (0, 8)


def test_more_items_than_any_job_has(step: Path) -> None:
    (step / "_CHECKPOINT_METADATA").unlink()
    for number in range(300):
        (step / f"item{number}").mkdir()
    checkpoint = judged(READER, step)
    assert checkpoint.verdict == "unknown"
    assert "limit-exceeded" in codes(checkpoint)


def test_of_very_many_array_metadatas_the_ends_are_seen(
    step: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ckpt_tui.formats.orbax.small_files._PARSED_BYTES", 0)
    assert judged(READER, step).verdict == "exact"
    path = step / "opt_state" / "array_metadatas" / "process_0"
    cut(path, path.stat().st_size - 1)
    assert judged(READER, step).verdict == "corrupt"


@pytest.mark.parametrize("name", ["key", "key_type", "value_type", "skip_deserialize"])
def test_an_entry_of_the_tree_that_lacks_a_field(step: Path, name: str) -> None:
    """What a flipped bit makes of its name: JSON as before, at which Orbax raises `KeyError`."""
    path = step / "params" / "_METADATA"
    text = path.read_text()
    assert f'"{name}"' in text
    path.write_text(text.replace(f'"{name}"', f'"{name[:-1]}?"', 1))
    checkpoint = judged(READER, step)
    assert checkpoint.verdict == "corrupt"
    assert codes(checkpoint) == {"invalid-json"}
